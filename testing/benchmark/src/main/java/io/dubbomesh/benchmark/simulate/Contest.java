package io.dubbomesh.benchmark.simulate;

import io.dubbomesh.benchmark.simulate.world.Agent;
import io.dubbomesh.benchmark.simulate.world.Backend;
import io.dubbomesh.benchmark.simulate.world.Policy;
import io.dubbomesh.benchmark.simulate.world.Sleeping;
import io.dubbomesh.benchmark.simulate.world.Tally;
import io.dubbomesh.benchmark.simulate.world.ThreadPool;
import io.dubbomesh.benchmark.simulate.world.Timeline;
import io.dubbomesh.benchmark.simulate.world.World;

import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The contest's shape: three providers of 112, 200 and 200 threads that sleep 50 ms for each call, and 512 connections
 * that send the next request when the last is answered, over two event loops. The pools allow 10,240 calls a second.
 *
 * <p>As the connections are as many as the threads, any choice fills the pools where the agents know the limits. So
 * there is a phase in which they do not: what exceeds the threads of a provider waits in it.
 */
final class Contest implements Scenario {
    private static final List<Integer> THREADS = List.of(112, 200, 200);
    private static final List<Integer> EQUAL = Collections.nCopies(THREADS.size(), 100);
    private static final List<Integer> UNKNOWN = Collections.nCopies(THREADS.size(), 512);
    private static final int LOOPS = 2;
    private static final int CONNECTIONS = 512;
    private static final long CALL_NS = 50 * World.MS;
    private static final long NETWORK_NS = World.MS / 10;
    private static final long TIMEOUT_NS = 5 * World.SECOND;
    private static final long WARMUP_NS = 5 * World.SECOND;
    private static final long END_NS = 25 * World.SECOND;

    @Override
    public String description() {
        return "providers of 112, 200 and 200 threads and 50 ms, 512 connections: 10,240 calls/s at most";
    }

    @Override
    public List<Policy> policies() {
        return Policy.product();
    }

    @Override
    public List<Phase> run(Policy policy, long seed) {
        return List.of(
                run(policy, seed, "weights 112, 200, 200", THREADS, THREADS),
                run(policy, seed, "equal weights", EQUAL, THREADS),
                run(policy, seed, "limits unknown", EQUAL, UNKNOWN));
    }

    private static Phase run(Policy policy, long seed, String name, List<Integer> weights, List<Integer> limits) {
        World world = new World(policy, seed);
        Timeline timeline = world.timeline;
        for (int i = 0; i < THREADS.size(); i++) {
            SplittableRandom random = world.random();
            world.addBackend(
                    limits.get(i),
                    new ThreadPool(
                            THREADS.get(i),
                            new Sleeping(timeline, () -> CALL_NS + (long) (random.nextDouble() * World.MS / 5))));
        }
        world.addAgent(World.EJECTION, LOOPS, TIMEOUT_NS, NETWORK_NS);
        world.updateAll(weights);
        for (int i = 0; i < CONNECTIONS; i++) {
            Agent agent = world.agents.get(i % LOOPS);
            timeline.at(random(world), () -> world.closedLoop(agent, () -> timeline.nowNs() < END_NS));
        }
        timeline.runUntil(WARMUP_NS);
        long[] before = world.backends.stream().mapToLong(Backend::executed).toArray();
        Tally tally = new Tally();
        tally.lasted(END_NS - WARMUP_NS);
        world.countIn(tally);
        timeline.runUntil(END_NS);
        double[] executed = IntStream.range(0, before.length)
                .mapToDouble(i -> world.backends.get(i).executed() - before[i])
                .toArray();
        timeline.runUntil(END_NS + 2 * TIMEOUT_NS);
        return new Phase(name, tally, Shares.error(executed, weights), Phase.Links.FIXED);
    }

    private static long random(World world) {
        return (long) (world.random().nextDouble() * CALL_NS);
    }
}
