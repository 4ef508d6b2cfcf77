package io.dubbomesh.protocol.value;

import io.netty.buffer.ByteBuf;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Writes one value as JSON, token by token, at the end of a buffer, and holds the bounds that every value is written
 * within: how deep values are nested, how long the text becomes, and how much is written again because it is referred
 * to more than once. It writes the commas by itself. Reused from value to value; owned by one event loop, and its
 * caller releases the buffer.
 *
 * <p>Written bare, a value that is a string is the text alone, without quotes and escapes; binary data keeps its
 * quotes.
 */
public final class JsonWriter {
    /** The bound of nested values. */
    public static final int MAX_DEPTH = 256;

    /** Bytes that may be read a second time for each byte of text that is allowed. */
    private static final int REREADS = 4;

    /**
     * Bytes of text that are allowed for each value that may be written because others refer to it. A few hundred bytes
     * can stand for 10^30 values; the bound on the text alone would let them take a tenth of a second. A list that
     * names an object of four fields a hundred thousand times stays within it where a text may have 8 MiB.
     */
    private static final int TEXT_PER_REPEATED = 8;

    /** The time of reading and writing a byte again that was read before. */
    private static final int NS_PER_REREAD_BYTE = 8;
    /**
     * The time of {@link BigInteger#toString()} for each word of 32 bits, and for each pair of words, in nanoseconds.
     */
    private static final int NS_PER_WORD = 150;

    private static final int NS_PER_WORD_PAIR = 1;
    /**
     * The time of {@link Double#toString(double)}, and that for each power of two in an exponent: it computes with so
     * many bits.
     */
    private static final int NS_PER_FRACTION = 100;

    private static final int NS_PER_EXPONENT = 1;

    private final int maxText;
    private final ReadingTime time;
    /** The offsets of the values that are being written, outermost first. */
    private final int[] open = new int[MAX_DEPTH];

    private ByteBuf out;
    private int limit;
    private long rereadsLeft;
    private int repeatedLeft;
    private int tokens;
    /** The bound of tokens, in force only while a reference is followed. */
    private int maxTokens;
    /** The number of references that are being followed, each within the one before. */
    private int following;

    private int depth;
    private boolean bare;
    /** Whether the next token is the first one, or the first after an opening bracket or a colon. */
    private boolean first;
    /** Bytes of binary data that do not yet make four digits, and how many. */
    private int bits;

    private int bitsCount;

    /**
     * @param maxText no value may become longer than this, in bytes
     * @param time    is charged for what takes long to be written
     */
    public JsonWriter(int maxText, ReadingTime time) {
        this.maxText = maxText;
        this.time = time;
    }

    /** Begins a value at the end of {@code out}; after a failure, the caller removes what was written. */
    public void begin(ByteBuf out, boolean bare) {
        this.out = out;
        this.bare = bare;
        limit = (int) Math.min(Integer.MAX_VALUE, (long) out.writerIndex() + maxText);
        rereadsLeft = (long) maxText * REREADS;
        repeatedLeft = maxText / TEXT_PER_REPEATED;
        tokens = 0;
        maxTokens = Integer.MAX_VALUE;
        following = 0;
        depth = 0;
        first = true;
    }

    /** Ends the value. */
    public void end() throws MalformedValueException {
        requireRoom(0);
    }

    private void requireRoom(int length) throws MalformedValueException {
        if (out.writerIndex() > limit - length) {
            throw tooLong();
        }
    }

    private MalformedValueException tooLong() {
        return new MalformedValueException("more than " + maxText + " bytes of text");
    }

    /** Notes that the value at this position of the input is being written, until {@link #close}. */
    public void open(int position) throws MalformedValueException {
        if (depth == MAX_DEPTH) {
            throw tooDeep();
        }
        open[depth++] = position;
    }

    public void close() {
        depth--;
    }

    public static MalformedValueException tooDeep() {
        return new MalformedValueException("more than " + MAX_DEPTH + " values in each other");
    }

    /** Requires that the value at this position, to which a reference leads, is not being written. */
    public void requireNotOpen(int target) throws MalformedValueException {
        for (int i = 0; i < depth; i++) {
            if (open[i] == target) {
                throw containsItself();
            }
        }
    }

    public static MalformedValueException containsItself() {
        return new MalformedValueException("a value that contains itself");
    }

    /** Begins a part, up to {@link #endReference}, that stands elsewhere in the input. */
    public void beginReference() {
        if (following++ == 0) {
            maxTokens = tokens + repeatedLeft;
        }
    }

    /** @param bytes of the input that were read again */
    public void endReference(int bytes) throws MalformedValueException {
        if (--following == 0) {
            repeatedLeft = maxTokens - tokens;
            maxTokens = Integer.MAX_VALUE;
        }
        chargeReread(bytes);
    }

    /** Charges bytes of the input that were read again. */
    public void chargeReread(int bytes) throws MalformedValueException {
        rereadsLeft -= bytes;
        if (rereadsLeft < 0) {
            throw tooManyRepeats();
        }
        time.charge((long) bytes * NS_PER_REREAD_BYTE);
    }

    private static MalformedValueException tooManyRepeats() {
        return new MalformedValueException("references that repeat their values more often than is allowed");
    }

    private void beginToken() throws MalformedValueException {
        ByteBuf out = this.out;
        if (first) {
            first = false;
        } else {
            out.writeByte(',');
        }
        if (out.writerIndex() > limit) {
            throw tooLong();
        }
        if (++tokens > maxTokens) {
            throw tooManyRepeats();
        }
    }

    public void beginArray() throws MalformedValueException {
        beginToken();
        bare = false;
        first = true;
        out.writeByte('[');
    }

    public void endArray() {
        first = false;
        out.writeByte(']');
    }

    /** Returns what {@link #restartAsArray} takes. */
    public int beginObject() throws MalformedValueException {
        beginToken();
        bare = false;
        first = true;
        out.writeByte('{');
        return out.writerIndex() - 1;
    }

    /** Ends a key: the string that was written last. */
    public void endKey() {
        first = true;
        out.writeByte(':');
    }

    public void endObject() {
        first = false;
        out.writeByte('}');
    }

    /** Removes the object that began there and begins an array in its place. */
    public void restartAsArray(int object) {
        out.writerIndex(object);
        first = true;
        out.writeByte('[');
    }

    public void writeNull() throws MalformedValueException {
        beginToken();
        JsonText.writeNull(out);
    }

    public void writeBoolean(boolean value) throws MalformedValueException {
        beginToken();
        JsonText.writeBoolean(out, value);
    }

    public void writeLong(long value) throws MalformedValueException {
        beginToken();
        JsonText.writeLong(out, value);
    }

    /** Writes a double; NaN and the infinities become strings. */
    public void writeDouble(double value) throws MalformedValueException {
        int mills = (int) Math.rint(value * 1000);
        // Up to three decimals need no library, which makes a new String of each.
        if (mills / 1000.0 == value && (mills != 0 || Double.doubleToRawLongBits(value) == 0)) {
            beginToken();
            JsonText.writeMills(out, mills);
        } else {
            chargeFraction(value);
            writeFraction(Double.isFinite(value), Double.toString(value));
        }
    }

    /** Writes a float; NaN and the infinities become strings. */
    public void writeFloat(float value) throws MalformedValueException {
        chargeFraction(value);
        writeFraction(Float.isFinite(value), Float.toString(value));
    }

    private void chargeFraction(double value) throws CostlyValueException {
        time.charge(NS_PER_FRACTION + Math.abs(Math.getExponent(value)) * NS_PER_EXPONENT);
    }

    private void writeFraction(boolean isFinite, String value) throws MalformedValueException {
        if (isFinite) {
            writeNumber(value);
        } else {
            writeText(value);
        }
    }

    public void writeBigInteger(BigInteger value) throws MalformedValueException {
        chargeBigInteger(value.bitLength() / Integer.SIZE + 1);
        writeNumber(value.toString());
    }

    public void writeBigDecimal(BigDecimal value) throws MalformedValueException {
        chargeBigInteger(value.unscaledValue().bitLength() / Integer.SIZE + 1);
        writeNumber(value.toString());
    }

    /** Charges a number of so many words of 32 bits that is going to be made text. */
    public void chargeBigInteger(int words) throws CostlyValueException {
        time.charge((long) words * (NS_PER_WORD + words * NS_PER_WORD_PAIR));
    }

    /** Writes a number that has been made text. */
    public void writeNumber(String number) throws MalformedValueException {
        beginToken();
        requireRoom(number.length());
        JsonText.writeAscii(out, number);
    }

    /** Writes a string. */
    public void writeText(String text) throws MalformedValueException {
        beginToken();
        requireRoom(text.length());
        if (bare) {
            text.codePoints().forEach(character -> Utf8.write(out, character));
        } else {
            JsonText.writeString(out, text);
        }
    }

    /** Copies a token that is JSON already. */
    public void writeToken(ByteBuf in, int at, int length) throws MalformedValueException {
        beginToken();
        requireRoom(length);
        out.writeBytes(in, at, length);
    }

    /** Replaces lone surrogates in a string of {@code length} bytes that was the last token to be copied. */
    public void replaceLoneSurrogates(int length) {
        JsonText.replaceLoneSurrogates(out, out.writerIndex() - length, length);
    }

    /** Copies a comma, a name in quotes and a colon; the comma is left out where none belongs. */
    public void writeName(ByteBuf in, int at, int length) {
        int skipped = first ? 1 : 0;
        first = true;
        out.writeBytes(in, at + skipped, length - skipped);
    }

    /** Begins a string whose characters the caller appends to {@link #out}, up to {@link #limit}. */
    public void beginString() throws MalformedValueException {
        beginToken();
        if (!bare) {
            out.writeByte('"');
        }
    }

    /** Returns the buffer to which a string or number is appended between its beginning and its end. */
    public ByteBuf out() {
        return out;
    }

    /** Returns the highest index that may be written to. */
    public int limit() {
        return limit;
    }

    /** Returns whether the characters of a string are to be escaped. */
    public boolean escapes() {
        return !bare;
    }

    public void endString() {
        if (!bare) {
            out.writeByte('"');
        }
    }

    /** Begins a number whose digits the caller appends to {@link #out}, up to {@link #limit}. */
    public void beginNumber() throws MalformedValueException {
        beginToken();
    }

    /** Begins binary data, which becomes base64. */
    public void beginBinary() throws MalformedValueException {
        beginToken();
        out.writeByte('"');
        bits = 0;
        bitsCount = 0;
    }

    public void appendBinary(ByteBuf in, int offset, int length) throws MalformedValueException {
        requireRoom(length / 3 * 4);
        int at = offset;
        int end = offset + length;
        while (at < end) {
            if (bitsCount == 0 && end - at >= 3) {
                JsonText.writeBase64(out, in.getUnsignedMedium(at), 3);
                at += 3;
            } else {
                appendByte(in.getUnsignedByte(at++));
            }
        }
    }

    private void appendByte(int value) {
        bits = bits << 8 | value;
        if (++bitsCount == 3) {
            JsonText.writeBase64(out, bits, 3);
            bits = 0;
            bitsCount = 0;
        }
    }

    public void endBinary() {
        if (bitsCount > 0) {
            JsonText.writeBase64(out, bits, bitsCount);
        }
        out.writeByte('"');
    }
}
