package io.dubbomesh.micro;

import io.dubbomesh.loadbalance.LoadBalancer;
import io.dubbomesh.loadbalance.LoadView;
import io.dubbomesh.loadbalance.Strategy;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

import java.util.SplittableRandom;

/** Measures the choice of an endpoint, and what its answer costs. */
public class PickBenchmark extends Microbenchmark {
    private static final long CALL_NS = 1_000_000;
    private static final long PICK_NS = 10_000;
    /** Calls in flight: each pick is answered after so many others. */
    private static final int IN_FLIGHT = 64;

    @Param({"3", "10000"})
    public int endpoints;

    @Param({"weighted-round-robin", "weighted-random", "least-request", "peak-ewma", "prequal", "hash"})
    public String strategy;

    private final int[] picked = new int[IN_FLIGHT];
    private Fleet fleet;
    private LoadBalancer balancer;
    private int next;

    /** Endpoints of three weights, all with room. */
    private static final class Fleet implements LoadView {
        private final int[] weights;
        private final int[] inFlight;
        private final int[] calls;
        private long nowNs;
        private long key;

        private Fleet(int size) {
            weights = new int[size];
            inFlight = new int[size];
            calls = new int[size];
            SplittableRandom random = new SplittableRandom(1);
            for (int i = 0; i < size; i++) {
                weights[i] = 100 * (1 + i % 3);
                calls[i] = random.nextInt(50);
            }
        }

        @Override
        public long key() {
            return key;
        }

        @Override
        public long identity(int index) {
            return index;
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
        public int weightsVersion() {
            return 0;
        }

        @Override
        public boolean hasRoom(int index) {
            return inFlight[index] < 200;
        }

        @Override
        public int inFlight(int index) {
            return inFlight[index];
        }

        @Override
        public boolean reportsLoad(int index) {
            return true;
        }

        @Override
        public int providerCalls(int index) {
            return calls[index];
        }

        @Override
        public long providerCallNs(int index) {
            return CALL_NS + calls[index];
        }
    }

    @Setup
    public void setUp() {
        fleet = new Fleet(endpoints);
        balancer = Strategy.named(strategy).newBalancer(endpoints, 0, 1);
        for (int i = 0; i < IN_FLIGHT; i++) {
            fleet.key++;
            picked[i] = balancer.pick(fleet, 0);
            fleet.inFlight[picked[i]]++;
        }
        requireEqual(pick() >= 0, true);
    }

    /** A pick, and the answer of the call that was sent 64 picks ago. */
    @Benchmark
    public int pick() {
        fleet.nowNs += PICK_NS;
        fleet.key++;
        int answered = picked[next];
        fleet.inFlight[answered]--;
        balancer.answered(answered, CALL_NS, fleet.nowNs);
        int index = balancer.pick(fleet, fleet.nowNs);
        fleet.inFlight[index]++;
        picked[next] = index;
        next = (next + 1) % IN_FLIGHT;
        return index;
    }
}
