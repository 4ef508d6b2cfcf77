package io.dubbomesh.protocol.type;

import io.dubbomesh.protocol.Quoted;

import java.util.ArrayDeque;
import java.util.Deque;

/** The path of a value within the arguments: made text only when the value is refused. */
final class ValuePath {
    /** Names of members and keys of maps come from clients. */
    private static final int MAX_NAME = 64;

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

    /** Returns the path: {@code args[1].items[3].price}, of arguments by name {@code args.order.items[3].price}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("args");
        for (Object step : steps) {
            if (step instanceof Integer) {
                text.append('[').append(step).append(']');
            } else {
                text.append('.').append(Quoted.plain((String) step, MAX_NAME));
            }
        }
        return text.toString();
    }
}
