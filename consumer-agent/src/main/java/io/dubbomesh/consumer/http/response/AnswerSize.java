package io.dubbomesh.consumer.http.response;

import io.dubbomesh.protocol.Outcome;

/**
 * The likely length of the answers to the calls of one method: a mean of the last ones, so that a rare large answer
 * does not have all the others refused for want of room. Owned by one event loop.
 */
public final class AnswerSize {
    /** The parts of the difference that a longer and a shorter answer count for: it is worse to expect too little. */
    private static final int RISE = 4;

    private static final int DECAY = 8;

    private int bytes;

    /** Returns the likely size of the next answer; 0 where nothing is known. */
    public int bytes() {
        return bytes;
    }

    /**
     * Learns from an answer. Other failures than an answer without room tell nothing, nor does a response in the place
     * of a result that is not told.
     */
    public void learn(Response response) {
        boolean isResult = response.outcome() == Outcome.OK && response.content() != Response.Content.ACCEPTED;
        if (!isResult && response.replacedBytes() == 0) {
            return;
        }
        int length = response.replacedBytes() == 0 ? response.length() : response.replacedBytes();
        bytes += length >= bytes ? (length - bytes + RISE - 1) / RISE : -((bytes - length + DECAY - 1) / DECAY);
    }
}
