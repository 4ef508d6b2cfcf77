package io.dubbomesh.protocol;

import io.netty.buffer.ByteBuf;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * The value of {@code traceparent}, which says of which trace a request is a part (W3C Trace Context), read and written
 * in place. All digits are hexadecimal and lower case.
 * <pre>
 *   00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
 *   version  trace id                   id of the caller's span   flags, of which bit 0 says that the trace is sampled
 * </pre>
 * Of a later version, which may be longer, this much is read. Reused; owned by one event loop.
 */
public final class TraceParent {
    /** The name of the header field and of the attachment. */
    public static final String NAME = "traceparent";

    /** The length of version 00, the one that is written. */
    public static final int LENGTH = 55;

    /** Digits of the id of a trace. */
    public static final int TRACE_ID_LENGTH = 32;

    private static final int SAMPLED = 0x01;

    private static final int TRACE_ID = 3;
    private static final int LONG_DIGITS = 16;
    private static final int SPAN_ID = TRACE_ID + TRACE_ID_LENGTH + 1;
    private static final int FLAGS = SPAN_ID + LONG_DIGITS + 1;
    private static final int INVALID_VERSION = 0xff;
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(US_ASCII);

    private long traceIdHigh;
    private long traceIdLow;
    private long spanId;
    private int flags;
    /** Whether something other than a digit was read. */
    private boolean malformed;

    /** Reads {@code in[offset, offset + length)}. False if it is not valid: then it counts as absent. */
    public boolean read(ByteBuf in, int offset, int length) {
        if (length < LENGTH) {
            return false;
        }
        malformed = false;
        int version = (int) number(in, offset, 2);
        traceIdHigh = number(in, offset + TRACE_ID, LONG_DIGITS);
        traceIdLow = number(in, offset + TRACE_ID + LONG_DIGITS, LONG_DIGITS);
        spanId = number(in, offset + SPAN_ID, LONG_DIGITS);
        flags = (int) number(in, offset + FLAGS, 2);
        boolean ends = length == LENGTH || version > 0 && in.getByte(offset + LENGTH) == '-';
        return !malformed
                && ends
                && version != INVALID_VERSION
                && in.getByte(offset + TRACE_ID - 1) == '-'
                && in.getByte(offset + SPAN_ID - 1) == '-'
                && in.getByte(offset + FLAGS - 1) == '-'
                && (traceIdHigh != 0 || traceIdLow != 0)
                && spanId != 0;
    }

    private long number(ByteBuf in, int at, int digits) {
        long number = 0;
        for (int i = 0; i < digits; i++) {
            int digit = digit(in.getByte(at + i));
            malformed |= digit < 0;
            number = number << 4 | digit;
        }
        return number;
    }

    private static int digit(byte character) {
        if (character >= '0' && character <= '9') {
            return character - '0';
        }
        return character >= 'a' && character <= 'f' ? character - 'a' + 10 : -1;
    }

    public long traceIdHigh() {
        return traceIdHigh;
    }

    public long traceIdLow() {
        return traceIdLow;
    }

    /** Returns the id of the caller's span. */
    public long spanId() {
        return spanId;
    }

    public boolean isSampled() {
        return (flags & SAMPLED) != 0;
    }

    /** Appends one of version 00 whose trace is sampled. */
    public static void writeSampled(ByteBuf out, long traceIdHigh, long traceIdLow, long spanId) {
        int at = out.writerIndex();
        out.ensureWritable(LENGTH).writerIndex(at + LENGTH);
        out.setShort(at, '0' << 8 | '0').setByte(at + TRACE_ID - 1, '-');
        setTraceId(out, at + TRACE_ID, traceIdHigh, traceIdLow);
        out.setByte(at + SPAN_ID - 1, '-');
        setSpanId(out, at, spanId);
        out.setByte(at + FLAGS - 1, '-').setShort(at + FLAGS, '0' << 8 | '0' + SAMPLED);
    }

    /** Replaces the id of the caller's span in the one at {@code offset}. */
    public static void setSpanId(ByteBuf out, int offset, long spanId) {
        setDigits(out, offset + SPAN_ID, spanId);
    }

    /** Writes the 32 digits of a trace id over what is at {@code offset}. */
    public static void setTraceId(ByteBuf out, int offset, long traceIdHigh, long traceIdLow) {
        setDigits(out, offset, traceIdHigh);
        setDigits(out, offset + LONG_DIGITS, traceIdLow);
    }

    private static void setDigits(ByteBuf out, int at, long number) {
        for (int i = 0; i < LONG_DIGITS; i++) {
            out.setByte(at + i, DIGITS[(int) (number >>> 4 * (LONG_DIGITS - 1 - i)) & 0xf]);
        }
    }
}
