package io.dubbomesh.consumer.trace;

import io.dubbomesh.consumer.record.Sampling;
import io.dubbomesh.runtime.settings.Settings;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Decides which requests without a {@code traceparent} begin a trace: as OpenTelemetry's TraceIdRatioBased, by the id
 * that the trace would have, so that others with the same ratio decide alike.
 */
public final class TraceSampler {
    private static final String RATIO = "otel.traces.sampler.arg";

    private final double ratio;
    /** Up to it, of the absolute value of the lower half of the id. */
    private final long bound;

    TraceSampler(double ratio) {
        this.ratio = ratio;
        bound = Math.max(1, (long) (ratio * Long.MAX_VALUE));
    }

    public static TraceSampler from(Settings settings) {
        return settings.parse(RATIO, TraceSampler::parse, new TraceSampler(0));
    }

    private static TraceSampler parse(String text) {
        double ratio = Double.NaN;
        try {
            ratio = Double.parseDouble(text.strip());
        } catch (NumberFormatException e) {
            // Refused below, like a number out of bounds.
        }
        if (!(ratio >= 0 && ratio <= 1)) {
            throw new IllegalArgumentException(text + " (expected: 0-1)");
        }
        return new TraceSampler(ratio);
    }

    /** Returns what chooses, of an event loop's requests, those whose ids would be sampled. */
    Sampling newSampling() {
        return new Sampling(ratio);
    }

    /** Returns the lower half of the id of a new trace that is sampled. */
    long newId() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        long id = 1 + random.nextLong(bound);
        return random.nextBoolean() ? id : -id;
    }
}
