package io.dubbomesh.benchmark.ladder;

import io.dubbomesh.protocol.MalformedFrameException;
import io.netty.buffer.ByteBuf;

/** Takes the frames of a connection one by one, on its event loop, however they are cut out of what is read. */
interface FrameReceiver {
    /** The bytes are valid during the call only and are not to be released. An exception ends the connection. */
    void frame(ByteBuf in, int offset, int length) throws MalformedFrameException;
}
