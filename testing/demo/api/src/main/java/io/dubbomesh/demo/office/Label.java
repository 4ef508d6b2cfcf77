package io.dubbomesh.demo.office;

/** Its own {@code text} hides that of its superclass. */
@SuppressWarnings("serial")
public final class Label extends Note {
    private String text;
    private String color;

    @Override
    public String getText() {
        return text;
    }

    @Override
    public void setText(String text) {
        this.text = text;
    }

    public String getColor() {
        return color;
    }

    public void setColor(String color) {
        this.color = color;
    }
}
