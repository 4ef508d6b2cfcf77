package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.server.ConnectionFeed.Answers;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Requests through the handler of a connection, forms and calls in JSON among them: they are answered, never by 500, and the calls and
 * answers are the same however the bytes arrive.
 */
public final class HttpFuzz {
    private static final int MAX_CUTS = 8;

    private HttpFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        try (ConnectionFeed connection = new ConnectionFeed()) {
            List<String> whole = connection.of(Answers.AT_ONCE, input);
            int[] everyByte = new int[input.length];
            Arrays.setAll(everyByte, i -> i);
            requireSame(whole, connection.of(Answers.AT_ONCE, input, everyByte));
            int[] cuts = new Random(Arrays.hashCode(input))
                    .ints(MAX_CUTS, 0, input.length)
                    .sorted()
                    .toArray();
            requireSame(whole, connection.of(Answers.AT_ONCE, input, cuts));
        }
    }

    private static void requireSame(List<String> whole, List<String> pieces) {
        if (!whole.equals(pieces)) {
            throw new AssertionError("in pieces " + pieces + ", whole " + whole);
        }
    }
}
