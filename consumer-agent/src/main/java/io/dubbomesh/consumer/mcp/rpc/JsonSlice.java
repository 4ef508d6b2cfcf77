package io.dubbomesh.consumer.mcp.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A value of a JSON document, as its bytes stand there: what is passed on keeps every digit. Valid as long as the
 * document is.
 *
 * @param offset of its first byte in the document's buffer
 */
public record JsonSlice(ByteBuf in, int offset, int length) {
    public void writeTo(ByteBuf out) {
        out.writeBytes(in, offset, length);
    }

    /** Returns the same value in bytes of its own, which stay valid. */
    public JsonSlice copy() {
        return new JsonSlice(Unpooled.wrappedBuffer(ByteBufUtil.getBytes(in, offset, length)), 0, length);
    }

    public String text() {
        return in.toString(offset, length, UTF_8);
    }
}
