package io.dubbomesh.demo.office;

import java.io.Serializable;

/** A class whose subclass has a field of the same name. */
@SuppressWarnings("serial")
public class Note implements Serializable {
    private String text;
    private int number;

    public String getText() {
        return text;
    }

    public void setText(String text) {
        this.text = text;
    }

    public int getNumber() {
        return number;
    }

    public void setNumber(int number) {
        this.number = number;
    }
}
