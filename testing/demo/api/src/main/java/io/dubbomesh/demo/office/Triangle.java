package io.dubbomesh.demo.office;

/** A subclass that no provider's list of allowed classes has. */
public final class Triangle extends Polygon {
    private static final long serialVersionUID = 1;

    @Override
    public double area() {
        return super.area() / 2;
    }
}
