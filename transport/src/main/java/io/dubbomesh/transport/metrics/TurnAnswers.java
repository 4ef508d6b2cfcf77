package io.dubbomesh.transport.metrics;

import io.dubbomesh.transport.write.Turn;

/**
 * The calls that were answered in a turn of the event loop and whose durations are not recorded yet: they end with the
 * turn, right before the answers are sent. So the clock is read once a turn. Read for each answer it would cost more
 * than all else that is counted, as the processor waits for all loads before it. Owned by the loop.
 */
final class TurnAnswers {
    /** The time of an answer that no provider agent has given. */
    static final long NEVER = Long.MIN_VALUE;
    /** More end at once, within the turn. */
    private static final int CAPACITY = 128;

    private final Turn turn;
    private final MethodMetrics[] methods = new MethodMetrics[CAPACITY];
    private final long[] receivedNs = new long[CAPACITY];
    private final long[] arrivedNs = new long[CAPACITY];
    private int count;

    TurnAnswers(Turn turn) {
        this.turn = turn;
        turn.beforeFlush(this::end);
    }

    /** @param arrived when the answer of the provider agent was read, or {@link #NEVER} */
    void add(MethodMetrics method, long received, long arrived) {
        int place = count;
        if (place == 0) {
            // An answer that waits for an earlier one of its connection is not written in this turn.
            turn.require();
        }
        methods[place] = method;
        receivedNs[place] = received;
        arrivedNs[place] = arrived;
        count = place + 1;
        if (count == CAPACITY) {
            end();
        }
    }

    /** Records them. */
    void end() {
        if (count == 0) {
            return;
        }
        long nowNs = System.nanoTime();
        for (int i = 0; i < count; i++) {
            methods[i].ended(receivedNs[i], arrivedNs[i], nowNs);
        }
        count = 0;
    }
}
