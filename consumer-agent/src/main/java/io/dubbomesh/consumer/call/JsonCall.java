package io.dubbomesh.consumer.call;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.key.CallKey;
import io.dubbomesh.consumer.text.Words;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A call in the JSON interface: the names in its target and header fields, the arguments as its body. Reused from
 * request to request by one event loop; what it says is valid until the next {@link #parse} and as long as the body is.
 */
final class JsonCall implements ParsedCall.ArgumentSource {
    private static final byte[] NULL = "null".getBytes(US_ASCII);

    private final TargetNames names = new TargetNames();
    private ByteBuf in = Unpooled.EMPTY_BUFFER;
    private int offset;
    private int length;

    /** @throws CallException BAD_REQUEST if the name of a method to be described is malformed */
    void parse(HttpRequestParser request, CallTarget target, CallHeaders headers) throws CallException {
        boolean calls = request.method().equals(CallTarget.POST);
        boolean isOfMethod = target.kind() == CallTarget.Kind.METHOD;
        names.gather(request.target(), target, headers, calls && isOfMethod);
        if (isOfMethod && !calls) {
            describe(request.target(), target);
            return;
        }
        in = request.body();
        offset = request.bodyOffset();
        length = isOfMethod ? request.bodyLength() : 0;
    }

    /** Makes the arguments of a description: the name of the one method. */
    private void describe(ByteBuf of, CallTarget target) throws CallException {
        int begin = target.methodOffset();
        String name = SpelledNames.decoded(of, begin, target.methodLength(), '%', "path: method");
        in = Unpooled.copiedBuffer(
                "[\"" + new String(JsonStringEncoder.getInstance().quoteAsString(name)) + "\"]", UTF_8);
        offset = 0;
        length = in.readableBytes();
    }

    /** Sets the arguments alone, all of which is readable. */
    void set(ByteBuf arguments) {
        in = arguments;
        offset = arguments.readerIndex();
        length = arguments.readableBytes();
    }

    TargetNames names() {
        return names;
    }

    /**
     * Appends the arguments as the bytes of one JSON array: the body itself if it is one, else the body as its only
     * element, or, where it is blank, as none. Whether it is JSON is found out where its values are needed.
     *
     * @throws CallException BAD_REQUEST if it would be more than one element
     */
    @Override
    public void writeArguments(ByteBuf out) throws CallException {
        if (isArray()) {
            out.writeBytes(in, offset, length);
        } else {
            requireOneValue();
            out.writeByte('[').writeBytes(in, offset, length).writeByte(']');
        }
    }

    private boolean isArray() {
        return begins('[');
    }

    /** Returns whether the body is an object, which may have the arguments by name. */
    boolean isObject() {
        return begins('{');
    }

    private boolean begins(char bracket) {
        int end = offset + length;
        int at = afterBlanks(offset, end);
        return at < end && in.getByte(at) == bracket;
    }

    /**
     * Checks that the body is one value: the brackets around it would give another meaning to what stands outside of a
     * value, and would end what has no end. The rest is left to the provider agent, which reads the values.
     */
    private void requireOneValue() throws CallException {
        int depth = 0;
        boolean quoted = false;
        boolean begun = false;
        boolean ended = false;
        int end = offset + length;
        for (int at = offset; at < end; at++) {
            byte b = in.getByte(at);
            if (isBlank(b)) {
                ended |= begun && depth == 0;
                continue;
            }
            if (ended || depth == 0 && (b == ',' || b == ']' || b == '}')) {
                throw new CallException(
                        Outcome.BAD_REQUEST,
                        "body: not one JSON value (expected: an array of the arguments, or the only one)");
            }
            begun = true;
            if (b == '"') {
                at = endOfString(at + 1, end);
                quoted = at == end;
                ended = depth == 0;
            } else if (b == '[' || b == '{') {
                depth++;
            } else if (b == ']' || b == '}') {
                depth--;
                ended = depth == 0;
            }
        }
        if (quoted || depth > 0) {
            throw new CallException(
                    Outcome.BAD_REQUEST,
                    "body: malformed JSON: it ends within " + (quoted ? "a string" : "an object or array"));
        }
    }

    @Override
    public long hash(int index) {
        int end = offset + length;
        int at = afterBlanks(offset, end);
        if (!isArray()) {
            return index == 0 ? hash(at, end) : CallKey.NONE;
        }
        int valueEnd = at;
        for (int i = 0; i <= index; i++) {
            if (i > 0 && (valueEnd == end || in.getByte(valueEnd) != ',')) {
                return CallKey.NONE;
            }
            at = afterBlanks(valueEnd + 1, end);
            valueEnd = valueEnd(at, end);
        }
        return hash(at, valueEnd);
    }

    private int afterBlanks(int at, int end) {
        while (at < end && isBlank(in.getByte(at))) {
            at++;
        }
        return at;
    }

    /** Returns the index of what ends the element of an array that begins at {@code at}. */
    private int valueEnd(int at, int end) {
        int depth = 0;
        for (; at < end; at++) {
            byte b = in.getByte(at);
            if (b == '"') {
                at = endOfString(at + 1, end);
            } else if (b == '[' || b == '{') {
                depth++;
            } else if (depth == 0 && (b == ',' || b == ']')) {
                return at;
            } else if (b == ']' || b == '}') {
                depth--;
            }
        }
        return end;
    }

    /**
     * Returns the index of the quote that ends a string of which {@code at} is the first byte; {@code end} if there is
     * none. Strings are what makes large arguments large: quotes are searched for by eight bytes at once.
     */
    private int endOfString(int at, int end) {
        for (int from = at; from < end; ) {
            int quote = in.indexOf(from, end, (byte) '"');
            if (quote < 0) {
                return end;
            }
            int escapes = 0;
            while (quote - escapes > from && in.getByte(quote - escapes - 1) == '\\') {
                escapes++;
            }
            if (escapes % 2 == 0) {
                return quote;
            }
            from = quote + 1;
        }
        return end;
    }

    private long hash(int at, int end) {
        while (end > at && isBlank(in.getByte(end - 1))) {
            end--;
        }
        if (end - at == NULL.length && Words.equal(in, at, NULL, 0, NULL.length)) {
            return CallKey.NONE;
        }
        boolean isText = end - at >= 2 && in.getByte(at) == '"' && in.getByte(end - 1) == '"';
        return isText ? CallKey.hash(in, at + 1, end - 1) : CallKey.hash(in, at, end);
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    @Override
    public int length() {
        return length;
    }
}
