package io.dubbomesh.transport.mesh;

import io.dubbomesh.protocol.mesh.Hello;
import io.dubbomesh.protocol.mesh.HelloCredentials;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * The tokens of a mesh: one, or two while one replaces the other. A consumer agent proves to a provider agent that it
 * has one of them. They are secrets: no text of this class, and no message of an exception, has one. Immutable.
 */
final class MeshTokens {
    private static final int MAX_TOKENS = 2;
    private static final int MIN_LENGTH = 16;
    private static final int MAX_LENGTH = 512;
    private static final String COMMENT = "#";

    private final List<byte[]> tokens;

    private MeshTokens(List<byte[]> tokens) {
        this.tokens = tokens;
    }

    /**
     * Parses a token a line; empty lines and those that begin with {@code #} do not count.
     *
     * @throws IllegalArgumentException naming the lines that are wrong, without what is in them
     */
    static MeshTokens parse(String text) {
        List<byte[]> tokens = new ArrayList<>();
        List<Integer> wrong = new ArrayList<>();
        // Not by \R, which ends a line at U+0085 and U+2028 too: the rest of a comment that has one would be a token.
        String[] lines = text.split("\r?\n|\r");
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i].strip();
            if (line.isEmpty() || line.startsWith(COMMENT)) {
                continue;
            }
            if (line.length() < MIN_LENGTH
                    || line.length() > MAX_LENGTH
                    || !line.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
                wrong.add(i + 1);
            } else {
                tokens.add(line.getBytes(US_ASCII));
            }
        }
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException((wrong.size() == 1 ? "line " : "lines ")
                    + wrong.stream().map(String::valueOf).collect(Collectors.joining(", ")) + " (expected: a token of "
                    + MIN_LENGTH + " to " + MAX_LENGTH + " printable ASCII characters, without spaces)");
        }
        if (tokens.isEmpty() || tokens.size() > MAX_TOKENS) {
            throw new IllegalArgumentException(
                    tokens.size() + " tokens (expected: one, or two while one replaces the other)");
        }
        return new MeshTokens(List.copyOf(tokens));
    }

    /** Returns the answer with the first of the tokens. */
    HelloCredentials answer(HelloCredentials challenge, long agentId) {
        return challenge.answer(tokens.get(0), agentId);
    }

    /**
     * Returns whether a HELLO answers the challenge with one of them. All are tried, so that the time does not tell
     * which.
     */
    boolean accept(Hello hello, HelloCredentials challenge) {
        boolean accepted = false;
        for (byte[] token : tokens) {
            accepted |= challenge.answer(token, hello.agentId()).equals(hello.credentials());
        }
        return accepted;
    }
}
