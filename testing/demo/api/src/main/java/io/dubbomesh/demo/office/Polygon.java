package io.dubbomesh.demo.office;

/** A subclass that has a subclass itself. */
@SuppressWarnings("serial")
public non-sealed class Polygon extends Shape {
    private double width;
    private double height;

    public Polygon() {}

    public Polygon(double width, double height) {
        this.width = width;
        this.height = height;
    }

    @Override
    public double area() {
        return width * height;
    }

    public double getWidth() {
        return width;
    }

    public void setWidth(double width) {
        this.width = width;
    }

    public double getHeight() {
        return height;
    }

    public void setHeight(double height) {
        this.height = height;
    }
}
