package io.dubbomesh.protocol.jsonb;

/** What begins with a byte. */
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
        tags(WHOLE, 0x00, Tag.INT, Tag.INT16, Tag.LONG_INT, 0xc0, 0xff);
        tags(STRING, Tag.SHORT_STRING, Tag.STRING_UTF16BE);
        tags(SYMBOL, Tag.SYMBOL, Tag.SYMBOL);
        tags(CHAR, Tag.CHAR, Tag.CHAR);
        tags(BINARY, Tag.BINARY, Tag.BINARY);
        tags(TYPED, Tag.TYPED, Tag.TYPED);
        tags(REFERENCE, Tag.REFERENCE, Tag.REFERENCE);
        tags(LIST, Tag.SHORT_ARRAY, Tag.ARRAY);
        tags(END, Tag.OBJECT_END, Tag.OBJECT_END);
        tags(MAP, Tag.OBJECT, Tag.OBJECT);
        tags(TIME, Tag.LOCAL_TIME, Tag.TIMESTAMP);
        tags(NULL, Tag.NULL, Tag.NULL);
        tags(BOOLEAN, Tag.FALSE, Tag.TRUE);
        tags(DOUBLE, Tag.DOUBLE_0, Tag.DOUBLE);
        tags(FLOAT, Tag.FLOAT_INT, Tag.FLOAT);
        tags(DECIMAL, Tag.DECIMAL_LONG, Tag.DECIMAL);
        tags(BIG_INTEGER, Tag.BIG_INTEGER_LONG, Tag.BIG_INTEGER);
    }

    private static void tags(JsonbType type, int... ranges) {
        for (int i = 0; i < ranges.length; i += 2) {
            for (int tag = ranges[i]; tag <= ranges[i + 1]; tag++) {
                BY_TAG[tag] = type;
            }
        }
    }

    /** The type that begins with this byte, or null where none does. */
    static JsonbType of(int tag) {
        return BY_TAG[tag];
    }
}
