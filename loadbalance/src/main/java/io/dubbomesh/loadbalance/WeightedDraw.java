package io.dubbomesh.loadbalance;

import java.util.SplittableRandom;

/**
 * Draws endpoints at random, each with a probability of its weight over the sum of the weights, in constant time: A. J.
 * Walker's method of aliases, whose tables are made in linear time as M. D. Vose describes ("A linear algorithm for
 * generating random numbers with a given distribution", 1991). They are made again when weights have changed.
 */
final class WeightedDraw {
    /** Draws until one has room; where most are full, the rest is counted. */
    private static final int TRIES = 8;

    private static final double COIN = 0x1p32;

    private final SplittableRandom random;
    /** The probability with which the endpoint of a column is drawn and not its alias, as an unsigned part of 2^32. */
    private final int[] keep;

    private final int[] alias;
    /** Scratch for making the tables: what is left of each endpoint, and those that are to be placed. */
    private final long[] part;

    private final int[] stack;
    private boolean made;
    private int version;
    private long sum;
    private double mean;

    WeightedDraw(int size, SplittableRandom random) {
        this.random = random;
        keep = new int[size];
        alias = new int[size];
        part = new long[size];
        stack = new int[size];
    }

    /** Returns a draw of another number of endpoints that goes on with the same random numbers. */
    WeightedDraw resized(int size) {
        return new WeightedDraw(size, random);
    }

    /** Makes the tables if the weights have changed. Returns the sum of the weights. */
    long refresh(LoadView view) {
        assert view.size() == keep.length : view.size() + " endpoints, but a draw of " + keep.length;
        if (!made || version != view.weightsVersion()) {
            made = true;
            version = view.weightsVersion();
            make(view);
        }
        return sum;
    }

    /** Returns the mean of the weights; makes the tables if these have changed. */
    double mean(LoadView view) {
        refresh(view);
        return mean;
    }

    private void make(LoadView view) {
        int size = keep.length;
        sum = 0;
        for (int i = 0; i < size; i++) {
            sum += view.weight(i);
        }
        mean = (double) sum / size;
        // The columns have the same height, sum; an endpoint brings size times its weight. Those that do not fill their
        // column stand at the front of the stack, the others at its end.
        int small = 0;
        int large = size;
        for (int i = 0; i < size; i++) {
            part[i] = (long) view.weight(i) * size;
            if (part[i] < sum) {
                stack[small++] = i;
            } else {
                stack[--large] = i;
            }
        }
        while (small > 0 && large < size) {
            int column = stack[--small];
            int filler = stack[large];
            keep[column] = (int) (long) (part[column] / (double) sum * COIN);
            alias[column] = filler;
            part[filler] -= sum - part[column];
            if (part[filler] < sum) {
                large++;
                stack[small++] = filler;
            }
        }
        for (; large < size; large++) {
            alias[stack[large]] = stack[large];
        }
    }

    /** Returns any endpoint with a weight, with room or without; there must be one. */
    private int draw() {
        long bits = random.nextLong();
        int column = (int) ((bits >>> 32) * keep.length >>> 32);
        return Integer.compareUnsigned((int) bits, keep[column]) < 0 ? column : alias[column];
    }

    /** Returns an endpoint with weight and room, or {@link LoadBalancer#NONE}; the tables must be those of the view. */
    int draw(LoadView view) {
        if (sum == 0) {
            return LoadBalancer.NONE;
        }
        int drawn = drawSecond(view, LoadBalancer.NONE);
        return drawn == LoadBalancer.NONE ? count(view) : drawn;
    }

    /**
     * Returns another endpoint with weight and room to compare the first one with, or {@link LoadBalancer#NONE} if a
     * few tries found none: where most are full, the first is good enough, and looking at each costs more.
     */
    int drawSecond(LoadView view, int first) {
        for (int i = 0; i < TRIES; i++) {
            int drawn = draw();
            if (drawn != first && view.hasRoom(drawn)) {
                return drawn;
            }
        }
        return LoadBalancer.NONE;
    }

    private int count(LoadView view) {
        int size = keep.length;
        long left = 0;
        for (int i = 0; i < size; i++) {
            if (view.hasRoom(i)) {
                left += view.weight(i);
            }
        }
        if (left == 0) {
            return LoadBalancer.NONE;
        }
        long ticket = random.nextLong(left);
        for (int i = 0; i < size; i++) {
            if (view.hasRoom(i)) {
                ticket -= view.weight(i);
                if (ticket < 0) {
                    return i;
                }
            }
        }
        throw new AssertionError("the view changed during a pick");
    }
}
