package io.dubbomesh.loadbalance;

import java.util.SplittableRandom;

/**
 * Picks the endpoint at which a call is expected to cost least time, of few endpoints among all, of many of two that
 * are drawn by weight: the {@linkplain PeakLatencies peak of its latency}, times the calls in flight there and this
 * one. This is the PeakEwma of Finagle (com.twitter.finagle.loadbalancer.PeakEwma), which linkerd and linkerd2-proxy
 * took over (tower::load::PeakEwma).
 *
 * <p>The calls in flight count by the weight of the endpoint in relation to the mean weight, less half of its
 * {@link CallCredit}: endpoints that are alike share calls by weight when there is hardly any load, and one that is
 * three times slower gets none. {@link Failures} count as calls in flight.
 */
final class PeakEwma implements LoadBalancer {
    /**
     * The cost of an endpoint from which an answer is awaited that will be the first one: Finagle's Long.MaxValue >>
     * 16, beside which calls and their parts still count.
     */
    private static final double UNANSWERED = 0x1p47;

    private final WeightedDraw draw;
    private final CallCredit credit;
    private final PeakLatencies latencies;
    private final Failures failures;

    PeakEwma(int size, long seed) {
        this(size, new SplittableRandom(seed));
    }

    private PeakEwma(int size, SplittableRandom random) {
        this(new WeightedDraw(size, random), new CallCredit(size, random), new PeakLatencies(size), new Failures(size));
    }

    private PeakEwma(WeightedDraw draw, CallCredit credit, PeakLatencies latencies, Failures failures) {
        this.draw = draw;
        this.credit = credit;
        this.latencies = latencies;
        this.failures = failures;
    }

    @Override
    public int pick(LoadView view, long nowNs) {
        double meanWeight = meanWeight(view);
        int picked = view.size() <= LeastRequest.FEW
                ? cheapest(view, meanWeight, nowNs)
                : cheaperOfTwo(view, meanWeight, nowNs);
        if (picked != NONE) {
            picked(view, picked, meanWeight);
        }
        return picked;
    }

    /** Called when an endpoint gets a call, whether picked here or otherwise. */
    void picked(LoadView view, int index, double meanWeight) {
        int weight = view.weight(index);
        failures.picked(view.inFlight(index) * meanWeight / weight);
        credit.picked(index, weight, weightWithRoom(view));
    }

    /** Returns the sum of the weights that share the calls: of many endpoints few are full. */
    private long weightWithRoom(LoadView view) {
        if (view.size() > LeastRequest.FEW) {
            return draw.refresh(view);
        }
        long sum = 0;
        for (int i = 0; i < view.size(); i++) {
            sum += view.hasRoom(i) ? view.weight(i) : 0;
        }
        return sum;
    }

    /** Returns the mean weight of the endpoints. */
    double meanWeight(LoadView view) {
        return draw.mean(view);
    }

    /** Returns the calls that an endpoint is owed, from -1 to 1. */
    double credit(LoadView view, int index) {
        return credit.of(index, view.weight(index));
    }

    /** Returns the latency of an endpoint; 0 if none is known. */
    double latencyNs(int index, long nowNs) {
        return latencies.latencyNs(index, nowNs);
    }

    /** Returns whether an endpoint has failed lately, or gives far fewer results than others. */
    boolean hasFailed(int index, long nowNs) {
        return failures.level(index, nowNs) > 0;
    }

    /** Returns the calls that the failures of an endpoint stand for. */
    double failureCalls(int index, long nowNs) {
        return failures.calls(index, nowNs);
    }

    private int cheapest(LoadView view, double meanWeight, long nowNs) {
        int best = NONE;
        double lowest = Double.POSITIVE_INFINITY;
        for (int i = 0; i < view.size(); i++) {
            if (view.weight(i) > 0 && view.hasRoom(i)) {
                double cost = cost(view, i, meanWeight, nowNs);
                if (cost < lowest) {
                    lowest = cost;
                    best = i;
                }
            }
        }
        return best;
    }

    private int cheaperOfTwo(LoadView view, double meanWeight, long nowNs) {
        int first = draw.draw(view);
        int second = first == NONE ? NONE : draw.drawSecond(view, first);
        return second == NONE || cost(view, first, meanWeight, nowNs) <= cost(view, second, meanWeight, nowNs)
                ? first
                : second;
    }

    private double cost(LoadView view, int index, double meanWeight, long nowNs) {
        int weight = view.weight(index);
        double calls = view.inFlight(index) * meanWeight / weight;
        double latencyNs = latencies.latencyNs(index, nowNs);
        if (latencyNs == 0) {
            // One call is to find out how long it takes.
            return calls > 0
                    ? UNANSWERED + calls - credit.of(index, weight) / 2
                    : -CallCredit.BOUND - credit.of(index, weight);
        }
        return latencyNs * (1 + calls + failures.calls(index, nowNs) - credit.of(index, weight) / 2);
    }

    @Override
    public EndpointEstimate estimate(LoadView view, int index, long nowNs) {
        double calls = view.inFlight(index) * meanWeight(view) / Math.max(1, view.weight(index));
        return new EndpointEstimate(
                calls + failures.calls(index, nowNs), latencyNs(index, nowNs), EndpointEstimate.Heat.UNKNOWN);
    }

    @Override
    public void answered(int index, long durationNs, long nowNs) {
        latencies.answered(index, durationNs, nowNs);
        failures.answered(index, nowNs);
    }

    @Override
    public void endedWithoutResult(int index, long durationNs, long nowNs) {
        latencies.endedWithoutResult(index, durationNs, nowNs);
        failures.endedWithoutResult(index, nowNs);
    }

    @Override
    public void failed(int index, long durationNs, long nowNs) {
        latencies.endedWithoutResult(index, durationNs, nowNs);
        failures.failed(index, nowNs);
    }

    @Override
    public void forgetFailures(int index) {
        failures.clear(index);
    }

    @Override
    public PeakEwma changed(int[] previousIndex) {
        return new PeakEwma(
                draw.resized(previousIndex.length),
                credit.changed(previousIndex),
                latencies.changed(previousIndex),
                failures.changed(previousIndex));
    }
}
