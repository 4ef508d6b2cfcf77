package io.dubbomesh.benchmark.simulate.world;

import io.dubbomesh.loadbalance.LoadBalancer;
import io.dubbomesh.loadbalance.LoadView;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Prequal as the paper has it, with probes: three for each query, to servers drawn at random, whose answers are in the
 * pool before the next query. Only here can they be had for nothing.
 */
public final class ProbedPrequal implements LoadBalancer {
    public static final Policy POLICY = new Policy("prequal with probes (paper)", ProbedPrequal::new);

    private static final int POOL = 16;
    private static final int PROBES_PER_QUERY = 3;
    private static final double HOT_QUANTILE = Math.pow(2, -0.25);
    private static final long MAX_AGE_NS = 1_000_000_000L;
    private static final int HISTORY = 128;

    private static final class Probe {
        private final int index;
        private final long timeNs;
        private final long latencyNs;
        private int calls;
        private double usesLeft;

        private Probe(int index, BackendLoad load, double usesLeft) {
            this.index = index;
            this.usesLeft = usesLeft;
            timeNs = load.toldNs();
            latencyNs = load.callNs();
            calls = load.calls();
        }
    }

    private final int agent;
    private final Policy.Agents agents;
    private final SplittableRandom random;
    private final List<Probe> pool = new ArrayList<>();
    private final int[] history = new int[HISTORY];
    private long probed;
    private boolean dropOldest;

    private ProbedPrequal(int agent, long seed, Policy.Agents agents) {
        this.agent = agent;
        this.agents = agents;
        random = new SplittableRandom(seed);
    }

    @Override
    public int pick(LoadView view, long nowNs) {
        pool.removeIf(probe -> nowNs - probe.timeNs > MAX_AGE_NS);
        Probe picked = best();
        int index = picked == null ? random.nextInt(view.size()) : picked.index;
        if (picked != null) {
            picked.calls++;
            picked.usesLeft--;
            if (picked.usesLeft < random.nextDouble()) {
                pool.remove(picked);
            }
        }
        drop();
        for (int i = 0; i < PROBES_PER_QUERY; i++) {
            probe(random.nextInt(view.size()), view.size());
        }
        return index;
    }

    private void probe(int index, int size) {
        BackendLoad load = agents.backend(agent, index).probe();
        history[(int) (probed++ % HISTORY)] = load.calls();
        if (pool.size() == POOL) {
            pool.remove(0);
        }
        // Equation 1 of the paper, with one probe removed for each query and delta 1.
        double uses = 2 / ((1 - (double) POOL / size) * PROBES_PER_QUERY - 1);
        pool.add(new Probe(index, load, uses > 0 ? Math.max(1, uses) : 1));
    }

    private int hotAbove() {
        int known = (int) Math.min(probed, HISTORY);
        int[] sorted = Arrays.copyOf(history, known);
        Arrays.sort(sorted);
        return sorted[(int) ((known - 1) * HOT_QUANTILE)];
    }

    private Probe best() {
        if (pool.size() < 2) {
            return null;
        }
        int hotAbove = hotAbove();
        return pool.stream()
                .filter(probe -> probe.calls <= hotAbove)
                .min(Comparator.comparingLong(probe -> probe.latencyNs))
                .orElseGet(() -> pool.stream()
                        .min(Comparator.comparingInt(probe -> probe.calls))
                        .orElseThrow());
    }

    private void drop() {
        if (pool.size() < 2) {
            return;
        }
        dropOldest = !dropOldest;
        if (dropOldest) {
            pool.remove(0);
            return;
        }
        int hotAbove = hotAbove();
        pool.remove(pool.stream()
                .filter(probe -> probe.calls > hotAbove)
                .max(Comparator.comparingInt(probe -> probe.calls))
                .orElseGet(() -> pool.stream()
                        .max(Comparator.comparingLong(probe -> probe.latencyNs))
                        .orElseThrow()));
    }

    @Override
    public LoadBalancer changed(int[] previousIndex) {
        pool.clear();
        return this;
    }
}
