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
 * <p>The paper does not say how its machines were used by others: see {@link Neighbours}.
 */
final class PrequalRamp implements Scenario {
    private static final int CLIENTS = 100;
    private static final int SERVERS = 100;
    static final int STEPS = 9;
    private static final double FIRST_LOAD = 0.75;
    private static final double STEP = 10.0 / 9;
    private static final double ALLOCATION = 2;
    private static final double WORK_MS = 40;
    /** The mean of a normal distribution with a mean and a standard deviation of 1 that is cut at 0. */
    private static final double MEAN_OF_CUT = 1.0833;

    private static final long DEADLINE_NS = 5 * World.SECOND;
    private static final long NETWORK_NS = World.MS / 10;

    /**
     * The others on a machine: they leave nothing to a server for some time, and then a part of what it is allocated.
     *
     * @param spare       what they leave, in parts of the allocation
     * @param contendedS  seconds for which they leave nothing, on average
     * @param freeS       seconds for which they leave that
     */
    record Neighbours(double spare, double contendedS, double freeS) {
        /** A server gets 1.98 times its allocation on average. */
        static final Neighbours USUAL = new Neighbours(1.4, 20, 47);
    }

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
        return run(policy, seed, Neighbours.USUAL, 0, STEPS);
    }

    /** Runs the steps from one up to another, which is not run. */
    List<Phase> run(Policy policy, long seed, Neighbours neighbours, int from, int to) {
        World world = new World(policy, seed);
        Timeline timeline = world.timeline;
        for (int i = 0; i < SERVERS; i++) {
            SplittableRandom work = world.random();
            SharedCores cores = new SharedCores(timeline, ALLOCATION, () -> workNs(work));
            world.addBackend(Integer.MAX_VALUE, cores);
            SplittableRandom turns = world.random();
            double contended = neighbours.contendedS / (neighbours.contendedS + neighbours.freeS);
            turn(timeline, cores, neighbours, turns, turns.nextDouble() < contended);
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
        for (int step = from; step < to; step++) {
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

    private static void turn(
            Timeline timeline, SharedCores cores, Neighbours neighbours, SplittableRandom random, boolean contended) {
        cores.cores(contended ? ALLOCATION : ALLOCATION * (1 + neighbours.spare));
        double mean = contended ? neighbours.contendedS : neighbours.freeS;
        timeline.after(
                (long) (-Math.log1p(-random.nextDouble()) * mean * World.SECOND),
                () -> turn(timeline, cores, neighbours, random, !contended));
    }
}
