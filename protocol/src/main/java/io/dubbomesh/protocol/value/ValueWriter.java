package io.dubbomesh.protocol.value;

import io.netty.buffer.ByteBuf;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;

/**
 * Writes a value, token by token, in some format.
 *
 * <p>Any method throws {@link IllegalArgumentException} for a value that the format cannot express, with a message for
 * the client that has sent it. What was written of the stream until then stays in the buffer and is of no use: the
 * caller that has begun it removes it, and calls {@link #reset} before the next. A writer that was not reset after a
 * failure may write anything.
 */
public interface ValueWriter {
    /** Begins a new stream of values at the end of {@code out}, which its caller releases. */
    ValueWriter reset(ByteBuf out);

    void writeNull();

    void writeBoolean(boolean value);

    void writeInt(int value);

    void writeLong(long value);

    /** Writes a double, also NaN and the infinities, which not every format has. */
    void writeDouble(double value);

    void writeBigInteger(BigInteger value);

    void writeBigDecimal(BigDecimal value);

    void writeString(CharSequence value);

    /**
     * Writes the UTF-8 text {@code in[offset, offset + length)} as a string.
     *
     * @throws MalformedValueException if it is not UTF-8
     */
    void writeUtf8(ByteBuf in, int offset, int length) throws MalformedValueException;

    void writeBinary(byte[] value);

    /** Writes a moment in milliseconds since 1970-01-01T00:00Z. */
    void writeDate(long epochMs);

    /**
     * Writes a date like {@link #writeDate(long)}, for a reader that needs an object of this class: {@link
     * java.util.Date} or a subclass, or Calendar.
     */
    default void writeDate(String className, long epochMs) {
        writeDate(epochMs);
    }

    /**
     * Writes a moment, date, time or span of {@code java.time}: one of LocalDate, LocalTime, LocalDateTime, Instant,
     * OffsetTime, OffsetDateTime, ZonedDateTime, ZoneId, ZoneOffset, Duration, Period, Year, YearMonth, MonthDay.
     */
    void writeTime(Object value);

    /**
     * Writes a value of a class of the JDK that one text stands for: {@code java.util.UUID}, Locale or Currency, or
     * {@code java.net.URI}.
     */
    default void writeText(String className, String text) {
        writeString(text);
    }

    /**
     * Called before a date, a time or a text of the JDK whose class the reader does not know from a declaration; for
     * formats that do not write it with the value.
     */
    default void nameClass(String className) {}

    /** Writes a constant of an enum. */
    void writeEnum(String className, String constant);

    /** Begins a list whose length is known only at its end; returns what {@link #endList} needs to know. */
    default int beginList() {
        return beginList(null);
    }

    /**
     * Begins a list, like {@link #beginList()}, that the reader is to convert to an object of this class; needed where
     * the reader has no declared type, as for the elements of another list.
     *
     * @param type a class, as {@code java.util.HashSet}, or an array, as {@code [int} or {@code [java.lang.String};
     *     null for none
     */
    int beginList(String type);

    void endList(int begin, int length);

    /** Begins a map; each entry is {@link #writeKey} and a value. */
    void beginMap();

    /**
     * Begins an object of this class, or a map of it; each field or entry is {@link #writeKey} and a value, and
     * {@link #endMap} ends it.
     */
    void beginMap(String className);

    /**
     * Begins an object of this record class; each component is {@link #writeComponentName} and a value, in any order,
     * and {@link #endRecord} ends it. A record is made by its constructor, so some formats have its components' names
     * before its values.
     */
    default void beginRecord(String className) {
        beginMap(className);
    }

    default void writeComponentName(String name) {
        writeKey(name);
    }

    /** @param componentNames those that were written, in order */
    default void endRecord(List<String> componentNames) {
        endMap();
    }

    /**
     * Returns whether a reader learns the class of an object from what {@link #beginMap(String)} writes, and not only
     * from declarations.
     */
    default boolean namesClasses() {
        return true;
    }

    /**
     * Returns whether a reader may know the fields of an object by other names than a class gives them, from
     * annotations.
     */
    default boolean isReadByAnnotations() {
        return false;
    }

    void writeKey(CharSequence key);

    /** Begins a key that is not text: the one value that is written up to {@link #endKey}. */
    default void beginKey() {}

    default void endKey() {}

    void endMap();
}
