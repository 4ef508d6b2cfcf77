package io.dubbomesh.protocol.jsonb;

/** The type of a value, by its first byte. */
public enum JsonbType {
    NULL,
    BOOLEAN,
    /** An integer of up to 64 bits. */
    WHOLE,
    FLOAT,
    DOUBLE,
    BIG_INTEGER,
    DECIMAL,
    STRING,
    CHAR,
    BINARY,
    /** A date, a time, or both, with a zone or without. */
    TIME,
    LIST,
    /** The entries of a map, or the fields of an object. */
    MAP,
    /** The path of a value that was written before. */
    REFERENCE,
    /** No value: the name of a class, before one. */
    TYPED,
    /** No value: a name, or the number of an earlier name. */
    SYMBOL,
    /** No value: the end of a map. */
    END;

    private static final JsonbType[] BY_TAG = new JsonbType[256];

    static {
        tags(WHOLE, 0x00, JsonbTag.INT, JsonbTag.INT16, JsonbTag.LONG_INT, 0xc0, 0xff);
        tags(STRING, JsonbTag.SHORT_STRING, JsonbTag.STRING_UTF16BE);
        tags(SYMBOL, JsonbTag.SYMBOL, JsonbTag.SYMBOL);
        tags(CHAR, JsonbTag.CHAR, JsonbTag.CHAR);
        tags(BINARY, JsonbTag.BINARY, JsonbTag.BINARY);
        tags(TYPED, JsonbTag.TYPED, JsonbTag.TYPED);
        tags(REFERENCE, JsonbTag.REFERENCE, JsonbTag.REFERENCE);
        tags(LIST, JsonbTag.SHORT_ARRAY, JsonbTag.ARRAY);
        tags(END, JsonbTag.OBJECT_END, JsonbTag.OBJECT_END);
        tags(MAP, JsonbTag.OBJECT, JsonbTag.OBJECT);
        tags(TIME, JsonbTag.LOCAL_TIME, JsonbTag.TIMESTAMP);
        tags(NULL, JsonbTag.NULL, JsonbTag.NULL);
        tags(BOOLEAN, JsonbTag.FALSE, JsonbTag.TRUE);
        tags(DOUBLE, JsonbTag.DOUBLE_0, JsonbTag.DOUBLE);
        tags(FLOAT, JsonbTag.FLOAT_INT, JsonbTag.FLOAT);
        tags(DECIMAL, JsonbTag.DECIMAL_LONG, JsonbTag.DECIMAL);
        tags(BIG_INTEGER, JsonbTag.BIG_INTEGER_LONG, JsonbTag.BIG_INTEGER);
    }

    private static void tags(JsonbType type, int... ranges) {
        for (int i = 0; i < ranges.length; i += 2) {
            for (int tag = ranges[i]; tag <= ranges[i + 1]; tag++) {
                BY_TAG[tag] = type;
            }
        }
    }

    /** Returns the type that begins with this byte, or null where none does. */
    static JsonbType of(int tag) {
        return BY_TAG[tag];
    }
}
