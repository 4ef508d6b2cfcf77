package io.dubbomesh.protocol.value;

import io.netty.buffer.ByteBuf;

/**
 * Reads values of some format in place, token by token: {@link #peek} tells what comes next, and the methods of that
 * {@link Token} read it. The counterpart of {@link ValueWriter}. No class is loaded, and no length is used before it
 * was compared with the bytes that are there.
 *
 * <p>A value may be read again: {@link #seek} goes back to a {@link #position} at which a value has begun. Parts of a
 * value may be read in any order once the value was read or skipped from its beginning. Reused; owned by one thread.
 */
public interface ValueReader {
    /** The kind of the next token. */
    enum Token {
        NULL,
        BOOLEAN,
        /** An integer of up to 64 bits. */
        WHOLE,
        DOUBLE,
        /** Any other number. */
        NUMBER,
        TEXT,
        BINARY,
        /** A date, a time, or both, as ISO 8601. */
        TIME,
        LIST,
        /** Keys and values; also the fields of an object by their names. */
        MAP,
        /** The fields of an object, in the order of its class's names. */
        OBJECT,
        /** An object that stands for the one value in it. */
        WRAPPER,
        /** An object that stands for the numbers of the bits that are set in a list of words of 64 bits in it. */
        BITS,
        /** An object that stands for a map: the keys are in one list in it, the values in another. */
        ENTRIES,
        /** A value that is written elsewhere. */
        REFERENCE
    }

    /**
     * Begins {@code in[offset, offset + length)}, which is only read and must not change meanwhile.
     *
     * @throws MalformedValueException if that is no text of a format that is text
     */
    void reset(ByteBuf in, int offset, int length) throws MalformedValueException;

    boolean isAtEnd();

    /** Returns what comes next, after reading what stands in front of it, as the name of a class. */
    Token peek() throws MalformedValueException;

    /** Returns the absolute index at which the value that comes next begins. */
    int position();

    /** Goes to the beginning of a value. */
    void seek(int position);

    /**
     * Begins a value of its own: references in it, and in its parts, lead to its parts. Needed once for each value that
     * is no part of another.
     */
    void beginValue();

    /** Skips one value with its parts; a reference is not followed. */
    void skip() throws MalformedValueException;

    /**
     * Returns the class that the value after {@link #peek} names; null if it names none. Not for an {@link
     * Token#OBJECT}.
     */
    String className() throws MalformedValueException;

    /** Returns whether a value names its class where that is not the declared one. */
    default boolean namesClasses() {
        return true;
    }

    /** Writes a scalar, which is any value up to {@link Token#TIME}, as it is without a declared type. */
    void writeScalar(JsonWriter json) throws MalformedValueException;

    /** Reads a {@link Token#WHOLE}. */
    long readWhole() throws MalformedValueException;

    /** Reads a {@link Token#DOUBLE}. */
    double readDouble() throws MalformedValueException;

    /** Reads the first {@code maxChars} chars, or more, of a {@link Token#TEXT}. */
    String readText(int maxChars) throws MalformedValueException;

    /**
     * Reads a {@link Token#TIME}.
     *
     * @param json is charged for what is read again
     */
    String readTime(JsonWriter json) throws MalformedValueException;

    /** Appends a {@link Token#TEXT} as UTF-8. */
    void copyText(ByteBuf out) throws MalformedValueException;

    /** Appends a {@link Token#BINARY}. */
    void copyBinary(ByteBuf out) throws MalformedValueException;

    /** Returns whether the {@link Token#TEXT} that comes next is this one, which is ASCII. */
    boolean isText(String ascii) throws MalformedValueException;

    /**
     * Returns the offset of the UTF-8 of the text that was skipped last and is at this position; it ends where the text
     * does. -1 if it is not there in one piece.
     */
    default int utf8Of(int position) {
        return -1;
    }

    /** Begins a {@link Token#LIST}; returns what {@link #hasElement} takes. */
    int beginList() throws MalformedValueException;

    /** Returns whether an element comes next; if none does, the list ends. */
    boolean hasElement(int index, int list) throws MalformedValueException;

    /** Begins a {@link Token#MAP}. */
    void beginMap() throws MalformedValueException;

    /** Returns whether a key comes next, and a value after {@link #endKey}; if none does, the map ends. */
    boolean hasEntry(int index) throws MalformedValueException;

    /** Called between a key and its value. */
    default void endKey() throws MalformedValueException {}

    /**
     * Writes a {@link Token#MAP} that is the fields of a date or time of {@code java.time}.
     *
     * @return false, with nothing read or written, if this format has no such objects of this class
     */
    default boolean writeTime(String className, JsonWriter json) throws MalformedValueException {
        return false;
    }

    /** Reads a reference; returns the position of its target. */
    int readReference() throws MalformedValueException;

    /** Returns whether objects are {@linkplain #objects apart} from maps. */
    default boolean hasObjects() {
        return false;
    }

    /** Reads objects, see {@link Token#OBJECT} and the tokens behind it, which not every format has. */
    default ObjectReader objects() {
        throw new IllegalStateException("this format has no objects");
    }

    /** Returns the time that is charged for what takes long to be read, here and by the writer of its JSON. */
    ReadingTime time();

    /** Returns the error of something that is malformed at the current position. */
    MalformedValueException malformed(String detail);
}
