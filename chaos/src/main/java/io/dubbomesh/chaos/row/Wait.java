package io.dubbomesh.chaos.row;

/** Waits for a state, and says how long that took. */
final class Wait {
    private static final long PAUSE_MS = 20;

    private Wait() {}

    interface Condition {
        boolean holds() throws Exception;
    }

    /** Until it holds, or {@code most} seconds. */
    static double seconds(double most, Condition condition) throws Exception {
        long startNs = System.nanoTime();
        while (!condition.holds()) {
            if (System.nanoTime() - startNs > most * 1e9) {
                return most;
            }
            Thread.sleep(PAUSE_MS);
        }
        return (System.nanoTime() - startNs) / 1e9;
    }
}
