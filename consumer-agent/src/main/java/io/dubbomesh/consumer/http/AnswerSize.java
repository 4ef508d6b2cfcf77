package io.dubbomesh.consumer.http;

import io.dubbomesh.protocol.Outcome;

/** How long the answers to the calls of one method are, learnt from those that have come. Owned by one event loop. */
public final class AnswerSize {
    /** A shorter answer takes this part of the difference off. */
    private static final int DECAY = 8;

    private int bytes;

    /** What the next answer may well have; 0 where nothing is known. */
    public int bytes() {
        return bytes;
    }

    /** Learns from an answer; failures tell nothing. */
    public void learn(Response response) {
        if (response.outcome() != Outcome.OK) {
            return;
        }
        int length = response.length();
        bytes = length >= bytes ? length : bytes - (bytes - length + DECAY - 1) / DECAY;
    }
}
