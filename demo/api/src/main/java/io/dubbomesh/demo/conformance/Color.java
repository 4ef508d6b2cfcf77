package io.dubbomesh.demo.conformance;

/** An enum without anything. */
public enum Color {
    RED,
    GREEN,
    BLUE
}
