package io.dubbomesh.protocol.hessian;

/** The type of a value, by its first byte. */
public enum HessianType {
    NULL,
    BOOLEAN,
    INT,
    LONG,
    DOUBLE,
    DATE,
    STRING,
    BINARY,
    LIST,
    MAP,
    OBJECT,
    REFERENCE,
    /** No value: the end of a map, or of a list without a length. */
    END,
    /** No value: comes before one. */
    DEFINITION;

    private static final HessianType[] BY_TAG = new HessianType[256];

    static {
        tags(STRING, 0x00, 0x1f, 0x30, 0x33, 'R', 'S');
        tags(BINARY, 0x20, 0x2f, 0x34, 0x37, 'A', 'B');
        tags(LONG, 0x38, 0x3f, 'L', 'L', 'Y', 'Y', 0xd8, 0xff);
        tags(INT, 'I', 'I', 0x80, 0xd7);
        tags(DOUBLE, 'D', 'D', 0x5b, 0x5f);
        tags(DATE, 'J', 'K');
        tags(BOOLEAN, 'F', 'F', 'T', 'T');
        tags(NULL, 'N', 'N');
        tags(LIST, 'U', 'X', 0x70, 0x7f);
        tags(MAP, 'H', 'H', 'M', 'M');
        tags(OBJECT, 'O', 'O', 0x60, 0x6f);
        tags(DEFINITION, 'C', 'C');
        tags(REFERENCE, 'Q', 'Q');
        tags(END, 'Z', 'Z');
    }

    private static void tags(HessianType type, int... ranges) {
        for (int i = 0; i < ranges.length; i += 2) {
            for (int tag = ranges[i]; tag <= ranges[i + 1]; tag++) {
                BY_TAG[tag] = type;
            }
        }
    }

    /** Returns the type that begins with this byte, or null where none does. */
    static HessianType of(int tag) {
        return BY_TAG[tag];
    }
}
