package io.dubbomesh.demo.conformance;

import java.io.Serializable;

/** A chain, or a ring. */
@SuppressWarnings("serial")
public final class Node implements Serializable {
    private int value;
    private Node next;

    public Node() {}

    public Node(int value, Node next) {
        this.value = value;
        this.next = next;
    }

    public int getValue() {
        return value;
    }

    public void setValue(int value) {
        this.value = value;
    }

    public Node getNext() {
        return next;
    }

    public void setNext(Node next) {
        this.next = next;
    }
}
