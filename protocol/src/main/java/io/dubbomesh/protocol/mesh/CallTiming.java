package io.dubbomesh.protocol.mesh;

import io.dubbomesh.protocol.Attachments;
import io.netty.buffer.ByteBuf;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * The attachment {@code :timing} of a RESPONSE to a call that its provider has answered: how many nanoseconds it waited
 * in the provider agent's queue, how many it was at the provider, and the provider's address, as {@code 1500 50123456
 * 127.0.0.1:20880}. Reused, so that neither side allocates anything for it; owned by one event loop.
 */
public final class CallTiming {
    private static final byte[] KEY = Attachments.TIMING.getBytes(US_ASCII);
    private static final int VALUE = Short.BYTES + KEY.length + Short.BYTES;
    /** A longer address is none. */
    private static final int MAX_ADDRESS = 300;

    private final StringBuilder value = new StringBuilder();
    private long queueNs;
    private long providerNs;
    private String provider;

    /** Makes a timing to be read into. */
    public CallTiming() {
        this("");
    }

    /** Makes the timing of calls of this provider, to be written. */
    public CallTiming(String provider) {
        this.provider = provider;
    }

    /** Sets the times to be written. */
    public CallTiming set(long queueNs, long providerNs) {
        value.setLength(0);
        value.append(Math.max(0, queueNs)).append(' ').append(Math.max(0, providerNs));
        value.append(' ').append(provider);
        return this;
    }

    /** Bytes of the attachment as a whole. */
    public int length() {
        return VALUE + value.length();
    }

    /**
     * Puts the attachment in front of others: {@code out} has {@link #length} bytes to be overwritten at
     * {@code offset}, and behind them the body of a RESPONSE, which begins with the length of its attachments.
     * Afterwards the body begins at {@code offset}.
     */
    public void insert(ByteBuf out, int offset) {
        int others = out.getUnsignedShort(offset + length());
        out.setShort(offset, length() + others);
        int at = offset + Short.BYTES;
        out.setShort(at, KEY.length);
        out.setBytes(at + Short.BYTES, KEY);
        out.setShort(at + Short.BYTES + KEY.length, value.length());
        out.setCharSequence(at + VALUE, value, US_ASCII);
    }

    /**
     * Reads the attachment from the block {@code in[offset, offset + length)}; false if there is none that is
     * well-formed, and then the rest is undefined.
     */
    public boolean read(ByteBuf in, int offset, int length) {
        int at = Attachments.find(in, offset, length, KEY);
        return at >= 0 && readValue(in, at, at + in.getUnsignedShort(at - Short.BYTES));
    }

    private boolean readValue(ByteBuf in, int offset, int end) {
        int queueEnd = numberEnd(in, offset, end);
        int providerEnd = numberEnd(in, queueEnd + 1, end);
        int address = providerEnd + 1;
        if (queueEnd == offset || providerEnd == queueEnd + 1 || address >= end || end - address > MAX_ADDRESS) {
            return false;
        }
        queueNs = number(in, offset, queueEnd);
        providerNs = number(in, queueEnd + 1, providerEnd);
        if (!isProvider(in, address, end - address)) {
            provider = in.toString(address, end - address, US_ASCII);
        }
        return true;
    }

    /** Returns the end of the number that begins at {@code offset}: a space, or {@code offset} where there is none. */
    private static int numberEnd(ByteBuf in, int offset, int end) {
        int at = offset;
        while (at < end && in.getByte(at) >= '0' && in.getByte(at) <= '9') {
            at++;
        }
        // So many digits have no meaning, and do not fit.
        boolean number = at < end && in.getByte(at) == ' ' && at - offset <= 18;
        return number ? at : offset;
    }

    private static long number(ByteBuf in, int offset, int end) {
        long number = 0;
        for (int at = offset; at < end; at++) {
            number = number * 10 + in.getByte(at) - '0';
        }
        return number;
    }

    private boolean isProvider(ByteBuf in, int offset, int length) {
        if (length != provider.length()) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (in.getByte(offset + i) != provider.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the time in the queue of the provider agent. */
    public long queueNs() {
        return queueNs;
    }

    /** Returns the time from when the call could be sent to the provider until its answer was read. */
    public long providerNs() {
        return providerNs;
    }

    /** Returns the provider's address. The same string, as long as it does not change. */
    public String provider() {
        return provider;
    }
}
