package io.dubbomesh.protocol.type;

import io.dubbomesh.protocol.definition.TypeDefinition;

import java.util.Map;

/**
 * A Java type: what is needed to write values of it. Made by {@link JavaTypes}; immutable from then on.
 */
final class JavaType {
    /** What a value is in JSON and for a writer. */
    enum Kind {
        STRING,
        CHAR,
        BOOLEAN,
        BYTE,
        SHORT,
        INT,
        LONG,
        FLOAT,
        DOUBLE,
        BIG_INTEGER,
        BIG_DECIMAL,
        /** A {@link java.util.Date}, one of its subclasses in {@code java.sql}, or a {@link java.util.Calendar}. */
        DATE,
        /** One of {@link JavaTime}. */
        TIME,
        /** One of {@link JdkText}. */
        TEXT,
        ENUM,
        BYTES,
        CHARS,
        ARRAY,
        LIST,
        MAP,
        /** A class whose fields are known; abstract only if subclasses are known. */
        OBJECT,
        /** An interface of which classes are known that implement it. */
        INTERFACE,
        ANY,
        /** A class of which nothing is known: only the provider can make one, from any JSON. */
        UNKNOWN;

        /** Whether a form has it as plain text only, and not as JSON. */
        boolean isText() {
            return switch (this) {
                case STRING, CHAR, BOOLEAN, BYTE, SHORT, INT, LONG, FLOAT, DOUBLE, BIG_INTEGER, BIG_DECIMAL -> true;
                default -> false;
            };
        }

        boolean isWhole() {
            return switch (this) {
                case BYTE, SHORT, INT, LONG, BIG_INTEGER -> true;
                default -> false;
            };
        }
    }

    private final Kind kind;
    private final String name;
    private final String className;
    private final boolean primitive;
    private final JavaType key;
    private final JavaType element;
    private final TypeDefinition definition;
    /** Of {@link Kind#OBJECT} and {@link Kind#INTERFACE}, and null until it is linked; null for all others. */
    private Map<String, JavaType> fields;

    private JavaType(
            Kind kind,
            String name,
            String className,
            boolean primitive,
            JavaType key,
            JavaType element,
            TypeDefinition definition) {
        this.kind = kind;
        this.name = name;
        this.className = className;
        this.primitive = primitive;
        this.key = key;
        this.element = element;
        this.definition = definition;
    }

    static JavaType scalar(Kind kind, String className, boolean primitive) {
        return new JavaType(kind, className, className, primitive, null, null, null);
    }

    static JavaType array(JavaType component) {
        String name = component.name + "[]";
        Kind kind = switch (component.kind) {
            case BYTE -> component.primitive ? Kind.BYTES : Kind.ARRAY;
            case CHAR -> component.primitive ? Kind.CHARS : Kind.ARRAY;
            default -> Kind.ARRAY;
        };
        return new JavaType(kind, name, component.className + "[]", false, null, component, null);
    }

    static JavaType list(String name, String className, JavaType element) {
        return new JavaType(Kind.LIST, name, className, false, null, element, null);
    }

    static JavaType map(String name, String className, JavaType key, JavaType value) {
        return new JavaType(Kind.MAP, name, className, false, key, value, null);
    }

    static JavaType defined(Kind kind, String className, TypeDefinition definition) {
        return new JavaType(kind, definition.name(), className, false, null, null, definition);
    }

    void link(Map<String, JavaType> ofFields) {
        fields = ofFields;
    }

    Kind kind() {
        return kind;
    }

    /** As Java source has it, with type arguments where they are known. */
    String name() {
        return name;
    }

    /** The name without type arguments. */
    String className() {
        return className;
    }

    /** Whether null is refused. */
    boolean isPrimitive() {
        return primitive;
    }

    /** Of the keys of a {@link Kind#MAP}. */
    JavaType key() {
        return key;
    }

    /** Of the elements of an array or {@link Kind#LIST}, or of the values of a {@link Kind#MAP}. */
    JavaType element() {
        return element;
    }

    /** Of an {@link Kind#ENUM}, {@link Kind#OBJECT} or {@link Kind#INTERFACE}. */
    TypeDefinition definition() {
        return definition;
    }

    /** Of an {@link Kind#OBJECT}. */
    Map<String, JavaType> fields() {
        return fields;
    }

    boolean isRecord() {
        return definition != null && definition.kind() == TypeDefinition.Kind.RECORD;
    }

    /** Whether the class of an {@link Kind#OBJECT} declares the field with a class, and not as a type variable. */
    boolean declares(String field) {
        return !definition.variableFields().contains(field);
    }

    @Override
    public String toString() {
        return name;
    }
}
