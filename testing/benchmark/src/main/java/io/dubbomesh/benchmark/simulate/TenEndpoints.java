package io.dubbomesh.benchmark.simulate;

import io.dubbomesh.benchmark.simulate.world.Agent;
import io.dubbomesh.benchmark.simulate.world.Backend;
import io.dubbomesh.benchmark.simulate.world.Normal;
import io.dubbomesh.benchmark.simulate.world.Policy;
import io.dubbomesh.benchmark.simulate.world.Sleeping;
import io.dubbomesh.benchmark.simulate.world.Tally;
import io.dubbomesh.benchmark.simulate.world.Timeline;
import io.dubbomesh.benchmark.simulate.world.World;

import java.util.List;
import java.util.SplittableRandom;

/**
 * Ten endpoints that take 50 ms for a call (sd 10) and eight event loops that send 2,000 calls a second; after ten
 * seconds some of the endpoints get worse, for thirty seconds.
 */
final class TenEndpoints implements Scenario {
    private static final int ENDPOINTS = 10;
    private static final int LOOPS = 8;
    private static final double PER_SECOND = 2000;
    private static final long CHANGE_NS = 10 * World.SECOND;
    private static final long DEAD_NS = 10 * World.SECOND;
    private static final long LEARN_NS = 2 * World.SECOND;
    private static final long END_NS = 40 * World.SECOND;
    private static final long TIMEOUT_NS = 5 * World.SECOND;
    private static final long NETWORK_NS = World.MS / 10;
    private static final int LIMIT = 180;

    /** What becomes of an endpoint. */
    enum Fault {
        TEN_TIMES_SLOWER,
        ERRORS_IN_A_MILLISECOND,
        EXCEPTIONS_IN_A_MILLISECOND,
        /** Its process ends, and another one starts after ten seconds. */
        DIES_FOR_TEN_SECONDS
    }

    private final Fault fault;
    private final int faulty;

    TenEndpoints(Fault fault, int faulty) {
        this.fault = fault;
        this.faulty = faulty;
    }

    @Override
    public String description() {
        return "ten endpoints of 50 ms (sd 10), 8 loops, 2,000 calls/s; after 10 s " + faulty + " of them: "
                + fault.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ') + "; nothing ejected";
    }

    @Override
    public List<Policy> policies() {
        return Policy.product();
    }

    @Override
    public List<Phase> run(Policy policy, long seed) {
        World world = new World(policy, seed);
        Timeline timeline = world.timeline;
        for (int i = 0; i < ENDPOINTS; i++) {
            boolean isFaulty = i < faulty;
            SplittableRandom random = world.random();
            Backend backend = world.addBackend(LIMIT, new Sleeping(timeline, () -> {
                boolean slow = isFaulty && fault == Fault.TEN_TIMES_SLOWER && timeline.nowNs() >= CHANGE_NS;
                return (long) (Math.max(5, 50 + 10 * Normal.next(random)) * (slow ? 10 : 1) * World.MS);
            }));
            if (isFaulty && fault == Fault.ERRORS_IN_A_MILLISECOND) {
                timeline.at(CHANGE_NS, () -> backend.failAfter(World.MS, Backend.End.FAILED));
            } else if (isFaulty && fault == Fault.EXCEPTIONS_IN_A_MILLISECOND) {
                timeline.at(CHANGE_NS, () -> backend.failAfter(World.MS, Backend.End.THREW));
            } else if (isFaulty && fault == Fault.DIES_FOR_TEN_SECONDS) {
                timeline.at(CHANGE_NS, backend::kill);
                timeline.at(CHANGE_NS + DEAD_NS, backend::restart);
            }
        }
        for (int i = 0; i < LOOPS; i++) {
            Agent agent = world.addAgent(World.NO_EJECTION, TIMEOUT_NS, NETWORK_NS);
            world.poisson(agent, () -> PER_SECOND / LOOPS, () -> timeline.nowNs() < END_NS);
        }
        world.updateAll();
        Phase healthy = phase(world, "healthy", CHANGE_NS);
        Phase first = phase(world, "first 2 s", CHANGE_NS + LEARN_NS);
        Phase after = phase(world, "from 2 s on", END_NS);
        timeline.runUntil(END_NS + 2 * TIMEOUT_NS);
        return List.of(healthy, first, after);
    }

    private static Phase phase(World world, String name, long endNs) {
        Tally tally = new Tally();
        tally.lasted(endNs - world.timeline.nowNs());
        world.countIn(tally);
        world.timeline.runUntil(endNs);
        return new Phase(name, tally, Double.NaN, Phase.Links.FIXED);
    }
}
