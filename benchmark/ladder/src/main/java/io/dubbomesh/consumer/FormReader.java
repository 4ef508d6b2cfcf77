package io.dubbomesh.consumer;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * The consumer agent's parsers of HTTP and of forms, for one connection. It stands in their package because they are the agent's inner
 * classes, and are not to be opened to everybody for the sake of a comparison.
 */
public final class FormReader implements AutoCloseable {
    public enum Result {
        /** Call again with more bytes behind those that are still readable. */
        NEED_DATA,
        /** Send 100 and call again. */
        CONTINUE,
        /** {@link #readCall} has it. */
        REQUEST,
        /** Answer {@link #failure()} and close. */
        FAILED
    }

    private static final int MAX_FIELDS = 32;

    private final HttpRequestParser parser;
    private final FormRequest form = new FormRequest(MAX_FIELDS);

    public FormReader(ByteBufAllocator allocator) {
        parser = new HttpRequestParser(HttpLimits.DEFAULTS, allocator);
    }

    /** Goes on with the bytes from {@code in.readerIndex()} and moves it behind what it is done with. */
    public Result parse(ByteBuf in) {
        return switch (parser.parse(in)) {
            case NEED_DATA -> Result.NEED_DATA;
            case CONTINUE -> Result.CONTINUE;
            case REQUEST -> Result.REQUEST;
            case FAILED -> Result.FAILED;
        };
    }

    public boolean keepAlive() {
        return parser.keepAlive() && !parser.isHttp10();
    }

    /** Appends the request's arguments to {@code out}, each a 32-bit length and UTF-8 text, and returns what is called. */
    public MethodName readCall(ByteBuf out) throws CallException {
        if (parser.rejection() != null) {
            throw new CallException(parser.rejection(), parser.rejectionDetail());
        }
        form.parse(parser.body(), parser.bodyOffset(), parser.bodyLength());
        MethodName name = form.names().decode();
        form.writeArguments(out);
        return name;
    }

    /** Why the bytes are no request. */
    public CallException failure() {
        return new CallException(parser.failure(), parser.detail());
    }

    @Override
    public void close() {
        parser.close();
    }
}
