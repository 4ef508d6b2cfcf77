package io.dubbomesh.protocol.hessian;

/** How an object of a class becomes JSON, which its name and fields decide; no class is loaded. */
enum Shape {
    /** Its fields with their names. */
    PLAIN,
    /** As {@link #PLAIN}, of a class with several fields of one name, see {@link HiddenFields}. */
    HIDING,
    /** An enum constant, or anything else whose one field is {@code name}: that name. */
    NAME,
    /**
     * A class of the JDK with one field, as UUID, Timestamp, URI and the atomic numbers are written: that field's
     * value.
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
    /** What {@code List.of} and similar methods make, as hessian-lite 3 writes it: without the elements. */
    LOST_COLLECTION;

    /** The package of the classes that hessian-lite writes in place of classes of the JDK. */
    private static final String HANDLES = "com.alibaba.com.caucho.hessian.io.";

    private static final Shape[] SHAPES = values();

    static Shape of(int number) {
        return SHAPES[number];
    }

    static Shape of(ClassTable classes, int name, int firstField, int fields) {
        if (fields == 1 && classes.nameEquals(firstField, "name")) {
            return NAME;
        }
        if (classes.nameStartsWith(name, "java.")) {
            return ofJdk(classes, name, fields);
        }
        if (!classes.nameStartsWith(name, HANDLES)) {
            return PLAIN;
        }
        if (classes.nameEquals(name, HANDLES + "CalendarHandle")
                || classes.nameEquals(name, HANDLES + "EnumSetHandler")) {
            return TYPED_VALUE;
        }
        if (fields == 1) {
            return VALUE;
        }
        return JdkTexts.isText(classes, name) ? TEXT : PLAIN;
    }

    private static Shape ofJdk(ClassTable classes, int name, int fields) {
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
            return classes.nameEquals(name, "java.util.CollSer") ? LOST_COLLECTION : VALUE;
        }
        return JdkTexts.isText(classes, name) ? TEXT : PLAIN;
    }
}
