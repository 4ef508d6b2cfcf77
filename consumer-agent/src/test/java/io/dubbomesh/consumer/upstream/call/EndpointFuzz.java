package io.dubbomesh.consumer.upstream.call;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.dubbomesh.testsupport.random.FuzzedInput;
import org.slf4j.LoggerFactory;

import java.util.Arrays;

/**
 * Feeds what a provider agent sends on a link with calls; the first byte of the input chooses the consumer agent. The
 * clients get the same answers and the provider agents the same frames however the bytes arrive, each client gets one
 * answer with a well-formed head, and in the end nothing of the link is left: no call, no byte of the memory budget, no
 * buffer.
 */
public final class EndpointFuzz {
    private EndpointFuzz() {}

    /** Called by Jazzer: to log why millions of inputs are refused would take most of the time. */
    public static void fuzzerInitialize() {
        ((Logger) LoggerFactory.getLogger("io.dubbomesh")).setLevel(Level.OFF);
        FuzzedInput.countAllBuffers();
    }

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length > 1) {
            byte[] bytes = Arrays.copyOfRange(input, 1, input.length);
            FuzzedInput.check(allocator -> FuzzedInput.requireSameInPieces(
                    bytes, cuts -> new EndpointFeed(allocator, input[0]).of(bytes, cuts)));
        }
    }
}
