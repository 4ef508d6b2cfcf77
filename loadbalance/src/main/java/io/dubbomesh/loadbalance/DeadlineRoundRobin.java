package io.dubbomesh.loadbalance;

import java.util.SplittableRandom;

/**
 * Weighted round robin of many endpoints, in logarithmic time: each has a next turn, after which the following is the
 * inverse of its weight later, and the earliest is picked. These are the deadlines of Envoy's EdfScheduler
 * (source/common/upstream/edf_scheduler.h); the first are drawn at random, so that balancers do not begin in step. Over
 * any {@code sum(weights)} picks in which all take part, each gets exactly its weight, as with
 * {@link SmoothWeightedRoundRobin}.
 *
 * <p>An endpoint that is full at its turn misses it. One that has missed several is picked once when it returns.
 */
final class DeadlineRoundRobin implements LoadBalancer {
    /** Turns of full endpoints that are passed over; where there are more, the others are looked for. */
    private static final int PASSED = 8;

    private final int offset;
    private final SplittableRandom random;
    private final double[] turn;
    /** The time from one turn to the next; 0 for an endpoint that has no turn yet. */
    private final double[] period;
    /** The endpoints with weights, a binary heap by their turns. */
    private final int[] heap;

    private final int[] passed = new int[PASSED];
    private int heapSize;
    private double now;
    private boolean made;
    private int version;

    DeadlineRoundRobin(int size, int offset, SplittableRandom random) {
        this.offset = offset;
        this.random = random;
        turn = new double[size];
        period = new double[size];
        heap = new int[size];
    }

    @Override
    public int pick(LoadView view, long nowNs) {
        assert view.size() == turn.length : view.size() + " endpoints, but turns of " + turn.length;
        if (!made || version != view.weightsVersion()) {
            made = true;
            version = view.weightsVersion();
            reweigh(view);
        }
        int full = 0;
        while (full < PASSED && heapSize > 0 && !view.hasRoom(heap[0])) {
            passed[full++] = heap[0];
            heap[0] = heap[--heapSize];
            siftDown(0);
        }
        int place = full < PASSED ? 0 : earliestWithRoom(view);
        int picked = place < heapSize ? heap[place] : NONE;
        if (picked != NONE) {
            now = Math.max(now, turn[picked]);
            turn[picked] = now + period[picked];
            siftDown(place);
        }
        while (full > 0) {
            int missed = passed[--full];
            turn[missed] += picked == NONE ? 0 : period[missed];
            push(missed);
        }
        return picked;
    }

    private int earliestWithRoom(LoadView view) {
        int earliest = heapSize;
        for (int place = 0; place < heapSize; place++) {
            if ((earliest == heapSize || turn[heap[place]] < turn[heap[earliest]]) && view.hasRoom(heap[place])) {
                earliest = place;
            }
        }
        return earliest;
    }

    /** Takes the weights of the view; the turns that endpoints wait for move with theirs. */
    private void reweigh(LoadView view) {
        heapSize = 0;
        for (int i = 0; i < turn.length; i++) {
            int weight = view.weight(i);
            if (weight == 0) {
                period[i] = 0;
                continue;
            }
            double changed = 1.0 / weight;
            double parts = period[i] == 0 ? random.nextDouble() : Math.max(0, turn[i] - now) / period[i];
            turn[i] = now + parts * changed;
            period[i] = changed;
            heap[heapSize++] = i;
        }
        for (int place = heapSize / 2 - 1; place >= 0; place--) {
            siftDown(place);
        }
    }

    private void push(int index) {
        int place = heapSize++;
        while (place > 0 && turn[heap[(place - 1) / 2]] > turn[index]) {
            heap[place] = heap[(place - 1) / 2];
            place = (place - 1) / 2;
        }
        heap[place] = index;
    }

    private void siftDown(int from) {
        if (from >= heapSize) {
            return;
        }
        int place = from;
        int index = heap[place];
        int child;
        while ((child = 2 * place + 1) < heapSize) {
            if (child + 1 < heapSize && turn[heap[child + 1]] < turn[heap[child]]) {
                child++;
            }
            if (turn[heap[child]] >= turn[index]) {
                break;
            }
            heap[place] = heap[child];
            place = child;
        }
        heap[place] = index;
    }

    /** Returns the balancer for a changed list: those that stay keep their turns, new ones get one within a round. */
    @Override
    public LoadBalancer changed(int[] previousIndex) {
        if (previousIndex.length <= SmoothWeightedRoundRobin.FEW) {
            return new SmoothWeightedRoundRobin(previousIndex.length, offset, random);
        }
        DeadlineRoundRobin changed = new DeadlineRoundRobin(previousIndex.length, offset, random);
        changed.now = now;
        for (int i = 0; i < previousIndex.length; i++) {
            int previous = previousIndex[i];
            if (previous >= 0) {
                changed.turn[i] = turn[previous];
                changed.period[i] = period[previous];
            }
        }
        return changed;
    }
}
