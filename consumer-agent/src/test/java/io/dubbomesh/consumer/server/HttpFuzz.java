package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.server.ConnectionFeed.Answers;
import io.dubbomesh.testsupport.random.FuzzedInput;
import io.netty.buffer.ByteBufAllocator;

/**
 * Requests through the handler of a connection, forms and calls in JSON among them: they are answered, never by 500,
 * and the calls and answers are the same however the bytes arrive.
 */
public final class HttpFuzz {
    private HttpFuzz() {}

    /** Called by Jazzer. */
    public static void fuzzerInitialize() {
        FuzzedInput.countAllBuffers();
    }

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length > 0) {
            FuzzedInput.check(allocator -> read(input, allocator));
        }
    }

    private static void read(byte[] input, ByteBufAllocator allocator) {
        try (ConnectionFeed connection = new ConnectionFeed(allocator)) {
            FuzzedInput.requireSameInPieces(input, cuts -> connection.of(Answers.AT_ONCE, input, cuts));
        }
    }
}
