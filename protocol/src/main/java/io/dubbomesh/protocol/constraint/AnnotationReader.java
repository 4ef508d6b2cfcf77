package io.dubbomesh.protocol.constraint;

import java.io.DataInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads annotations of class files (JVMS 4.7.16); keeps those of Bean Validation. */
public final class AnnotationReader {
    private static final int MAX_DEPTH = 8;

    /** The constants of the class file. */
    public interface Constants {
        String text(int index) throws IOException;

        /** Returns the value of an Integer or a Long. */
        long number(int index) throws IOException;
    }

    private final DataInput in;
    private final Constants constants;

    public AnnotationReader(DataInput in, Constants constants) {
        this.in = in;
        this.constants = constants;
    }

    /** Reads a number of annotations and as many annotations. */
    public List<Annotation> readAll() throws IOException {
        List<Annotation> kept = new ArrayList<>();
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            Annotation annotation = read();
            if (annotation != null) {
                kept.add(annotation);
            }
        }
        return List.copyOf(kept);
    }

    /** Reads one annotation; returns null if it is none of Bean Validation. */
    public Annotation read() throws IOException {
        Annotation annotation = annotation(0);
        return DeclaredConstraints.isOfValidation(annotation.className()) ? annotation : null;
    }

    private Annotation annotation(int depth) throws IOException {
        String descriptor = constants.text(in.readUnsignedShort());
        Map<String, Object> members = new HashMap<>();
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            String name = constants.text(in.readUnsignedShort());
            Object value = value(depth);
            if (value != null) {
                members.put(name, value);
            }
        }
        boolean isClass = descriptor.length() > 2 && descriptor.charAt(0) == 'L';
        String name = isClass ? descriptor.substring(1, descriptor.length() - 1) : descriptor;
        return new Annotation(name.replace('/', '.'), members);
    }

    /** Returns null for a number with a fraction, which no constraint has. */
    private Object value(int depth) throws IOException {
        if (depth == MAX_DEPTH) {
            throw new IOException("annotations in each other");
        }
        int tag = in.readUnsignedByte();
        return switch (tag) {
            case 'B', 'C', 'I', 'J', 'S', 'Z' -> constants.number(in.readUnsignedShort());
            case 's', 'c' -> constants.text(in.readUnsignedShort());
            case 'D', 'F' -> {
                in.readUnsignedShort();
                yield null;
            }
            case 'e' -> {
                in.readUnsignedShort();
                yield constants.text(in.readUnsignedShort());
            }
            case '@' -> annotation(depth + 1);
            case '[' -> {
                List<Object> elements = new ArrayList<>();
                for (int left = in.readUnsignedShort(); left > 0; left--) {
                    Object element = value(depth + 1);
                    if (element != null) {
                        elements.add(element);
                    }
                }
                yield List.copyOf(elements);
            }
            default -> throw new IOException("an annotation's value of type " + tag);
        };
    }
}
