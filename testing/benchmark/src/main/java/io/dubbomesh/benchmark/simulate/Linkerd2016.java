package io.dubbomesh.benchmark.simulate;

import io.dubbomesh.benchmark.simulate.world.Agent;
import io.dubbomesh.benchmark.simulate.world.Normal;
import io.dubbomesh.benchmark.simulate.world.Policy;
import io.dubbomesh.benchmark.simulate.world.Sleeping;
import io.dubbomesh.benchmark.simulate.world.Tally;
import io.dubbomesh.benchmark.simulate.world.Timeline;
import io.dubbomesh.benchmark.simulate.world.World;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The simulation of "Beyond Round Robin: Load Balancing for Latency" (S. Bruner, Buoyant, March 2016): one client sends
 * 1,000 requests a second to 11 servers, whose latency is normal with a mean of 167 ms and a standard deviation of 5;
 * one of them takes 2 s from the 15th to the 45th of 60 seconds. What takes longer than 1 s counts as a failure. There,
 * round robin succeeded with 95 %, least loaded with 99 %, peak EWMA with 99.9 %.
 */
final class Linkerd2016 implements Scenario {
    private static final int SERVERS = 11;
    private static final double PER_SECOND = 1000;
    private static final long TIMEOUT_NS = World.SECOND;
    private static final long SLOW_NS = 2 * World.SECOND;

    private final int seconds;

    /** @param seconds of the simulation, half of which one server is slow */
    Linkerd2016(int seconds) {
        this.seconds = seconds;
    }

    @Override
    public String description() {
        return "one client, 1,000 requests/s, 11 servers of 167 ms (sd 5), one of them 2 s for half of " + seconds
                + " s, timeout 1 s, nothing ejected";
    }

    @Override
    public List<Policy> policies() {
        List<Policy> policies = new ArrayList<>(Policy.product());
        policies.add(Policy.LEAST_LOADED);
        return policies;
    }

    @Override
    public List<Phase> run(Policy policy, long seed) {
        World world = new World(policy, seed);
        Timeline timeline = world.timeline;
        long endNs = seconds * World.SECOND;
        for (int i = 0; i < SERVERS; i++) {
            boolean isSlow = i == SERVERS / 2;
            SplittableRandom random = world.random();
            world.addBackend(Integer.MAX_VALUE, new Sleeping(timeline, () -> {
                long nowNs = timeline.nowNs();
                return isSlow && nowNs >= endNs / 4 && nowNs < endNs * 3 / 4
                        ? SLOW_NS
                        : (long) ((167 + 5 * Normal.next(random)) * World.MS);
            }));
        }
        Agent client = world.addAgent(World.NO_EJECTION, TIMEOUT_NS, 0);
        world.updateAll();
        Tally tally = new Tally();
        tally.lasted(endNs);
        world.countIn(tally);
        world.poisson(client, () -> PER_SECOND, () -> timeline.nowNs() < endNs);
        timeline.runUntil(endNs + 2 * TIMEOUT_NS);
        return List.of(new Phase("", tally, Double.NaN, Phase.Links.FIXED));
    }
}
