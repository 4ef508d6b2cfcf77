package io.dubbomesh.protocol.hessian;

/** The first bytes of values that are not letters; a range is named by its first byte. */
final class HessianTag {
    static final int SHORT_STRING = 0x00;
    static final int SHORT_BINARY = 0x20;
    static final int MEDIUM_STRING = 0x30;
    static final int MEDIUM_BINARY = 0x34;
    static final int DATE = 0x4a;
    static final int DATE_MINUTES = 0x4b;
    static final int LONG_4 = 0x59;
    static final int DOUBLE_ZERO = 0x5b;
    static final int DOUBLE_ONE = 0x5c;
    static final int DOUBLE_BYTE = 0x5d;
    static final int DOUBLE_SHORT = 0x5e;
    static final int DOUBLE_MILL = 0x5f;
    static final int OBJECT = 0x60;
    static final int SHORT_TYPED_LIST = 0x70;
    static final int SHORT_LIST = 0x78;
    static final int INT_1_ZERO = 0x90;
    static final int INT_2_ZERO = 0xc8;
    static final int INT_3_ZERO = 0xd4;
    static final int LONG_1_ZERO = 0xe0;
    static final int LONG_2_ZERO = 0xf8;
    static final int LONG_3_ZERO = 0x3c;

    static final int MAX_SHORT_STRING = 31;
    static final int MAX_SHORT_BINARY = 15;
    static final int MAX_MEDIUM = 1023;
    static final int MAX_SHORT_LIST = 7;
    static final int MAX_SHORT_OBJECT = 15;
    /** The longest chunk that hessian-lite writes; a 16-bit length would allow twice as much. */
    static final int MAX_CHUNK = 0x8000;

    private HessianTag() {}
}
