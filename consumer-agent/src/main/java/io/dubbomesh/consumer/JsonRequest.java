package io.dubbomesh.consumer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * A call in the JSON interface: the names in its target and header fields, the arguments as its body. Reused from request to request by one
 * event loop; what it says is valid until the next {@link #parse} and as long as the body is.
 */
final class JsonRequest {
    private final TargetNames names = new TargetNames();
    private ByteBuf in = Unpooled.EMPTY_BUFFER;
    private int offset;
    private int length;

    void parse(HttpRequestParser request) {
        names.gather(request);
        in = request.body();
        offset = request.bodyOffset();
        length = request.path().kind() == RequestPath.Kind.METHOD ? request.bodyLength() : 0;
    }

    TargetNames names() {
        return names;
    }

    /**
     * Appends the arguments as the bytes of one JSON array: the body itself if it is one, else the body as its only element, or, where it is
     * blank, as none. The body is not parsed; whether it is JSON is found out where its values are needed.
     */
    void writeArguments(ByteBuf out) {
        if (isArray()) {
            out.writeBytes(in, offset, length);
        } else {
            out.writeByte('[').writeBytes(in, offset, length).writeByte(']');
        }
    }

    private boolean isArray() {
        int at = offset;
        int end = offset + length;
        while (at < end && isBlank(in.getByte(at))) {
            at++;
        }
        return at < end && in.getByte(at) == '[';
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }
}
