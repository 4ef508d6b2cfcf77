package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.ObjectReader;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The fields of an object that are no part of its value. Those that have the name of a field that comes later: Hessian
 * sends a superclass's fields first, also those that a subclass's field of the same name hides. And the object around
 * that of an inner class. Keeps the answer for the class that was asked for last. Owned by one event loop.
 */
final class HiddenFields {
    private static final int NONE = -1;
    private static final int MAX_NAME = 1024;

    private final ClassTable classes;
    private int definition;
    private boolean[] hidden;

    HiddenFields(ClassTable classes) {
        this.classes = classes;
    }

    /** Begins a stream. */
    void reset() {
        definition = NONE;
    }

    /** Returns an element for each field. */
    boolean[] of(int ofDefinition) throws MalformedValueException {
        if (definition != ofDefinition) {
            List<String> names = classes.fieldNames(ofDefinition, MAX_NAME);
            Set<String> later = new HashSet<>();
            hidden = new boolean[names.size()];
            for (int i = names.size() - 1; i >= 0; i--) {
                hidden[i] = !later.add(names.get(i)) || names.get(i).startsWith(ObjectReader.OUTER_OBJECT);
            }
            definition = ofDefinition;
        }
        return hidden;
    }
}
