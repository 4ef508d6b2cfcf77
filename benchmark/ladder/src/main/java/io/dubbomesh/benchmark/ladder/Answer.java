package io.dubbomesh.benchmark.ladder;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Problem;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** Where the answer to one call goes. */
interface Answer {
    /**
     * Called exactly once, on any thread.
     *
     * @param in holds the document, valid during the call only; not to be released
     */
    void completed(Outcome outcome, ByteBuf in, int offset, int length);

    default void failed(Outcome outcome, String detail) {
        ByteBuf document = Unpooled.buffer();
        Problem.write(document, outcome, detail);
        completed(outcome, document, 0, document.writerIndex());
    }
}
