package io.dubbomesh.testsupport.random;

import io.dubbomesh.testsupport.Selection;

import java.security.SecureRandom;

/**
 * Runs a test with many random values. A failure names the seed of the try that failed: {@code -Dtest.seed=SEED},
 * together with {@code -Dtest=Class#method}, runs that try alone. There are at most {@value #MAX_TRIES} tries, unless
 * {@code -Dtest.all=true} asks for all.
 */
public final class Tries {
    private static final String SEED = "test.seed";
    private static final int MAX_TRIES = 1000;
    private static final long STEP = 0x9e3779b97f4a7c15L;

    private Tries() {}

    @FunctionalInterface
    public interface Try {
        void run(RandomValues random) throws Exception;
    }

    public static void run(int count, Try test) {
        Long seed = Long.getLong(SEED);
        if (seed != null) {
            run(1, seed, test);
        } else {
            int tries = Selection.isAll() ? count : Math.min(count, MAX_TRIES);
            run(tries, new SecureRandom().nextLong(), test);
        }
    }

    static void run(int count, long firstSeed, Try test) {
        for (int i = 0; i < count; i++) {
            long seed = firstSeed + i * STEP;
            try {
                test.run(new RandomValues(seed));
            } catch (Throwable e) {
                throw new AssertionError(
                        "try " + (i + 1) + " of " + count + ", again with -D" + SEED + "=" + seed + ": " + e, e);
            }
        }
    }
}
