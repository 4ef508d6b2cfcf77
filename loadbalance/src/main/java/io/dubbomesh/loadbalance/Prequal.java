package io.dubbomesh.loadbalance;

import io.dubbomesh.loadbalance.estimate.RecentQuantile;

/**
 * Picks, of the endpoints that have answered last, one that is not hot and fast. This is Prequal ("Load is not what you
 * should balance", B. Wydrowski, R. Kleinberg, S. M. Rumble, A. Archer, NSDI 2024), with the answers of calls in the
 * place of probes: they report how many calls the provider has, of all consumer agents, and how long one takes now.
 *
 * <p>An endpoint is hot if it has more calls, in relation to its weight, than three quarters of those that were seen
 * lately; the paper has 0.84, but its probes are not as old as the last answer. Of the cold ones that with the lowest
 * latency is picked, of hot ones that with the fewest calls.
 *
 * <p>Old news mislead: as in the paper, an answer counts for a second and for one call, and with some picks the oldest
 * or the worst, in turn, is dropped: else the worst would be left. Where there is a place for each endpoint, its last
 * answer stays, with the calls that were sent since.
 *
 * <p>The paper probes servers at random, and so hears of those that it does not pick. Here, every sixteenth pick
 * explores: {@link PeakEwma} decides, of few endpoints among all, of many between two drawn at random. Its latencies
 * fall while an endpoint is not heard of, until it is worth a call. It also decides where fewer than two answers are
 * left, as few as in the paper. An endpoint that has failed lately is left to it, too, since failures come fast.
 *
 * <p>Between endpoints that take nearly as long as each other, the {@link CallCredit} decides, so that the calls are
 * shared by weight.
 *
 * <p>An endpoint that tells nothing, such as a provider without an agent, has the calls of this owner, and the time
 * that its calls took, as {@link PeakEwma} has it. The calls of one owner say nothing beside those of all: while such
 * an endpoint is among the answers, all are judged by the calls of this owner.
 */
final class Prequal implements LoadBalancer {
    private static final double HOT_QUANTILE = 0.75;
    private static final long MAX_AGE_NS = 1_000_000_000L;
    /** The picks for one answer that is dropped. */
    private static final int PICKS_PER_DROP = 8;

    private static final int PICKS_PER_EXPLORATION = 16;
    /** The answers that are enough to choose from. */
    private static final int ENOUGH_ANSWERS = 2;
    /** The part of its latency that an endpoint seems faster if it is owed a call. */
    private static final double CREDIT = 0.25;

    /** Whether there is a place for each endpoint. */
    private final boolean keepsAnswers;

    private final PeakEwma byOwnCalls;
    private final LatestAnswers answers;
    private final RecentQuantile hotByReports;
    private final RecentQuantile hotByOwnCalls;
    private long picks;
    private long explored;
    /** The place of the answer whose calls are noted next. */
    private int noted;

    Prequal(int size, long seed) {
        this(
                size,
                new PeakEwma(size, seed),
                new LatestAnswers(),
                new RecentQuantile(HOT_QUANTILE),
                new RecentQuantile(HOT_QUANTILE));
    }

    private Prequal(
            int size,
            PeakEwma byOwnCalls,
            LatestAnswers answers,
            RecentQuantile hotByReports,
            RecentQuantile hotByOwnCalls) {
        keepsAnswers = size <= LatestAnswers.CAPACITY;
        this.byOwnCalls = byOwnCalls;
        this.answers = answers;
        this.hotByReports = hotByReports;
        this.hotByOwnCalls = hotByOwnCalls;
    }

    @Override
    public int pick(LoadView view, long nowNs) {
        answers.removeOlder(MAX_AGE_NS, nowNs);
        double meanWeight = byOwnCalls.meanWeight(view);
        boolean byReports = allReport(view);
        boolean explores = (picks + 1) % PICKS_PER_EXPLORATION == 0;
        int place = explores ? NONE : best(view, byReports, meanWeight, nowNs);
        int picked = place == NONE ? byOwnCalls.pick(view, nowNs) : answers.index(place);
        if (picked == NONE) {
            return NONE;
        }
        picks++;
        if (place == NONE) {
            explored++;
        } else {
            byOwnCalls.picked(view, picked, meanWeight);
        }
        if (!keepsAnswers) {
            answers.forget(picked);
        }
        if (picks % PICKS_PER_DROP == 0 && answers.size() > 1) {
            answers.remove(picks / PICKS_PER_DROP % 2 == 0 ? 0 : worst(view, byReports, meanWeight, nowNs));
        }
        return picked;
    }

    /** Returns how many picks explored, or had too few answers to choose from. */
    long explored() {
        return explored;
    }

    private boolean allReport(LoadView view) {
        for (int place = 0; place < answers.size(); place++) {
            if (!view.reportsLoad(answers.index(place))) {
                return false;
            }
        }
        return true;
    }

    private RecentQuantile hot(boolean byReports) {
        return byReports ? hotByReports : hotByOwnCalls;
    }

    /** Returns the place of the best answer, or {@link #NONE} if too few are left to choose. */
    private int best(LoadView view, boolean byReports, double meanWeight, long nowNs) {
        if (answers.size() < ENOUGH_ANSWERS) {
            return NONE;
        }
        RecentQuantile hot = hot(byReports);
        // In turn, since those that have just answered have one call less.
        noted = noted < answers.size() ? noted : 0;
        hot.add(calls(view, answers.index(noted++), byReports, meanWeight));
        int cold = NONE;
        int fewest = NONE;
        int usable = 0;
        double lowestLatency = Double.POSITIVE_INFINITY;
        double fewestCalls = Double.POSITIVE_INFINITY;
        for (int place = 0; place < answers.size(); place++) {
            int index = answers.index(place);
            if (view.weight(index) == 0 || !view.hasRoom(index)) {
                continue;
            }
            usable++;
            double calls = calls(view, index, byReports, meanWeight);
            if (!hot.isBelow(calls)) {
                double latency =
                        latencyNs(view, index, byReports, nowNs) * (1 - CREDIT * byOwnCalls.credit(view, index));
                if (latency < lowestLatency) {
                    lowestLatency = latency;
                    cold = place;
                }
            } else if (calls < fewestCalls) {
                fewestCalls = calls;
                fewest = place;
            }
        }
        return usable < ENOUGH_ANSWERS ? NONE : cold == NONE ? fewest : cold;
    }

    /** Returns the place of the hottest answer, or, if none is hot, of the slowest one. */
    private int worst(LoadView view, boolean byReports, double meanWeight, long nowNs) {
        RecentQuantile hot = hot(byReports);
        int hottest = NONE;
        int slowest = 0;
        double mostCalls = 0;
        double highestLatency = 0;
        for (int place = 0; place < answers.size(); place++) {
            int index = answers.index(place);
            double calls = calls(view, index, byReports, meanWeight);
            if (hot.isBelow(calls) && calls > mostCalls) {
                mostCalls = calls;
                hottest = place;
            }
            double latency = latencyNs(view, index, byReports, nowNs);
            if (latency > highestLatency) {
                highestLatency = latency;
                slowest = place;
            }
        }
        return hottest == NONE ? slowest : hottest;
    }

    private double calls(LoadView view, int index, boolean byReports, double meanWeight) {
        int calls = byReports ? view.providerCalls(index) : view.inFlight(index);
        return calls * meanWeight / Math.max(1, view.weight(index));
    }

    private double latencyNs(LoadView view, int index, boolean byReports, long nowNs) {
        long reportedNs = byReports ? view.providerCallNs(index) : 0;
        return reportedNs > 0 ? reportedNs : byOwnCalls.latencyNs(index, nowNs);
    }

    /** The failures of an endpoint count where {@link PeakEwma} decides. */
    @Override
    public EndpointEstimate estimate(LoadView view, int index, long nowNs) {
        boolean byReports = allReport(view) && view.reportsLoad(index);
        double calls = calls(view, index, byReports, byOwnCalls.meanWeight(view));
        RecentQuantile seen = hot(byReports);
        EndpointEstimate.Heat heat = seen.isEmpty()
                ? EndpointEstimate.Heat.UNKNOWN
                : seen.isBelow(calls) ? EndpointEstimate.Heat.HOT : EndpointEstimate.Heat.COLD;
        double failures = byOwnCalls.failureCalls(index, nowNs);
        return new EndpointEstimate(calls + failures, latencyNs(view, index, byReports, nowNs), heat);
    }

    @Override
    public void answered(int index, long durationNs, long nowNs) {
        byOwnCalls.answered(index, durationNs, nowNs);
        if (byOwnCalls.hasFailed(index, nowNs)) {
            answers.forget(index);
        } else {
            answers.add(index, nowNs);
        }
    }

    @Override
    public void endedWithoutResult(int index, long durationNs, long nowNs) {
        byOwnCalls.endedWithoutResult(index, durationNs, nowNs);
        answers.forget(index);
    }

    @Override
    public void failed(int index, long durationNs, long nowNs) {
        byOwnCalls.failed(index, durationNs, nowNs);
        answers.forget(index);
    }

    @Override
    public void forgetFailures(int index) {
        byOwnCalls.forgetFailures(index);
    }

    @Override
    public LoadBalancer changed(int[] previousIndex) {
        Prequal changed = new Prequal(
                previousIndex.length,
                byOwnCalls.changed(previousIndex),
                answers.changed(previousIndex),
                hotByReports,
                hotByOwnCalls);
        changed.picks = picks;
        changed.explored = explored;
        return changed;
    }
}
