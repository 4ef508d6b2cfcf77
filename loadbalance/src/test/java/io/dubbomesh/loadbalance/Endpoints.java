package io.dubbomesh.loadbalance;

import java.util.Arrays;

/** A view of endpoints a, b, c, ... whose weights and rooms the test sets. */
final class Endpoints implements LoadView {
    final int[] weights;
    final boolean[] room;

    private Endpoints(int[] weights) {
        this.weights = weights;
        this.room = new boolean[weights.length];
        Arrays.fill(room, true);
    }

    static Endpoints weighing(int... weights) {
        return new Endpoints(weights.clone());
    }

    Endpoints full(int... indexes) {
        for (int index : indexes) {
            room[index] = false;
        }
        return this;
    }

    @Override
    public int size() {
        return weights.length;
    }

    @Override
    public int weight(int index) {
        return weights[index];
    }

    @Override
    public boolean hasRoom(int index) {
        return room[index];
    }

    /** The next picks as letters, "-" for none: "a a b". */
    String picks(LoadBalancer balancer, int count) {
        StringBuilder letters = new StringBuilder();
        for (int i = 0; i < count; i++) {
            int picked = balancer.pick(this);
            letters.append(i == 0 ? "" : " ").append(picked == LoadBalancer.NONE ? '-' : (char) ('a' + picked));
        }
        return letters.toString();
    }

    /** Returns the number of the next picks that each endpoint gets. */
    int[] shares(LoadBalancer balancer, int count) {
        int[] shares = new int[weights.length];
        for (int i = 0; i < count; i++) {
            shares[balancer.pick(this)]++;
        }
        return shares;
    }
}
