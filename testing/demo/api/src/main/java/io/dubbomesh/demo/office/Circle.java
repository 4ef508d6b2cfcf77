package io.dubbomesh.demo.office;

/** A subclass that no signature mentions. */
@SuppressWarnings("serial")
public final class Circle extends Shape {
    private double radius;

    public Circle() {}

    public Circle(double radius) {
        this.radius = radius;
    }

    @Override
    public double area() {
        return 3 * radius * radius;
    }

    public double getRadius() {
        return radius;
    }

    public void setRadius(double radius) {
        this.radius = radius;
    }
}
