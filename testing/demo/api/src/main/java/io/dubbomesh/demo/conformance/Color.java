package io.dubbomesh.demo.conformance;

/** An enum without fields and methods. */
public enum Color {
    RED,
    GREEN,
    BLUE
}
