package io.dubbomesh.protocol.type;

import java.util.ArrayDeque;
import java.util.Deque;

/** Where within the arguments a value stands: written out only when it is refused. */
final class ValuePath {
    private final Deque<Object> steps = new ArrayDeque<>();

    void clear() {
        steps.clear();
    }

    void push(int index) {
        steps.addLast(index);
    }

    void push(String name) {
        steps.addLast(name);
    }

    void pop() {
        steps.removeLast();
    }

    /** As {@code args[1].items[3].price}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("args");
        for (Object step : steps) {
            if (step instanceof Integer) {
                text.append('[').append(step).append(']');
            } else {
                text.append('.').append(step);
            }
        }
        return text.toString();
    }
}
