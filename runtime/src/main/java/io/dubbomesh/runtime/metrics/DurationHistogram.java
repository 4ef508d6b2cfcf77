package io.dubbomesh.runtime.metrics;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Counts durations, in the cells of {@link DurationBuckets}. Used by one thread. */
public final class DurationHistogram {
    private static final double S_PER_NS = 1e-9;

    private final long[] counts = new long[DurationBuckets.CELLS];
    private double sumSeconds;
    /** The last one of each classic bucket; null while there is none, as where no calls are traced. */
    private Exemplar[] exemplars;

    public void record(long durationNs) {
        counts[DurationBuckets.cellOf(durationNs)]++;
        sumSeconds += Math.max(0, durationNs) * S_PER_NS;
    }

    /** Keeps an exemplar whose duration was recorded here. */
    public void keep(Exemplar exemplar) {
        if (exemplars == null) {
            exemplars = new Exemplar[DurationBuckets.CLASSIC_BUCKETS];
        }
        int bucket = DurationBuckets.classicIndex(DurationBuckets.cellOf(exemplar.durationNs()));
        if (exemplars[bucket] == null || exemplars[bucket].epochMs() <= exemplar.epochMs()) {
            exemplars[bucket] = exemplar;
        }
    }

    void add(DurationHistogram other) {
        for (int cell = 0; cell < counts.length; cell++) {
            counts[cell] += other.counts[cell];
        }
        sumSeconds += other.sumSeconds;
        other.exemplars().forEach(this::keep);
    }

    public long count(int cell) {
        return counts[cell];
    }

    public long count() {
        long sum = 0;
        for (long count : counts) {
            sum += count;
        }
        return sum;
    }

    public double sumSeconds() {
        return sumSeconds;
    }

    /** Returns the exemplars, at most one for each classic bucket. */
    public List<Exemplar> exemplars() {
        return exemplars == null
                ? List.of()
                : Arrays.stream(exemplars).filter(Objects::nonNull).toList();
    }
}
