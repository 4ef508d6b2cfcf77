package io.dubbomesh.loadbalance;

/**
 * Picks, of the endpoints that have answered last, one that is not hot and fast. This is Prequal ("Load is not what you
 * should balance", B. Wydrowski, R. Kleinberg, S. M. Rumble, A. Archer, NSDI 2024), with the answers of calls in the
 * place of probes: they report how many calls the provider has, of all consumer agents, and how long one takes now.
 *
 * <p>An endpoint is hot if it has more calls, in relation to its weight, than the quantile 0.84 of those that were seen
 * lately. Of the cold ones that with the lowest latency is picked, of hot ones that with the fewest calls.
 *
 * <p>Old news mislead: as in the paper, an answer counts for a second and for one call, and with some picks the oldest
 * or the worst, in turn, is dropped: else the worst would be left. Where too few are left, {@link PeakEwma} decides by
 * the calls and latencies of this owner; these picks find out about endpoints that have not answered lately, as the
 * probes of the paper do. So more are needed than the two of the paper: else some endpoints would never be tried. An
 * endpoint that has failed lately is left to them, too, since failures come fast.
 *
 * <p>Between endpoints that take nearly as long as each other, the {@link CallCredit} decides, so that the calls are
 * shared by weight.
 *
 * <p>An endpoint that tells nothing, such as a provider without an agent, has the calls of this owner, and the time
 * that its calls took, as {@link PeakEwma} has it. The calls of one owner say nothing beside those of all: while such
 * an endpoint is among the answers, all are judged by the calls of this owner.
 */
final class Prequal implements LoadBalancer {
    /** 2^-0.25, as in the paper. */
    private static final double HOT_QUANTILE = 0.84;

    private static final long MAX_AGE_NS = 1_000_000_000L;
    /** The picks for one answer that is dropped. */
    private static final int PICKS_PER_DROP = 8;

    /** The answers that are enough to choose from, or three quarters of the endpoints that can take a call. */
    private static final int ENOUGH_ANSWERS = 8;
    /** The part of its latency that an endpoint seems faster if it is owed a call. */
    private static final double CREDIT = 0.25;

    private final PeakEwma byOwnCalls;
    private final LatestAnswers answers;
    private final RecentQuantile hotByReports;
    private final RecentQuantile hotByOwnCalls;
    private int picks;

    Prequal(int size, long seed) {
        this(
                new PeakEwma(size, seed),
                new LatestAnswers(),
                new RecentQuantile(HOT_QUANTILE),
                new RecentQuantile(HOT_QUANTILE));
    }

    private Prequal(
            PeakEwma byOwnCalls, LatestAnswers answers, RecentQuantile hotByReports, RecentQuantile hotByOwnCalls) {
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
        int place = best(view, byReports, meanWeight, nowNs);
        if (place == NONE) {
            int probed = byOwnCalls.pick(view, nowNs);
            answers.forget(probed);
            return probed;
        }
        int picked = answers.index(place);
        answers.remove(place);
        picks = picks + 1 & Short.MAX_VALUE;
        if (picks % PICKS_PER_DROP == 0 && answers.size() > 1) {
            answers.remove(picks / PICKS_PER_DROP % 2 == 0 ? 0 : worst(view, byReports, meanWeight, nowNs));
        }
        byOwnCalls.picked(view, picked);
        return picked;
    }

    /** Returns the number of answers to choose from: fewer where few endpoints take calls, of however many. */
    private static int enough(LoadView view) {
        int usable = 0;
        int enough = 2;
        for (int i = 0; i < view.size() && enough < ENOUGH_ANSWERS; i++) {
            if (view.weight(i) > 0 && view.hasRoom(i)) {
                usable++;
                enough = Math.max(enough, (usable * 3 + 3) / 4);
            }
        }
        return enough;
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
        int enough = enough(view);
        if (answers.size() < enough) {
            return NONE;
        }
        RecentQuantile hot = hot(byReports);
        // Any of them, since those that have just answered have one call less.
        hot.add(calls(view, picks % answers.size(), byReports, meanWeight));
        int hotClass = hot.quantileClass();
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
            double calls = calls(view, place, byReports, meanWeight);
            if (RecentQuantile.classOf(calls) <= hotClass) {
                double latency =
                        latencyNs(view, place, byReports, nowNs) * (1 - CREDIT * byOwnCalls.credit(view, index));
                if (latency < lowestLatency) {
                    lowestLatency = latency;
                    cold = place;
                }
            } else if (calls < fewestCalls) {
                fewestCalls = calls;
                fewest = place;
            }
        }
        return usable < enough ? NONE : cold == NONE ? fewest : cold;
    }

    /** Returns the place of the hottest answer, or, if none is hot, of the slowest one. */
    private int worst(LoadView view, boolean byReports, double meanWeight, long nowNs) {
        int hotClass = hot(byReports).quantileClass();
        int hottest = NONE;
        int slowest = 0;
        double mostCalls = 0;
        double highestLatency = 0;
        for (int place = 0; place < answers.size(); place++) {
            double calls = calls(view, place, byReports, meanWeight);
            if (RecentQuantile.classOf(calls) > hotClass && calls > mostCalls) {
                mostCalls = calls;
                hottest = place;
            }
            double latency = latencyNs(view, place, byReports, nowNs);
            if (latency > highestLatency) {
                highestLatency = latency;
                slowest = place;
            }
        }
        return hottest == NONE ? slowest : hottest;
    }

    private double calls(LoadView view, int place, boolean byReports, double meanWeight) {
        int index = answers.index(place);
        int calls = byReports ? view.providerCalls(index) : view.inFlight(index);
        return calls * meanWeight / Math.max(1, view.weight(index));
    }

    private double latencyNs(LoadView view, int place, boolean byReports, long nowNs) {
        int index = answers.index(place);
        long reportedNs = byReports ? view.providerCallNs(index) : 0;
        return reportedNs > 0 ? reportedNs : byOwnCalls.latencyNs(index, nowNs);
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
        return new Prequal(
                byOwnCalls.changed(previousIndex), answers.changed(previousIndex), hotByReports, hotByOwnCalls);
    }
}
