package io.dubbomesh.protocol.hessian;

/** Objects that stand for a single value; a class is told by its name and fields alone, none is loaded. */
enum Shape {
    /** Fields with names. */
    PLAIN,
    /** An enum constant, or anything else whose one field is {@code name}: that name. */
    NAME,
    /** A class of the JDK whose one field is {@code value}, as UUID, Timestamp and the atomic numbers are written: that value. */
    VALUE,
    BIG_DECIMAL,
    BIG_INTEGER;

    /** Where hessian-lite keeps its stand-ins for classes of the JDK. */
    private static final String HANDLES = "com.alibaba.com.caucho.hessian.io.";

    private static final Shape[] SHAPES = values();

    static Shape of(int number) {
        return SHAPES[number];
    }

    static Shape of(HessianReader reader, int name, int firstField, int fields) {
        if (reader.nameEquals(name, "java.math.BigInteger")) {
            return BIG_INTEGER;
        }
        if (fields != 1) {
            return PLAIN;
        }
        if (reader.nameEquals(firstField, "name")) {
            return NAME;
        }
        if (!reader.nameEquals(firstField, "value")) {
            return PLAIN;
        }
        if (reader.nameEquals(name, "java.math.BigDecimal")) {
            return BIG_DECIMAL;
        }
        boolean ofJdk = reader.nameStartsWith(name, "java.") || reader.nameStartsWith(name, HANDLES);
        return ofJdk ? VALUE : PLAIN;
    }
}
