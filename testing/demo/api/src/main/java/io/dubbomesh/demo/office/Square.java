package io.dubbomesh.demo.office;

/** A subclass of a subclass: its fields are those of three classes. */
@SuppressWarnings("serial")
public final class Square extends Polygon {
    private String color;

    public String getColor() {
        return color;
    }

    public void setColor(String color) {
        this.color = color;
    }
}
