package io.dubbomesh.benchmark.ledger;

import java.util.Map;
import java.util.TreeMap;

/**
 * Counts requests by their outcome: right or wrong, refused (another status than 200) or lost. Used by all clients at once.
 */
final class Tally {
    private final Map<Integer, Long> refused = new TreeMap<>();
    private long right;
    private long wrong;
    private long lost;
    private String firstLoss = "";

    synchronized void answered(int status, String body, String expected) {
        if (status != 200) {
            refused.merge(status, 1L, Long::sum);
        } else if (body.equals(expected)) {
            right++;
        } else {
            wrong++;
        }
    }

    synchronized void lost(String how) {
        lost++;
        if (firstLoss.isEmpty()) {
            firstLoss = how;
        }
    }

    synchronized boolean nothingLost() {
        return lost == 0 && wrong == 0;
    }

    /** {@code sent=9 right=7 wrong=0 lost=1 503=1}, followed by the reason of the first loss. */
    @Override
    public synchronized String toString() {
        long sent = right
                + wrong
                + lost
                + refused.values().stream().mapToLong(Long::longValue).sum();
        StringBuilder text =
                new StringBuilder("sent=" + sent + " right=" + right + " wrong=" + wrong + " lost=" + lost);
        refused.forEach(
                (status, count) -> text.append(' ').append(status).append('=').append(count));
        return firstLoss.isEmpty() ? text.toString() : text + " (" + firstLoss + ")";
    }
}
