package io.dubbomesh.micro;

import io.dubbomesh.loadbalance.LoadBalancer;
import io.dubbomesh.loadbalance.LoadView;
import io.dubbomesh.loadbalance.Strategy;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntSupplier;

/**
 * One pick. The agent's strategies read weights and permits at each pick. The usual hand-written balancer is random over a list that is
 * prepared once: it neither follows a weight that changes nor passes over an endpoint that is full.
 */
public class BalancerBenchmark extends Microbenchmark {
    private static final int[] WEIGHTS = {112, 200, 200};

    @Param({"3", "30"})
    public int endpoints;

    private View view;
    private LoadBalancer smooth;
    private LoadBalancer random;
    private final List<Integer> expanded = new ArrayList<>();
    private int sum;

    @Setup
    public void setUp() {
        view = new View(endpoints);
        smooth = Strategy.WEIGHTED_ROUND_ROBIN.newBalancer(endpoints, 0);
        random = Strategy.WEIGHTED_RANDOM.newBalancer(endpoints, 0);
        for (int i = 0; i < endpoints; i++) {
            sum += view.weight(i);
            for (int n = 0; n < view.weight(i); n++) {
                expanded.add(i);
            }
        }
        requireShares(this::agentSmooth, 0);
        requireShares(this::agentRandom, 0.05);
        requireShares(this::expandedList, 0.05);
    }

    /** In a hundred rounds each endpoint is picked in proportion to its weight, within the tolerance. */
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

    /** Each endpoint is in the list as often as its weight says. */
    @Benchmark
    public int expandedList() {
        return expanded.get(ThreadLocalRandom.current().nextInt(expanded.size()));
    }

    private record View(int size) implements LoadView {
        @Override
        public int weight(int index) {
            return WEIGHTS[index % WEIGHTS.length];
        }

        @Override
        public boolean hasRoom(int index) {
            return true;
        }
    }
}
