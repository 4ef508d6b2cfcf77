package io.dubbomesh.loadbalance;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Raises every endpoint's score by its weight, picks the highest, then lowers the winner by the sum of the weights:
 * weights 5, 1, 1 yield a a b a c a a, where plain weighting would yield a a a a a b c. This is the smooth weighted
 * balancing of nginx (ngx_http_upstream_round_robin.c, since 1.3.1).
 *
 * <p>An endpoint that is full or has weight 0 takes no part in the round: its score is not raised and its weight not
 * counted, so the others share the calls by their weights, and it does not get the calls it missed when it returns.
 * Over any {@code sum(weights)} picks in which all take part, each gets exactly its weight.
 *
 * <p>Each pick looks at every endpoint; of more than {@link #FEW} a {@link DeadlineRoundRobin} takes its place.
 */
final class SmoothWeightedRoundRobin implements LoadBalancer {
    /** So many endpoints are looked at in no more time than the others take. */
    static final int FEW = 64;

    private final int offset;
    private final SplittableRandom random;
    /** Their sum is 0 but for rounding after a change; each stays within the sum of the weights while all take part. */
    private final long[] scores;

    private boolean started;
    private long weightSum;

    /** @param random for the balancer of a list that has become long */
    SmoothWeightedRoundRobin(int size, int offset, SplittableRandom random) {
        this(new long[size], offset, random, false, 0);
    }

    private SmoothWeightedRoundRobin(
            long[] scores, int offset, SplittableRandom random, boolean started, long weightSum) {
        if (offset < 0) {
            throw new IllegalArgumentException("offset: " + offset + " (expected: >= 0)");
        }
        this.scores = scores;
        this.offset = offset;
        this.random = random;
        this.started = started;
        this.weightSum = weightSum;
    }

    @Override
    public int pick(LoadView view, long nowNs) {
        assert view.size() == scores.length : view.size() + " endpoints, but scores of " + scores.length;
        if (!started) {
            start(view);
        }
        return round(view, false);
    }

    /** Room is not considered here, so that balancers that start together keep their distance. */
    private void start(LoadView view) {
        long sum = 0;
        for (int i = 0; i < scores.length; i++) {
            sum += view.weight(i);
        }
        if (sum == 0) {
            return;
        }
        started = true;
        // The scores are back at zero after so many picks.
        for (long n = offset % sum; n > 0; n--) {
            round(view, true);
        }
    }

    private int round(LoadView view, boolean roomForAll) {
        int winner = NONE;
        long winnerScore = 0;
        long sum = 0;
        long total = 0;
        for (int i = 0; i < scores.length; i++) {
            int weight = view.weight(i);
            sum += weight;
            if (weight == 0 || !roomForAll && !view.hasRoom(i)) {
                continue;
            }
            total += weight;
            long score = scores[i] + weight;
            scores[i] = score;
            if (winner == NONE || score > winnerScore) {
                winner = i;
                winnerScore = score;
            }
        }
        if (winner != NONE) {
            scores[winner] -= total;
        }
        if (sum < weightSum) {
            clampScores(sum);
        }
        weightSum = sum;
        return winner;
    }

    /**
     * Reduces the scores after weights shrank: those of the old size would outweigh the new weights for many rounds:
     * from 1000 and 1 to 1 and 1 the first would get hundreds of calls in a row.
     */
    private void clampScores(long sum) {
        for (int i = 0; i < scores.length; i++) {
            scores[i] = Math.max(-sum, Math.min(sum, scores[i]));
        }
    }

    /**
     * Returns the balancer for a changed list: the scores of endpoints that stay keep their differences; a new endpoint
     * starts at their mean, so it neither gets a burst nor waits longer than a round. If no endpoint stays, the new
     * balancer starts from its offset.
     */
    @Override
    public LoadBalancer changed(int[] previousIndex) {
        if (previousIndex.length > FEW) {
            return new DeadlineRoundRobin(previousIndex.length, offset, random);
        }
        long staying = 0;
        long sum = 0;
        for (int previous : previousIndex) {
            if (previous >= 0) {
                staying++;
                sum += scores[previous];
            }
        }
        if (staying == 0) {
            return new SmoothWeightedRoundRobin(previousIndex.length, offset, random);
        }
        long mean = Math.floorDiv(sum, staying);
        long[] newScores = new long[previousIndex.length];
        Arrays.setAll(newScores, i -> previousIndex[i] < 0 ? 0 : scores[previousIndex[i]] - mean);
        return new SmoothWeightedRoundRobin(newScores, offset, random, started, weightSum);
    }
}
