package io.dubbomesh.demo.office;

/** An interface as the type of a field. */
public interface Measured {
    double area();
}
