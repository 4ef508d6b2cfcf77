package io.dubbomesh.protocol.type;

import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.type.JavaType.Kind;

/**
 * Compares types for a value of JSON that can be of either. The type of which a Java program would write the value as a
 * literal is first, then the types that this one becomes without loss, then the types to which only this mesh and Dubbo
 * convert it. Where two are equal, the subtype is meant.
 */
enum Preference {
    FIRST,
    SECOND,
    /** Both types are the same one. */
    SAME,
    /** Either may be meant. */
    UNCLEAR;

    private static final int OBJECT = 10;
    private static final int CONVERTED = 20;

    static Preference of(JavaType first, JavaType second, JsonShape value) {
        if (first.className().equals(second.className())) {
            return SAME;
        }
        int firstRank = rank(first, value);
        int secondRank = rank(second, value);
        boolean isListOrArray = value.form() == JsonShape.Form.ARRAY && isArray(first) != isArray(second);
        if (isListOrArray && Math.max(firstRank, secondRank) < OBJECT) {
            return UNCLEAR;
        }
        if (firstRank != secondRank) {
            return firstRank < secondRank ? FIRST : SECOND;
        }
        if (first.kind() == second.kind() && first.isPrimitive() != second.isPrimitive()) {
            return first.isPrimitive() ? FIRST : SECOND;
        }
        if (isPlainObject(first, second, value)) {
            return UNCLEAR;
        }
        return isSubtype(first, second) ? FIRST : isSubtype(second, first) ? SECOND : UNCLEAR;
    }

    private static boolean isArray(JavaType type) {
        return switch (type.kind()) {
            case ARRAY, BYTES, CHARS -> true;
            default -> false;
        };
    }

    /** An object that does not say of which class it is, and may be one of the superclass as well. */
    private static boolean isPlainObject(JavaType first, JavaType second, JsonShape value) {
        return value.form() == JsonShape.Form.OBJECT
                && value.className() == null
                && first.kind() == Kind.OBJECT
                && second.kind() == Kind.OBJECT;
    }

    /** Returns how far the value is from being one of the type, to which it can be converted. */
    private static int rank(JavaType type, JsonShape value) {
        Kind kind = type.kind();
        if (kind == Kind.OPTIONAL || kind == Kind.HOLDER) {
            return value.form() == JsonShape.Form.NULL ? 0 : rank(type.element(), value);
        }
        if (kind == Kind.ANY && value.form() != JsonShape.Form.NULL) {
            return OBJECT;
        }
        return switch (value.form()) {
            case NULL -> 0;
            case BOOLEAN -> kind == Kind.BOOLEAN ? 0 : CONVERTED;
            case INT -> place(kind, Kind.INT, Kind.LONG, Kind.BIG_INTEGER, Kind.SHORT, Kind.BYTE);
            case LONG, BIG_INTEGER -> place(kind, Kind.LONG, Kind.BIG_INTEGER);
            case FRACTION -> kind.isWhole() ? CONVERTED : place(kind);
            case TEXT -> rankOfText(kind);
            case ARRAY -> rankOfArray(type, value);
            case OBJECT -> rankOfObject(type, value);
        };
    }

    /** Returns the place among the whole numbers, then among those with a fraction. */
    private static int place(Kind kind, Kind... wholes) {
        for (int i = 0; i < wholes.length; i++) {
            if (kind == wholes[i]) {
                return i;
            }
        }
        return switch (kind) {
            case DOUBLE -> wholes.length;
            case BIG_DECIMAL -> wholes.length + 1;
            case FLOAT -> wholes.length + 2;
            default -> CONVERTED;
        };
    }

    private static int rankOfText(Kind kind) {
        return switch (kind) {
            case STRING -> 0;
            case CHAR, ENUM, DATE, TIME, TEXT, BYTES, CHARS -> 1;
            // It may be an enum.
            case UNKNOWN -> 2;
            default -> CONVERTED;
        };
    }

    private static int rankOfArray(JavaType type, JsonShape value) {
        return switch (type.kind()) {
            case ARRAY, LIST ->
                value.elements().stream()
                        .mapToInt(element -> rank(type.element(), element))
                        .max()
                        .orElse(0);
            case BYTES, CHARS -> place(Kind.BYTE, Kind.INT, Kind.LONG, Kind.BIG_INTEGER, Kind.SHORT, Kind.BYTE);
            default -> CONVERTED;
        };
    }

    private static int rankOfObject(JavaType type, JsonShape value) {
        return switch (type.kind()) {
            case OBJECT, INTERFACE, MAP, UNKNOWN ->
                value.className() == null || value.className().equals(type.className()) ? 0 : 1;
            default -> CONVERTED;
        };
    }

    private static boolean isSubtype(JavaType type, JavaType other) {
        if (isArray(type) && isArray(other) && type.element() != null && other.element() != null) {
            return isSubtype(type.element(), other.element());
        }
        if (other.kind() == Kind.ANY) {
            return type.kind() != Kind.ANY || isJdkSubtype(type.className(), other.className());
        }
        if (other.definition() != null && other.definition().subclasses() != null) {
            return other.definition().subclasses().stream()
                    .anyMatch(name -> MethodDefinition.erased(name).equals(type.className()));
        }
        if (type.definition() != null && type.definition().container() != null) {
            String supertype =
                    MethodDefinition.erased(type.definition().container().supertype());
            return supertype.equals(other.className()) || isJdkSubtype(supertype, other.className());
        }
        return isJdkSubtype(type.className(), other.className());
    }

    private static boolean isJdkSubtype(String className, String other) {
        if (!className.startsWith("java.") || !other.startsWith("java.") || className.equals(other)) {
            return false;
        }
        try {
            ClassLoader platform = ClassLoader.getPlatformClassLoader();
            return Class.forName(other, false, platform).isAssignableFrom(Class.forName(className, false, platform));
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
