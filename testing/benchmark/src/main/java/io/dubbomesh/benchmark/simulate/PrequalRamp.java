package io.dubbomesh.benchmark.simulate;

import io.dubbomesh.benchmark.simulate.world.Agent;
import io.dubbomesh.benchmark.simulate.world.Normal;
import io.dubbomesh.benchmark.simulate.world.Policy;
import io.dubbomesh.benchmark.simulate.world.ProbedPrequal;
import io.dubbomesh.benchmark.simulate.world.SharedCores;
import io.dubbomesh.benchmark.simulate.world.Tally;
import io.dubbomesh.benchmark.simulate.world.Timeline;
import io.dubbomesh.benchmark.simulate.world.World;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * The ramp of "Load is not what you should balance" (Prequal, NSDI 2024, section 5.1): 100 clients send queries to 100
 * servers, at random times; the work of a query is normal with a standard deviation of its mean, cut at 0; the deadline
 * is 5 s. The load goes from 0.75 to 1.74 of what the servers are allocated, in nine steps of 10/9. A server may use
 * what its neighbours on the machine leave; where they want everything, it gets what it is allocated. There, the errors
 * of weighted round robin began at the first step above 1.03, and Prequal had none and kept its tail.
 *
 * <p>The paper does not say how its machines were used by others. Here, each has neighbours that leave nothing for 20 s
 * on average, and then leave 1.4 times the allocation for 47 s: 1.98 times the allocation on average.
 */
final class PrequalRamp implements Scenario {
    private static final int CLIENTS = 100;
    private static final int SERVERS = 100;
    private static final int STEPS = 9;
    private static final double FIRST_LOAD = 0.75;
    private static final double STEP = 10.0 / 9;
    private static final double ALLOCATION = 2;
    private static final double SPARE = 2.8;
    private static final double CONTENDED_S = 20;
    private static final double FREE_S = 47;
    private static final double WORK_MS = 40;
    /** The mean of a normal distribution with a mean and a standard deviation of 1 that is cut at 0. */
    private static final double MEAN_OF_CUT = 1.0833;

    private static final long DEADLINE_NS = 5 * World.SECOND;
    private static final long NETWORK_NS = World.MS / 10;

    private final int secondsPerStep;

    PrequalRamp(int secondsPerStep) {
        this.secondsPerStep = secondsPerStep;
    }

    @Override
    public String description() {
        return "100 clients, 100 servers, load 0.75 to 1.74 of the allocation, " + secondsPerStep
                + " s a step, work normal (mean = sd = 40 ms, cut at 0), deadline 5 s, neighbours, nothing ejected";
    }

    @Override
    public List<Policy> policies() {
        List<Policy> policies = new ArrayList<>(Policy.product());
        policies.add(ProbedPrequal.POLICY);
        return policies;
    }

    @Override
    public List<Phase> run(Policy policy, long seed) {
        World world = new World(policy, seed);
        Timeline timeline = world.timeline;
        for (int i = 0; i < SERVERS; i++) {
            SplittableRandom work = world.random();
            SharedCores cores = new SharedCores(timeline, ALLOCATION, () -> workNs(work));
            world.addBackend(Integer.MAX_VALUE, cores);
            SplittableRandom neighbours = world.random();
            turn(timeline, cores, neighbours, neighbours.nextDouble() < CONTENDED_S / (CONTENDED_S + FREE_S));
        }
        for (int i = 0; i < CLIENTS; i++) {
            world.addAgent(World.NO_EJECTION, DEADLINE_NS, NETWORK_NS);
        }
        world.updateAll();
        double[] load = {FIRST_LOAD};
        boolean[] goesOn = {true};
        double queriesAtAllocation = SERVERS * ALLOCATION / (WORK_MS * MEAN_OF_CUT / 1000);
        for (Agent client : world.agents) {
            world.poisson(client, () -> load[0] * queriesAtAllocation / CLIENTS, () -> goesOn[0]);
        }
        List<Phase> phases = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            load[0] = FIRST_LOAD * Math.pow(STEP, step);
            Tally tally = new Tally();
            tally.lasted(secondsPerStep * World.SECOND);
            world.countIn(tally);
            timeline.runUntil(timeline.nowNs() + secondsPerStep * World.SECOND);
            phases.add(new Phase(String.format(Locale.ROOT, "%.2f", load[0]), tally, Double.NaN, Phase.Links.FIXED));
        }
        goesOn[0] = false;
        timeline.runUntil(timeline.nowNs() + 2 * DEADLINE_NS);
        return phases;
    }

    private static long workNs(SplittableRandom random) {
        double part = Math.max(0, 1 + Normal.next(random));
        return (long) (part * WORK_MS * World.MS);
    }

    private static void turn(Timeline timeline, SharedCores cores, SplittableRandom random, boolean contended) {
        cores.cores(contended ? ALLOCATION : ALLOCATION + SPARE);
        double mean = contended ? CONTENDED_S : FREE_S;
        timeline.after(
                (long) (-Math.log1p(-random.nextDouble()) * mean * World.SECOND),
                () -> turn(timeline, cores, random, !contended));
    }
}
