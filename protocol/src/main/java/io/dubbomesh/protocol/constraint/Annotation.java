package io.dubbomesh.protocol.constraint;

import java.util.List;
import java.util.Map;

/**
 * An annotation in a class file.
 *
 * @param className the binary name of its type
 * @param members   those that it states: a text, a {@code Long} for all whole numbers and booleans, an annotation, or a
 *     list of these; of a constant of an enum its name, of a class its descriptor
 */
public record Annotation(String className, Map<String, Object> members) {
    public Annotation {
        members = Map.copyOf(members);
    }

    String text(String member) {
        return members.get(member) instanceof String text ? text : null;
    }

    long number(String member, long otherwise) {
        return members.get(member) instanceof Long number ? number : otherwise;
    }

    List<?> list(String member) {
        return members.get(member) instanceof List<?> list ? list : List.of();
    }
}
