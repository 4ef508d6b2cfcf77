package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.ReadingTime;
import io.dubbomesh.protocol.value.ValueReader;
import io.netty.buffer.ByteBuf;

/**
 * The body of a Dubbo response in one serialization: up to three values, which are the result's type, its value and its
 * attachments, or an error's text. Hessian has one value behind the other; fastjson2 the length of each in four bytes
 * in front of it; fastjson each on a line. Reused; owned by one thread.
 */
final class ResultParts {
    private final Serialization serialization;
    private final ValueReader values;
    private ByteBuf in;
    private int next;
    private int end;

    ResultParts(Serialization serialization, ReadingTime time) {
        this.serialization = serialization;
        values = serialization.newReader(time);
    }

    /** Reads the value that {@link #next} has begun. */
    ValueReader values() {
        return values;
    }

    void begin(ByteBuf in, int offset, int length) throws MalformedValueException {
        this.in = in;
        next = offset;
        end = offset + length;
        if (serialization == Serialization.HESSIAN2) {
            values.reset(in, offset, length);
        }
    }

    /** Goes to the next value. */
    void next() throws MalformedValueException {
        switch (serialization) {
            case HESSIAN2 -> {}
            case FASTJSON2 -> {
                int length = end - next < Integer.BYTES ? -1 : in.getInt(next);
                next += Integer.BYTES;
                if (length < 0 || length > end - next) {
                    throw new MalformedValueException("ends within the result");
                }
                values.reset(in, next, length);
                next += length;
            }
            case FASTJSON -> {
                if (next >= end) {
                    throw new MalformedValueException("ends within the result");
                }
                int line = in.bytesBefore(next, end - next, (byte) '\n');
                int length = line < 0 ? end - next : line;
                values.reset(in, next, length);
                next += length + 1;
            }
        }
    }

    /** Skips a value that {@link #next} has begun, if its end is found only by reading. */
    void skip() throws MalformedValueException {
        if (serialization == Serialization.HESSIAN2) {
            values.skip();
        }
    }

    /** Returns the position of {@link #next}. */
    int position() {
        return serialization == Serialization.HESSIAN2 ? values.position() : next;
    }

    /** Goes back to a {@link #position}. */
    void seek(int position) {
        if (serialization == Serialization.HESSIAN2) {
            values.seek(position);
        }
        next = position;
    }

    /** @throws MalformedValueException if there is more than one value where one is expected */
    void endValue() throws MalformedValueException {
        if (serialization != Serialization.HESSIAN2 && !values.isAtEnd()) {
            throw new MalformedValueException("bytes after a value");
        }
    }

    /** @throws MalformedValueException if there is another value */
    void end() throws MalformedValueException {
        if (position() < end) {
            throw new MalformedValueException("bytes after the result");
        }
    }
}
