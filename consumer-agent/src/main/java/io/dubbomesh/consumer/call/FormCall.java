package io.dubbomesh.consumer.call;

import io.dubbomesh.consumer.http.HttpLimits;
import io.dubbomesh.consumer.key.CallKey;
import io.dubbomesh.consumer.text.PercentText;
import io.dubbomesh.consumer.text.Words;
import io.dubbomesh.protocol.CallException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A call in the form interface: where its fields stand in the body, found in one pass and copied at most once. Reused
 * from request to request by one event loop; what it says is valid until the next {@link #parse} and as long as the
 * body is.
 */
public final class FormCall implements ParsedCall.ArgumentSource {
    private static final int PARAMETER = FormNames.COUNT;
    private static final int UNKNOWN = PARAMETER + 1;

    private static final byte[] INTERFACE_BYTES = "interface".getBytes(UTF_8);
    private static final byte[] METHOD_BYTES = "method".getBytes(UTF_8);
    private static final byte[] DESCRIPTOR_BYTES = "parameterTypesString".getBytes(UTF_8);
    private static final byte[] VERSION_BYTES = "version".getBytes(UTF_8);
    private static final byte[] GROUP_BYTES = "group".getBytes(UTF_8);
    private static final byte[] PARAMETER_BYTES = "parameter".getBytes(UTF_8);

    /** The longest known name with every character escaped; what is longer is unknown without a look at it. */
    private static final int MAX_ESCAPED_NAME = 3 * DESCRIPTOR_BYTES.length;

    /** Ampersand, percent and plus are below this; letters, digits and nearly all that is never escaped are not. */
    private static final long DASHES = Words.of('-');

    private static final long AMPERSANDS = Words.of('&');
    private static final long ESCAPES = Words.of('%');
    private static final long SPACES = Words.of('+');

    private final FormNames names = new FormNames();
    private final int[] parameterOffsets;
    private final int[] parameterLengths;
    /** Whether the raw bytes are the text, that is ASCII and nothing of it escaped. */
    private final boolean[] parameterPlain;

    private final ByteBuf scratch = Unpooled.buffer(MAX_ESCAPED_NAME);

    private ByteBuf in = Unpooled.EMPTY_BUFFER;
    private int length;
    private int parameterCount;
    /** Whether the value that {@link #valueEnd} went over is plain. */
    private boolean plain;

    /** @param maxFields more than these, known or not, make a form malformed */
    public FormCall(int maxFields) {
        parameterOffsets = new int[maxFields];
        parameterLengths = new int[maxFields];
        parameterPlain = new boolean[maxFields];
    }

    /**
     * Finds the fields of the form {@code body[offset, offset + length)}, whose bytes must stay as they are for as long
     * as the other methods are called.
     *
     * @throws CallException BAD_REQUEST if a field is missing, given twice or malformed, or if there are too many
     */
    public void parse(ByteBuf body, int offset, int length) throws CallException {
        in = body;
        this.length = length;
        parameterCount = 0;
        names.clear(body, offset);
        int end = offset + length;
        int fields = 0;
        for (int at = offset; at < end; ) {
            if (fields++ == parameterOffsets.length) {
                throw SpelledNames.bad("form: more than " + parameterOffsets.length + " fields");
            }
            int nameEnd = Words.firstOf(body, at, end, '=', '&');
            boolean hasValue = nameEnd < end && body.getByte(nameEnd) == '=';
            int value = hasValue ? nameEnd + 1 : nameEnd;
            int valueEnd = valueEnd(value, end);
            field(at, nameEnd, value, valueEnd);
            at = valueEnd + 1;
        }
        names.check();
    }

    /**
     * Returns the index of the next ampersand or {@code end}, and {@link #plain} says whether all before it is plain.
     */
    private int valueEnd(int at, int end) {
        long encoded = 0;
        for (; end - at >= Long.BYTES; at += Long.BYTES) {
            long word = in.getLongLE(at);
            if (((word - DASHES | word) & Words.HIGH_BITS) == 0) {
                continue;
            }
            long here = Words.marks(word, ESCAPES) | Words.marks(word, SPACES) | word & Words.HIGH_BITS;
            long ampersands = Words.marks(word, AMPERSANDS);
            if (ampersands != 0) {
                long before = Long.lowestOneBit(ampersands) - 1;
                plain = (encoded | here & before) == 0;
                return at + Words.firstMark(ampersands);
            }
            encoded |= here;
        }
        for (; at < end; at++) {
            byte b = in.getByte(at);
            if (b == '&') {
                break;
            }
            if (b < 0 || b == '%' || b == '+') {
                encoded = 1;
            }
        }
        plain = encoded == 0;
        return at;
    }

    private void field(int name, int nameEnd, int value, int valueEnd) throws CallException {
        int field = known(in, name, nameEnd - name);
        if (field == UNKNOWN && nameEnd - name <= MAX_ESCAPED_NAME) {
            field = knownIfDecoded(name, nameEnd);
        }
        if (field == UNKNOWN) {
            return;
        }
        if (field == PARAMETER) {
            parameterOffsets[parameterCount] = value;
            parameterLengths[parameterCount] = valueEnd - value;
            parameterPlain[parameterCount] = plain;
            parameterCount++;
            return;
        }
        names.set(field, value, valueEnd);
    }

    private static int known(ByteBuf in, int at, int length) {
        return switch (length) {
            case 5 -> is(in, at, GROUP_BYTES) ? FormNames.GROUP : UNKNOWN;
            case 6 -> is(in, at, METHOD_BYTES) ? FormNames.METHOD : UNKNOWN;
            case 7 -> is(in, at, VERSION_BYTES) ? FormNames.VERSION : UNKNOWN;
            case 9 ->
                is(in, at, PARAMETER_BYTES) ? PARAMETER : is(in, at, INTERFACE_BYTES) ? FormNames.INTERFACE : UNKNOWN;
            case 20 -> is(in, at, DESCRIPTOR_BYTES) ? FormNames.DESCRIPTOR : UNKNOWN;
            default -> UNKNOWN;
        };
    }

    private static boolean is(ByteBuf in, int at, byte[] name) {
        return Words.equal(in, at, name, 0, name.length);
    }

    private int knownIfDecoded(int name, int nameEnd) throws CallException {
        if (Words.firstOf(in, name, nameEnd, '%', '%') == nameEnd) {
            return UNKNOWN;
        }
        scratch.clear();
        String fault = PercentText.decode(in, name, nameEnd, scratch, '+');
        if (fault != PercentText.FINE) {
            throw SpelledNames.bad("form: a field's name: " + fault);
        }
        return known(scratch, 0, scratch.writerIndex());
    }

    /** Returns the five names of the method that is called. */
    public FormNames names() {
        return names;
    }

    public int parameterCount() {
        return parameterCount;
    }

    /**
     * Appends the parameters in order, each as a 32-bit length and its text in plain UTF-8.
     *
     * @throws CallException BAD_REQUEST if one is malformed; {@code out.writerIndex()} is then where it was
     */
    @Override
    public void writeArguments(ByteBuf out) throws CallException {
        int start = out.writerIndex();
        for (int i = 0; i < parameterCount; i++) {
            int offset = parameterOffsets[i];
            int length = parameterLengths[i];
            if (parameterPlain[i]) {
                out.writeInt(length).writeBytes(in, offset, length);
                continue;
            }
            int lengthOffset = out.writerIndex();
            out.writeInt(0);
            String fault = PercentText.decode(in, offset, offset + length, out, '+');
            if (fault != PercentText.FINE) {
                out.writerIndex(start);
                throw SpelledNames.bad("form: parameter " + (i + 1) + ": " + fault);
            }
            out.setInt(lengthOffset, out.writerIndex() - lengthOffset - Integer.BYTES);
        }
    }

    @Override
    public long hash(int index) {
        if (index >= parameterCount) {
            return CallKey.NONE;
        }
        int at = parameterOffsets[index];
        int end = at + parameterLengths[index];
        if (parameterPlain[index]) {
            return CallKey.hash(in, at, end);
        }
        ByteBuf text = end - at > HttpLimits.MAX_KEPT_CAPACITY ? Unpooled.buffer(end - at) : scratch;
        text.clear();
        // One that is malformed makes the call fail wherever it goes.
        return PercentText.decode(in, at, end, text, '+') == PercentText.FINE
                ? CallKey.hash(text, 0, text.writerIndex())
                : CallKey.NONE;
    }

    @Override
    public int length() {
        return length;
    }
}
