package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;

/** Turns a provider's answers into mesh response bodies. Reused from call to call; owned by one event loop. */
public final class DubboResponseReader {

    /**
     * Reads the Dubbo frame that starts at {@code offset} and is wholly in {@code in}, and appends to {@code out} the body of a mesh
     * RESPONSE: 16-bit length of the attachments, the attachments, the document (a value as text or JSON, or a problem document).
     * Whatever the bytes are, it returns an outcome and never throws; the frame's own length bounds what is read.
     *
     * @param in   only read, by absolute index, never released
     * @param text whether a scalar is written as plain text (form interface) or as JSON
     */
    public Outcome read(ByteBuf in, int offset, boolean text, ByteBuf out) {
        throw new UnsupportedOperationException();
    }
}
