package io.dubbomesh.protocol.definition;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The fields and methods of objects that the code of a method uses (JVMS, chapter 6), in order, as far as it takes to
 * see what constructors, getters and setters do.
 *
 * @param accesses   those uses
 * @param isAccessor whether the method does nothing but return one field, or set it to its parameter
 */
record MethodCode(List<Access> accesses, boolean isAccessor) {
    static final MethodCode NONE = new MethodCode(List.of(), false);

    enum Use {
        READ,
        WRITE,
        CALL
    }

    /**
     * One use.
     *
     * @param ofZero whether it is certain that null or zero is written
     */
    record Access(Use use, String owner, String name, String descriptor, boolean ofZero) {}

    /** The class, name and descriptor of a field or method by its number in the constant pool. */
    @FunctionalInterface
    interface Constants {
        String[] reference(int index) throws IOException;
    }

    private static final int ACONST_NULL = 0x01;
    private static final int ICONST_0 = 0x03;
    private static final int LCONST_0 = 0x09;
    private static final int FCONST_0 = 0x0b;
    private static final int DCONST_0 = 0x0e;
    private static final int ILOAD_1 = 0x1b;
    private static final int ALOAD_0 = 0x2a;
    private static final int ALOAD_1 = 0x2b;
    private static final int IINC = 0x84;
    private static final int IFEQ = 0x99;
    private static final int TABLESWITCH = 0xaa;
    private static final int LOOKUPSWITCH = 0xab;
    private static final int IRETURN = 0xac;
    private static final int ARETURN = 0xb0;
    private static final int RETURN = 0xb1;
    private static final int GETFIELD = 0xb4;
    private static final int PUTFIELD = 0xb5;
    private static final int INVOKESTATIC = 0xb8;
    private static final int WIDE = 0xc4;
    private static final int IFNULL = 0xc6;
    private static final int JSR_W = 0xc9;
    /** The distance from one variable's instruction to load it to that of the next type's. */
    private static final int VARIABLES = 4;

    /** The length of {@code aload_0, getfield, return}; a setter's is {@code aload_0, load_1, putfield, return}. */
    private static final int GETTER_LENGTH = 5;

    private static final int SETTER_LENGTH = 6;

    /** The lengths in bytes, by the code of the instruction; 0 for those whose length varies. */
    private static final byte[] LENGTHS = lengths();

    private static byte[] lengths() {
        byte[] lengths = new byte[256];
        Arrays.fill(lengths, (byte) 1);
        set(lengths, 2, 0x10, 0x12, 0xa9, 0xbc);
        Arrays.fill(lengths, 0x15, 0x1a, (byte) 2);
        Arrays.fill(lengths, 0x36, 0x3b, (byte) 2);
        set(lengths, 3, 0x11, 0x13, 0x14, IINC, 0xbb, 0xbd, 0xc0, 0xc1, 0xc6, 0xc7);
        Arrays.fill(lengths, 0x99, 0xa9, (byte) 3);
        Arrays.fill(lengths, 0xb2, 0xb9, (byte) 3);
        set(lengths, 4, 0xc5);
        set(lengths, 5, 0xb9, 0xba, 0xc8, 0xc9);
        set(lengths, 0, TABLESWITCH, LOOKUPSWITCH, WIDE);
        return lengths;
    }

    private static void set(byte[] lengths, int length, int... codes) {
        for (int code : codes) {
            lengths[code] = (byte) length;
        }
    }

    static MethodCode read(byte[] bytes, int begin, int length, Constants constants) throws IOException {
        List<Access> accesses = new ArrayList<>();
        int previous = -1;
        boolean hasBranched = false;
        int end = begin + length;
        int at = begin;
        while (at < end) {
            int code = bytes[at] & 0xff;
            int next = at + instructionLength(bytes, begin, at, end);
            if (next <= at || next > end) {
                throw new IOException("code that ends within an instruction");
            }
            if (code >= GETFIELD && code <= INVOKESTATIC) {
                String[] reference = constants.reference((bytes[at + 1] & 0xff) << 8 | bytes[at + 2] & 0xff);
                Use use = code == GETFIELD ? Use.READ : code == PUTFIELD ? Use.WRITE : Use.CALL;
                // Another value may come from where the code has branched, as that of a conditional expression.
                boolean ofZero = isZero(previous) && !hasBranched;
                accesses.add(new Access(use, reference[0], reference[1], reference[2], ofZero));
            }
            hasBranched |= isBranch(code);
            previous = code;
            at = next;
        }
        return accesses.isEmpty() ? NONE : new MethodCode(List.copyOf(accesses), isAccessor(bytes, begin, length));
    }

    private static boolean isZero(int code) {
        return code == ACONST_NULL || code == ICONST_0 || code == LCONST_0 || code == FCONST_0 || code == DCONST_0;
    }

    private static boolean isBranch(int code) {
        return code >= IFEQ && code <= LOOKUPSWITCH || code >= IFNULL && code <= JSR_W;
    }

    private static int instructionLength(byte[] bytes, int begin, int at, int end) {
        int code = bytes[at] & 0xff;
        if (LENGTHS[code] > 0) {
            return LENGTHS[code];
        }
        if (code == WIDE) {
            return at + 1 < end && (bytes[at + 1] & 0xff) == IINC ? 6 : 4;
        }
        int padded = at + 1 + (3 - (at - begin) % 4);
        if (padded + 3 * Integer.BYTES > end) {
            return -1;
        }
        long first = number(bytes, padded + Integer.BYTES);
        long entries = code == LOOKUPSWITCH ? 2 * first : number(bytes, padded + 2 * Integer.BYTES) - first + 1;
        long length = padded - at + (code == LOOKUPSWITCH ? 2L : 3L) * Integer.BYTES + entries * Integer.BYTES;
        return entries < 0 || length > end - at ? -1 : (int) length;
    }

    private static long number(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 24
                | (bytes[at + 1] & 0xff) << 16
                | (bytes[at + 2] & 0xff) << 8
                | bytes[at + 3] & 0xff;
    }

    private static boolean isAccessor(byte[] bytes, int begin, int length) {
        if (length < GETTER_LENGTH || (bytes[begin] & 0xff) != ALOAD_0) {
            return false;
        }
        int last = bytes[begin + length - 1] & 0xff;
        if (length == GETTER_LENGTH) {
            return (bytes[begin + 1] & 0xff) == GETFIELD && last >= IRETURN && last <= ARETURN;
        }
        int load = bytes[begin + 1] & 0xff;
        boolean setsParameter = load >= ILOAD_1 && load <= ALOAD_1 && (load - ILOAD_1) % VARIABLES == 0;
        boolean returnsThis = last == ARETURN && (bytes[begin + length - 2] & 0xff) == ALOAD_0;
        return setsParameter
                && (bytes[begin + 2] & 0xff) == PUTFIELD
                && (length == SETTER_LENGTH && last == RETURN || length == SETTER_LENGTH + 1 && returnsThis);
    }
}
