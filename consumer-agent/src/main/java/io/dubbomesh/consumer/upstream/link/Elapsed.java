package io.dubbomesh.consumer.upstream.link;

import java.util.concurrent.TimeUnit;

/** Writes durations for people. */
public final class Elapsed {
    private static final long MOST_MS = 10_000;

    private Elapsed() {}

    /** Returns a duration such as {@code 250 ms} or, from ten seconds on, {@code 12 s}. */
    public static String text(long ns) {
        long ms = TimeUnit.NANOSECONDS.toMillis(Math.max(0, ns));
        return ms < MOST_MS ? ms + " ms" : ms / 1000 + " s";
    }
}
