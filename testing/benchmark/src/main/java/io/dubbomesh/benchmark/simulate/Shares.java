package io.dubbomesh.benchmark.simulate;

import java.util.Arrays;
import java.util.List;

/** Compares what endpoints have got with what they should have by their weights. */
final class Shares {
    private Shares() {}

    /** Returns how far the endpoint that is furthest from its share is off, in parts of that share. */
    static double error(double[] calls, List<Integer> weights) {
        double sum = Arrays.stream(calls).sum();
        double weightSum = weights.stream().mapToInt(Integer::intValue).sum();
        double error = 0;
        for (int i = 0; i < calls.length; i++) {
            double share = sum * weights.get(i) / weightSum;
            error = Math.max(error, Math.abs(calls[i] - share) / share);
        }
        return error;
    }
}
