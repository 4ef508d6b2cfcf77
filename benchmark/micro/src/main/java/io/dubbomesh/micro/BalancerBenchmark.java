package io.dubbomesh.micro;

import io.dubbomesh.loadbalance.LoadBalancer;
import io.dubbomesh.loadbalance.LoadView;
import io.dubbomesh.loadbalance.Strategy;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntSupplier;

/**
 * One pick. The agent's strategies read weights and room afresh each time; the usual two of hand-written balancers, which are random,
 * prepare them once, and so neither follow a weight that changes nor pass over an endpoint that is full.
 */
public class BalancerBenchmark extends Microbenchmark {
    private static final int[] WEIGHTS = {112, 200, 200};

    @Param({"3", "30"})
    public int endpoints;

    private View view;
    private LoadBalancer smooth;
    private LoadBalancer random;
    private final List<Integer> expanded = new ArrayList<>();
    private final TreeMap<Integer, Integer> sums = new TreeMap<>();
    private int sum;

    @Setup
    public void setUp() {
        view = new View(endpoints);
        smooth = Strategy.WEIGHTED_ROUND_ROBIN.newBalancer(endpoints, 0);
        random = Strategy.WEIGHTED_RANDOM.newBalancer(endpoints, 0);
        for (int i = 0; i < endpoints; i++) {
            sum += view.weight(i);
            sums.put(sum - 1, i);
            for (int n = 0; n < view.weight(i); n++) {
                expanded.add(i);
            }
        }
        requireShares(this::agentSmooth, 0);
        requireShares(this::agentRandom, 0.05);
        requireShares(this::expandedList, 0.05);
        requireShares(this::treeMap, 0.05);
    }

    /** Of a hundred rounds each endpoint gets its weight, give or take this part of it. */
    private void requireShares(IntSupplier balancer, double tolerance) {
        int rounds = 100;
        int[] shares = new int[endpoints];
        for (int n = 0; n < rounds * sum; n++) {
            shares[balancer.getAsInt()]++;
        }
        for (int i = 0; i < endpoints; i++) {
            int expected = rounds * view.weight(i);
            if (Math.abs(shares[i] - expected) > tolerance * expected) {
                throw new IllegalStateException("endpoint " + i + ": " + shares[i] + " (expected: " + expected + ")");
            }
        }
    }

    @Benchmark
    public int agentSmooth() {
        return smooth.pick(view);
    }

    @Benchmark
    public int agentRandom() {
        return random.pick(view);
    }

    /** Each endpoint stands in a list as often as it weighs. */
    @Benchmark
    public int expandedList() {
        return expanded.get(ThreadLocalRandom.current().nextInt(expanded.size()));
    }

    /** Each endpoint stands under the last ticket of its range. */
    @Benchmark
    public int treeMap() {
        Map.Entry<Integer, Integer> winner =
                sums.ceilingEntry(ThreadLocalRandom.current().nextInt(sum));
        return winner.getValue();
    }

    private static final class View implements LoadView {
        private final int[] weights;
        private final boolean[] room;

        private View(int size) {
            weights = new int[size];
            room = new boolean[size];
            for (int i = 0; i < size; i++) {
                weights[i] = WEIGHTS[i % WEIGHTS.length];
                room[i] = true;
            }
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
    }
}
