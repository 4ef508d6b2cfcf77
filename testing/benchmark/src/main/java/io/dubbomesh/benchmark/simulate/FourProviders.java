package io.dubbomesh.benchmark.simulate;

import io.dubbomesh.benchmark.simulate.world.Agent;
import io.dubbomesh.benchmark.simulate.world.Policy;
import io.dubbomesh.benchmark.simulate.world.SharedCores;
import io.dubbomesh.benchmark.simulate.world.Tally;
import io.dubbomesh.benchmark.simulate.world.Timeline;
import io.dubbomesh.benchmark.simulate.world.World;

import java.util.Collections;
import java.util.List;

/**
 * Four providers that compute, held to different parts of a processor, and calls at random times: what {@code bench.sh
 * balance} measures with real processes.
 */
public final class FourProviders implements Scenario {
    /** What each provider may use. */
    public static final List<Double> CORES = List.of(0.75, 0.35, 0.35, 0.35);

    /** What a call computes. */
    public static final int BUSY_MS = 5;

    public static final int CALLS_PER_SECOND = 220;

    /** What Dubbo and the provider's JVM add to a call: an assumption, which no run has checked yet. */
    private static final double OVERHEAD_MS = 0.4;

    private static final int LOOPS = 2;
    private static final int LIMIT = 180;
    private static final long TIMEOUT_NS = 5 * World.SECOND;
    private static final long NETWORK_NS = World.MS / 4;
    private static final long WARMUP_NS = 5 * World.SECOND;
    private static final long END_NS = 65 * World.SECOND;

    private final List<Integer> weights;

    /** @param weights of the providers; empty for equal ones */
    public FourProviders(List<Integer> weights) {
        this.weights = weights.isEmpty() ? Collections.nCopies(CORES.size(), 1) : weights;
    }

    @Override
    public String description() {
        return "providers held to " + CORES + " of a core, " + BUSY_MS + " ms of it for a call, " + CALLS_PER_SECOND
                + " calls/s, weights " + weights + ", nothing ejected";
    }

    @Override
    public List<Policy> policies() {
        return Policy.product();
    }

    @Override
    public List<Phase> run(Policy policy, long seed) {
        World world = new World(policy, seed);
        Timeline timeline = world.timeline;
        for (double cores : CORES) {
            world.addBackend(
                    LIMIT, new SharedCores(timeline, cores, () -> (long) ((BUSY_MS + OVERHEAD_MS) * World.MS)));
        }
        world.addAgent(World.NO_EJECTION, LOOPS, TIMEOUT_NS, NETWORK_NS);
        for (Agent agent : world.agents) {
            world.poisson(agent, () -> (double) CALLS_PER_SECOND / LOOPS, () -> timeline.nowNs() < END_NS);
        }
        world.updateAll(weights);
        timeline.runUntil(WARMUP_NS);
        Tally tally = new Tally();
        tally.lasted(END_NS - WARMUP_NS);
        world.countIn(tally);
        timeline.runUntil(END_NS + 2 * TIMEOUT_NS);
        return List.of(new Phase("", tally, Double.NaN, Phase.Links.FIXED));
    }
}
