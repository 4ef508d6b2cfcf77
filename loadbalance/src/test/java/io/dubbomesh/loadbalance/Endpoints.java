package io.dubbomesh.loadbalance;

import java.util.Arrays;
import java.util.SplittableRandom;

/** A view of endpoints a, b, c, ... whose weights, rooms, calls and loads the test sets. */
final class Endpoints implements LoadView {
    final int[] weights;
    final boolean[] room;
    final int[] inFlight;
    /** The calls that each has reported; -1 for one that reports nothing. */
    final int[] providerCalls;

    final long[] providerCallNs;
    /** The numbers of the endpoints themselves. */
    final long[] identities;

    long nowNs;
    /** The key of the next calls. */
    long key = NO_KEY;
    /** Draws another key for each call; null where the test sets it. */
    private SplittableRandom keys;
    /** The number of times that a balancer has asked for room. */
    private int[] looks = {0};

    private Endpoints(int[] weights) {
        this.weights = weights;
        this.room = new boolean[weights.length];
        Arrays.fill(room, true);
        this.inFlight = new int[weights.length];
        this.providerCalls = new int[weights.length];
        Arrays.fill(providerCalls, -1);
        this.providerCallNs = new long[weights.length];
        this.identities = new long[weights.length];
        Arrays.setAll(identities, i -> i + 1);
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

    Endpoints counting(int[] counted) {
        looks = counted;
        return this;
    }

    /** Has each pick be for another key. */
    Endpoints keyed() {
        keys = new SplittableRandom(1);
        return this;
    }

    @Override
    public long key() {
        return key;
    }

    @Override
    public int size() {
        return weights.length;
    }

    @Override
    public long identity(int index) {
        return identities[index];
    }

    @Override
    public int weight(int index) {
        return weights[index];
    }

    @Override
    public int weightsVersion() {
        return Arrays.hashCode(weights);
    }

    @Override
    public boolean hasRoom(int index) {
        looks[0]++;
        return room[index];
    }

    @Override
    public int inFlight(int index) {
        return inFlight[index];
    }

    @Override
    public boolean reportsLoad(int index) {
        return providerCalls[index] >= 0;
    }

    @Override
    public int providerCalls(int index) {
        return providerCalls[index];
    }

    @Override
    public long providerCallNs(int index) {
        return providerCallNs[index];
    }

    void report(int index, int calls, long callNs) {
        providerCalls[index] = calls;
        providerCallNs[index] = callNs;
    }

    int pick(LoadBalancer balancer) {
        if (keys != null) {
            key = keys.nextLong();
        }
        return balancer.pick(this, nowNs);
    }

    /** The next picks as letters, "-" for none: "a a b". */
    String picks(LoadBalancer balancer, int count) {
        StringBuilder letters = new StringBuilder();
        for (int i = 0; i < count; i++) {
            int picked = pick(balancer);
            letters.append(i == 0 ? "" : " ").append(picked == LoadBalancer.NONE ? '-' : (char) ('a' + picked));
        }
        return letters.toString();
    }

    /** Returns the number of the next picks that each endpoint gets. */
    int[] shares(LoadBalancer balancer, int count) {
        int[] shares = new int[weights.length];
        for (int i = 0; i < count; i++) {
            shares[pick(balancer)]++;
        }
        return shares;
    }
}
