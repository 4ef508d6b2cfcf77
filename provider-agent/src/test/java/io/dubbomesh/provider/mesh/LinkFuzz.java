package io.dubbomesh.provider.mesh;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.dubbomesh.testsupport.random.FuzzedInput;
import org.slf4j.LoggerFactory;

import java.util.Arrays;

/**
 * Feeds what a consumer agent sends on a link; the first byte of the input chooses the agent and its provider. The same
 * calls go to the provider and the same frames back to the peer however the bytes arrive, no call before a HELLO with
 * the token that is demanded, and in the end nothing of the link is left: no permit, no byte of the memory budget, no
 * buffer.
 */
public final class LinkFuzz {
    private LinkFuzz() {}

    /** Called by Jazzer: to log why millions of inputs are refused would take most of the time. */
    public static void fuzzerInitialize() {
        ((Logger) LoggerFactory.getLogger("io.dubbomesh")).setLevel(Level.OFF);
        FuzzedInput.countAllBuffers();
    }

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length > 1) {
            byte[] bytes = Arrays.copyOfRange(input, 1, input.length);
            FuzzedInput.check(allocator ->
                    FuzzedInput.requireSameInPieces(bytes, cuts -> new LinkFeed(allocator, input[0]).of(bytes, cuts)));
        }
    }
}
