package io.dubbomesh.benchmark.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The times at which an open loop sends its calls without waiting for answers: steps of a fixed rate, one after the
 * other. Knows no clock.
 */
public record Schedule(List<Step> steps) {
    private static final double NS_PER_S = 1e9;

    /** Calls in equal distances, the first at the beginning. */
    public record Step(double callsPerSecond, Duration duration) {
        public Step {
            if (!(callsPerSecond > 0) || duration.isNegative() || duration.isZero()) {
                throw new IllegalArgumentException(
                        callsPerSecond + "/s for " + duration + " (expected: both greater than 0)");
            }
        }

        private long calls() {
            return Math.max(1, Math.round(callsPerSecond * duration.toNanos() / NS_PER_S));
        }
    }

    public Schedule {
        if (steps.isEmpty()) {
            throw new IllegalArgumentException("no steps (expected: at least one)");
        }
        steps = List.copyOf(steps);
    }

    public static Schedule constant(double callsPerSecond, Duration duration) {
        return new Schedule(List.of(new Step(callsPerSecond, duration)));
    }

    /** Calls at random times, independently of each other (Poisson); the same for the same seed. */
    public static Schedule random(double callsPerSecond, Duration duration, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Step> calls = new ArrayList<>();
        long endNs = duration.toNanos();
        for (long ns = 0; ns < endNs; ) {
            long gapNs = 1 + (long) (-Math.log1p(-random.nextDouble()) / callsPerSecond * NS_PER_S);
            calls.add(new Step(NS_PER_S / gapNs, Duration.ofNanos(gapNs)));
            ns += gapNs;
        }
        return new Schedule(calls);
    }

    /**
     * Bursts at the end of each period: {@code base} calls a second, and {@code burst} calls a second during
     * {@code length}.
     */
    public static Schedule bursts(double base, double burst, Duration length, Duration period, int periods) {
        List<Step> one = List.of(new Step(base, period.minus(length)), new Step(burst, length));
        List<Step> all = new ArrayList<>();
        Collections.nCopies(periods, one).forEach(all::addAll);
        return new Schedule(all);
    }

    public Schedule then(double callsPerSecond, Duration duration) {
        List<Step> all = new ArrayList<>(steps);
        all.add(new Step(callsPerSecond, duration));
        return new Schedule(all);
    }

    public Duration duration() {
        return steps.stream().map(Step::duration).reduce(Duration.ZERO, Duration::plus);
    }

    /** The times at which calls are to be sent, from the first on. */
    final class Cursor {
        private int step;
        private long stepStartNs;
        private long call;

        /** When the next call is to be sent, since the start; -1 after the last. */
        long nextNs() {
            return step == steps.size()
                    ? -1
                    : stepStartNs + Math.round(call * NS_PER_S / steps.get(step).callsPerSecond());
        }

        void advance() {
            Step now = steps.get(step);
            if (++call == now.calls()) {
                call = 0;
                step++;
                stepStartNs += now.duration().toNanos();
            }
        }
    }

    Cursor cursor() {
        return new Cursor();
    }
}
