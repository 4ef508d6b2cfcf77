package io.dubbomesh.protocol.jsonb;

/**
 * The first bytes of values, by their names in fastjson2's {@code JSONB.Constants}; a range is named by its first byte,
 * or by the one that means zero.
 */
final class JsonbTag {
    static final int INT_BYTE_ZERO = 0x38;
    static final int INT_SHORT_ZERO = 0x44;
    static final int INT = 0x48;
    static final int SHORT_STRING = 0x49;
    static final int STRING = 0x79;
    static final int STRING_UTF8 = 0x7a;
    static final int STRING_UTF16 = 0x7b;
    static final int STRING_UTF16LE = 0x7c;
    static final int STRING_UTF16BE = 0x7d;
    static final int SYMBOL = 0x7f;
    static final int CHAR = 0x90;
    static final int BINARY = 0x91;
    static final int TYPED = 0x92;
    static final int REFERENCE = 0x93;
    static final int SHORT_ARRAY = 0x94;
    static final int ARRAY = 0xa4;
    static final int OBJECT_END = 0xa5;
    static final int OBJECT = 0xa6;
    static final int LOCAL_TIME = 0xa7;
    static final int LOCAL_DATE_TIME = 0xa8;
    static final int LOCAL_DATE = 0xa9;
    static final int TIMESTAMP_WITH_ZONE = 0xaa;
    static final int TIMESTAMP_MILLIS = 0xab;
    static final int TIMESTAMP_SECONDS = 0xac;
    static final int TIMESTAMP_MINUTES = 0xad;
    static final int TIMESTAMP = 0xae;
    static final int NULL = 0xaf;
    static final int FALSE = 0xb0;
    static final int TRUE = 0xb1;
    static final int DOUBLE_0 = 0xb2;
    static final int DOUBLE_1 = 0xb3;
    static final int DOUBLE_LONG = 0xb4;
    static final int DOUBLE = 0xb5;
    static final int FLOAT_INT = 0xb6;
    static final int FLOAT = 0xb7;
    static final int DECIMAL_LONG = 0xb8;
    static final int DECIMAL = 0xb9;
    static final int BIG_INTEGER_LONG = 0xba;
    static final int BIG_INTEGER = 0xbb;
    static final int INT16 = 0xbc;
    static final int INT8 = 0xbd;
    static final int LONG = 0xbe;
    static final int LONG_INT = 0xbf;
    static final int LONG_SHORT_ZERO = 0xc4;
    static final int LONG_BYTE_ZERO = 0xd0;
    static final int LONG_NUM_ZERO = 0xe0;

    static final int MAX_SHORT_STRING = 47;

    private JsonbTag() {}
}
