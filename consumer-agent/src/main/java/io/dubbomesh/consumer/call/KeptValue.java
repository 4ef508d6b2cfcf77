package io.dubbomesh.consumer.call;

import io.dubbomesh.consumer.http.HttpLimits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** A copy of a header field's value: when the body has arrived, the bytes of the head may be gone. */
final class KeptValue {
    private ByteBuf bytes = Unpooled.EMPTY_BUFFER;
    private boolean present;

    boolean isPresent() {
        return present;
    }

    void clear() {
        present = false;
        if (bytes.capacity() > HttpLimits.MAX_KEPT_CAPACITY) {
            bytes = Unpooled.EMPTY_BUFFER;
        }
    }

    void set(ByteBuf in, int offset, int length) {
        if (bytes.capacity() < length) {
            bytes = Unpooled.buffer(length);
        }
        bytes.clear().writeBytes(in, offset, length);
        present = true;
    }

    ByteBuf orNull() {
        return present ? bytes : null;
    }
}
