package io.dubbomesh.benchmark.ladder;

import io.dubbomesh.protocol.MethodName;
import io.netty.buffer.ByteBuf;

/** What carries out a call: a connection to whoever is next on its way, or several of them. */
interface Callee {
    /**
     * Answers without fail, be it that there was no answer in time.
     *
     * @param in the arguments are {@code in[offset, offset + length)}, each a 32-bit length and UTF-8 text; they need to be valid during
     *           this call only, and the caller releases them
     */
    void call(MethodName name, ByteBuf in, int offset, int length, Answer answer);
}
