package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.value.MalformedValueException;

/** The form of an object of a class in JSON, which its name and fields decide; no class is loaded. */
enum Shape {
    /** An object with its fields by their names. */
    PLAIN,
    /** A {@link #PLAIN} class with {@link HiddenFields}. */
    HIDING,
    /** A {@link #PLAIN} class whose one field is {@code name}, as the class of an enum has. */
    NAME,
    /**
     * A class of the JDK with one field, as enums, UUID, Timestamp, URI and the atomic numbers are written: that
     * field's value.
     */
    VALUE,
    /** A boolean as a number. */
    ATOMIC_BOOLEAN,
    /** A replacement object with a field {@code type}: the value of the other field. */
    TYPED_VALUE,
    BIG_DECIMAL,
    BIG_INTEGER,
    /** A {@link TimeHandle}. */
    TIME,
    /** Several fields that represent one text, see {@link JdkTexts}. */
    TEXT,
    /** The numbers of the bits that are set in the words in its one field. */
    BITS,
    /** An object in the place of a collection: the elements are in one field. */
    ELEMENTS,
    /** An object in the place of a map: keys and values are in two fields. */
    ENTRIES,
    /** A class whose fields are not its value, which no field tells. */
    OPAQUE,
    /** A list of {@code List.of} and similar methods, which hessian-lite 3 writes without the elements. */
    LOST_COLLECTION;

    /** The package of the classes that hessian-lite writes in place of classes of the JDK. */
    private static final String HANDLES = "com.alibaba.com.caucho.hessian.io.";

    /**
     * The names of nested classes that replace their outer ones when these are written (Effective Java, item 90), as
     * Guava's.
     */
    private static final String[] REPLACEMENTS = {"$SerializedForm", "$SerializationProxy"};

    static final String KEYS = "keys";
    static final String VALUES = "values";
    private static final String[] ELEMENT_FIELDS = {"elements", "delegate", "collection", "array"};

    static final String URL = "java.net.URL";
    private static final String STRING_BUILDER = "java.lang.StringBuilder";
    private static final String STRING_BUFFER = "java.lang.StringBuffer";
    /** Dubbo 2.6.1 writes its fields; later ones write its text. */
    static final String UUID_CLASS = "java.util.UUID";
    /** Dubbo 2.6.1 writes its fields; later ones write its text. */
    static final String LOCALE = "com.alibaba.com.caucho.hessian.io.LocaleHandle";

    private static final Shape[] SHAPES = values();

    static Shape of(int number) {
        return SHAPES[number];
    }

    /** The names of fields of a class are looked at only if they are short. */
    static Shape of(ClassTable classes, int name, int firstField, int fields, boolean isShort)
            throws MalformedValueException {
        boolean isJdk = classes.nameStartsWith(name, "java.");
        if (isJdk && isThrowable(classes, name)) {
            return PLAIN;
        }
        if (!isShort) {
            return isJdk ? OPAQUE : PLAIN;
        }
        if (isJdk) {
            return ofJdk(classes, name, firstField, fields);
        }
        if (fields == 1 && classes.nameEquals(firstField, "name")) {
            return NAME;
        }
        for (String replacement : REPLACEMENTS) {
            if (classes.nameEndsWith(name, replacement)) {
                return ofReplacement(classes, firstField, fields);
            }
        }
        if (!classes.nameStartsWith(name, HANDLES)) {
            return PLAIN;
        }
        if (classes.nameEquals(name, HANDLES + "CalendarHandle")
                || classes.nameEquals(name, HANDLES + "EnumSetHandler")) {
            return TYPED_VALUE;
        }
        if (classes.nameEquals(name, HANDLES + "BitSetHandle")) {
            return BITS;
        }
        if (fields == 1) {
            return VALUE;
        }
        return isText(classes, name) ? TEXT : PLAIN;
    }

    /** Returns whether a class that has more than one field represents one text. */
    private static boolean isText(ClassTable classes, int name) {
        return classes.nameEquals(name, URL)
                || classes.nameEquals(name, STRING_BUILDER)
                || classes.nameEquals(name, STRING_BUFFER)
                || classes.nameEquals(name, UUID_CLASS)
                || classes.nameEquals(name, LOCALE);
    }

    private static boolean isThrowable(ClassTable classes, int name) {
        return classes.nameEndsWith(name, "Exception")
                || classes.nameEndsWith(name, "Error")
                || classes.nameEquals(name, "java.lang.Throwable");
    }

    private static Shape ofJdk(ClassTable classes, int name, int firstField, int fields)
            throws MalformedValueException {
        if (classes.nameEquals(name, "java.math.BigInteger")) {
            return BIG_INTEGER;
        }
        if (fields == 1) {
            if (classes.nameEquals(name, "java.math.BigDecimal")) {
                return BIG_DECIMAL;
            }
            if (classes.nameEquals(name, "java.util.concurrent.atomic.AtomicBoolean")) {
                return ATOMIC_BOOLEAN;
            }
            if (classes.nameEquals(name, "java.util.BitSet")) {
                return BITS;
            }
            return classes.nameEquals(name, "java.util.CollSer") ? LOST_COLLECTION : VALUE;
        }
        if (isText(classes, name)) {
            return TEXT;
        }
        // A stack is that of an exception, also where the name does not tell it, as SQLWarning.
        boolean isPlain = classes.hasField(firstField, fields, "stackTrace")
                || classes.nameStartsWith(name, "java.util.AbstractMap$Simple")
                || classes.nameEquals(name, "java.lang.StackTraceElement");
        return isPlain ? PLAIN : OPAQUE;
    }

    private static Shape ofReplacement(ClassTable classes, int firstField, int fields) throws MalformedValueException {
        int others = classes.hasField(firstField, fields, "comparator") ? 1 : 0;
        if (fields - others == 2
                && classes.hasField(firstField, fields, KEYS)
                && classes.hasField(firstField, fields, VALUES)) {
            return ENTRIES;
        }
        for (String elements : ELEMENT_FIELDS) {
            if (fields - others == 1 && classes.hasField(firstField, fields, elements)) {
                return ELEMENTS;
            }
        }
        return OPAQUE;
    }

    /** Returns whether an object's value is in the field with the name at this position. */
    boolean isValue(ClassTable classes, int field) {
        return switch (this) {
            case TYPED_VALUE -> !classes.nameEquals(field, "type");
            case ELEMENTS -> !classes.nameEquals(field, "comparator");
            default -> true;
        };
    }
}
