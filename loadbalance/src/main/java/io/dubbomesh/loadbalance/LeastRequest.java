package io.dubbomesh.loadbalance;

import java.util.SplittableRandom;

/**
 * Picks the endpoint with the fewest calls of this owner in flight, in relation to its weight. Of few endpoints it
 * looks at each, as nginx's least_conn does (ngx_http_upstream_least_conn_module.c), which breaks ties by weighted
 * round robin, too; of many at two that are drawn by weight: a full scan of old counts is no better, and makes owners
 * choose alike. Envoy's least request (source/extensions/load_balancing_policies/least_request) draws two while the
 * weights are equal; for unequal ones it schedules by weight over (calls + 1), which changes all turns with each call.
 *
 * <p>The load of an endpoint is its calls in flight over its weight in relation to the mean weight, less its
 * {@link CallCredit}. An endpoint that does not answer keeps its calls, and so gets no others; {@link Failures} count
 * as calls in flight.
 */
final class LeastRequest implements LoadBalancer {
    /** So many endpoints are few: the subset of a large service is. */
    static final int FEW = 32;

    private final WeightedDraw draw;
    private final CallCredit credit;
    private final Failures failures;

    LeastRequest(int size, long seed) {
        this(size, new SplittableRandom(seed));
    }

    private LeastRequest(int size, SplittableRandom random) {
        this(new WeightedDraw(size, random), new CallCredit(size, random), new Failures(size));
    }

    private LeastRequest(WeightedDraw draw, CallCredit credit, Failures failures) {
        this.draw = draw;
        this.credit = credit;
        this.failures = failures;
    }

    @Override
    public int pick(LoadView view, long nowNs) {
        long sum = draw.refresh(view);
        double meanWeight = (double) sum / view.size();
        return view.size() <= FEW ? scan(view, meanWeight, nowNs) : ofTwo(view, sum, meanWeight, nowNs);
    }

    private int scan(LoadView view, double meanWeight, long nowNs) {
        int best = NONE;
        double least = Double.POSITIVE_INFINITY;
        long sum = 0;
        for (int i = 0; i < view.size(); i++) {
            int weight = view.weight(i);
            if (weight > 0 && view.hasRoom(i)) {
                sum += weight;
                double load = load(view, i, meanWeight, nowNs);
                if (load < least) {
                    least = load;
                    best = i;
                }
            }
        }
        return picked(view, best, sum, meanWeight);
    }

    private int ofTwo(LoadView view, long sum, double meanWeight, long nowNs) {
        int first = draw.draw(view);
        int second = first == NONE ? NONE : draw.drawSecond(view, first);
        boolean isFirst =
                second == NONE || load(view, first, meanWeight, nowNs) <= load(view, second, meanWeight, nowNs);
        return picked(view, isFirst ? first : second, sum, meanWeight);
    }

    /** @param sum of the weights that share the calls */
    private int picked(LoadView view, int index, long sum, double meanWeight) {
        if (index != NONE) {
            int weight = view.weight(index);
            failures.picked(view.inFlight(index) * meanWeight / weight);
            credit.picked(index, weight, sum);
        }
        return index;
    }

    private double load(LoadView view, int index, double meanWeight, long nowNs) {
        int weight = view.weight(index);
        double calls = view.inFlight(index) * meanWeight / weight;
        return calls + failures.calls(index, nowNs) - credit.of(index, weight);
    }

    @Override
    public EndpointEstimate estimate(LoadView view, int index, long nowNs) {
        double meanWeight = (double) draw.refresh(view) / view.size();
        double calls = view.inFlight(index) * meanWeight / Math.max(1, view.weight(index));
        return new EndpointEstimate(calls + failures.calls(index, nowNs), 0, EndpointEstimate.Heat.UNKNOWN);
    }

    @Override
    public void answered(int index, long durationNs, long nowNs) {
        failures.answered(index, nowNs);
    }

    @Override
    public void endedWithoutResult(int index, long durationNs, long nowNs) {
        failures.endedWithoutResult(index, nowNs);
    }

    @Override
    public void failed(int index, long durationNs, long nowNs) {
        failures.failed(index, nowNs);
    }

    @Override
    public void forgetFailures(int index) {
        failures.clear(index);
    }

    @Override
    public LoadBalancer changed(int[] previousIndex) {
        return new LeastRequest(
                draw.resized(previousIndex.length), credit.changed(previousIndex), failures.changed(previousIndex));
    }
}
