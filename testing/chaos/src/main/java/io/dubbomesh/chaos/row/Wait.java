package io.dubbomesh.chaos.row;

/** Waits for a state, and says how long that took. */
public final class Wait {
    private static final long PAUSE_MS = 20;

    private Wait() {}

    public interface Condition {
        boolean holds() throws Exception;
    }

    /** Until it holds, or {@code most} seconds. */
    public static double seconds(double most, Condition condition) throws Exception {
        long startNs = System.nanoTime();
        while (!condition.holds()) {
            if (System.nanoTime() - startNs > most * 1e9) {
                return most;
            }
            Thread.sleep(PAUSE_MS);
        }
        return (System.nanoTime() - startNs) / 1e9;
    }

    /** The longest time within so many seconds during which it did not hold. */
    public static double longestGap(double seconds, Condition condition) throws Exception {
        long startNs = System.nanoTime();
        long heldNs = startNs;
        long longestNs = 0;
        while (System.nanoTime() - startNs < seconds * 1e9) {
            Thread.sleep(PAUSE_MS);
            boolean holds = condition.holds();
            long nowNs = System.nanoTime();
            if (!holds) {
                longestNs = Math.max(longestNs, nowNs - heldNs);
            } else {
                heldNs = nowNs;
            }
        }
        return longestNs / 1e9;
    }
}
