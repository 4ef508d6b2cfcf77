package io.dubbomesh.benchmark.simulate;

import io.dubbomesh.benchmark.client.Schedule;
import io.dubbomesh.benchmark.simulate.world.Agent;
import io.dubbomesh.benchmark.simulate.world.Policy;
import io.dubbomesh.benchmark.simulate.world.QuotaHost;
import io.dubbomesh.benchmark.simulate.world.Tally;
import io.dubbomesh.benchmark.simulate.world.Timeline;
import io.dubbomesh.benchmark.simulate.world.World;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Four providers that compute, held to different parts of a processor, and calls at random times: what {@code bench.sh
 * balance} measures with real processes. A seed has the calls of the real round of this number.
 */
public final class FourProviders implements Scenario {
    /** What each provider may use. */
    public static final List<Double> CORES = List.of(0.75, 0.35, 0.35, 0.35);

    /** The period of the control groups, the default of Linux, Docker and Kubernetes. */
    public static final Duration PERIOD = Duration.ofMillis(100);

    /** What a call computes. */
    public static final int BUSY_MS = 5;

    /** Two thirds of what the small providers can do, if each gets a quarter of the calls. */
    public static final int CALLS_PER_SECOND = 160;

    /** The providers' queues settle in this time, which is not counted. */
    public static final Duration SETTLING = Duration.ofSeconds(2);

    /** What a provider uses of the processor for a call, Dubbo and its JVM included; bench.sh balance measures it. */
    public static final double CPU_MS = 5.4;

    /** What the way to a provider and back takes where nobody waits; bench.sh balance measures it. */
    public static final double WAY_MS = 1.4;

    private static final int PROCESSORS = 2;
    private static final int LOOPS = 2;
    private static final int LIMIT = 180;
    private static final long TIMEOUT_NS = 5 * World.SECOND;

    private final List<Integer> weights;
    private final Duration counted;
    private final double cpuMs;
    private final double wayMs;

    /**
     * @param weights of the providers; empty for equal ones
     * @param counted how long it is measured
     * @param cpuMs   that a provider uses for a call
     * @param wayMs   that a call takes beside that where nobody waits
     */
    public FourProviders(List<Integer> weights, Duration counted, double cpuMs, double wayMs) {
        this.weights = weights.isEmpty() ? Collections.nCopies(CORES.size(), 1) : weights;
        this.counted = counted;
        this.cpuMs = cpuMs;
        this.wayMs = wayMs;
    }

    /** Returns the calls of a round. */
    public static Schedule calls(Duration counted, long round) {
        return Schedule.random(CALLS_PER_SECOND, SETTLING.plus(counted), round);
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
        QuotaHost host = new QuotaHost(timeline, PROCESSORS, PERIOD.toNanos());
        SplittableRandom random = world.random();
        for (double cores : CORES) {
            long phaseNs = random.nextLong(PERIOD.toNanos());
            world.addBackend(LIMIT, host.addGroup(cores, phaseNs, () -> (long) (cpuMs * World.MS)));
        }
        world.addAgent(World.NO_EJECTION, LOOPS, TIMEOUT_NS, (long) (wayMs / 2 * World.MS));
        world.updateAll(weights);
        long atNs = 0;
        for (Schedule.Step call : calls(counted, seed).steps()) {
            Agent agent = world.agents.get(random.nextInt(LOOPS));
            timeline.at(atNs, () -> agent.call(() -> {}));
            atNs += call.duration().toNanos();
        }
        timeline.runUntil(SETTLING.toNanos());
        Tally tally = new Tally();
        tally.lasted(counted.toNanos());
        world.countIn(tally);
        timeline.runUntil(atNs + 2 * TIMEOUT_NS);
        return List.of(new Phase("", tally, Double.NaN, Phase.Links.FIXED));
    }
}
