package io.dubbomesh.benchmark.simulate;

import io.dubbomesh.consumer.health.HealthSettings;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;

/** The backends and agents of one run, with its virtual time and its random numbers. */
final class World {
    static final long MS = 1_000_000;
    static final long SECOND = 1_000_000_000;
    /** The defaults of the consumer agent. */
    static final HealthSettings EJECTION = new HealthSettings(true, 5, SECOND / 2, 3, 500, 4000, 50, 10 * SECOND);
    /** The strategies alone: nothing is ejected. */
    static final HealthSettings NO_EJECTION = new HealthSettings(false, 5, SECOND / 2, 0, 500, 4000, 50, 0);

    final Timeline timeline = new Timeline();
    final List<Backend> backends = new ArrayList<>();
    final List<Agent> agents = new ArrayList<>();
    private final Policy policy;
    private final SplittableRandom seeds;

    World(Policy policy, long seed) {
        this.policy = policy;
        seeds = new SplittableRandom(seed);
    }

    /** Returns random numbers of their own; in the order of these calls the same for each policy. */
    SplittableRandom random() {
        return seeds.split();
    }

    Backend addBackend(int limit, Service service) {
        Backend backend = new Backend(timeline, backends.size(), limit, service);
        backends.add(backend);
        return backend;
    }

    /** Adds an agent of one event loop. */
    Agent addAgent(HealthSettings health, long timeoutNs, long networkNs) {
        return addLoop(health, 1, timeoutNs, networkNs);
    }

    /** Adds an event loop of an agent that has several. */
    Agent addLoop(HealthSettings health, int loops, long timeoutNs, long networkNs) {
        int number = agents.size();
        Agent agent = new Agent(
                timeline,
                policy.source()
                        .newBalancer(
                                number,
                                seeds.nextLong(),
                                (of, index) -> agents.get(of).members().get(index).backend),
                health,
                loops,
                timeoutNs,
                networkNs);
        agents.add(agent);
        return agent;
    }

    void updateAll(List<Integer> weights) {
        agents.forEach(agent -> agent.update(backends, weights));
    }

    void updateAll() {
        updateAll(Collections.nCopies(backends.size(), 100));
    }

    void countIn(Tally tally) {
        agents.forEach(agent -> agent.countIn(tally));
    }

    /** Has calls of an agent arrive at random, independently of each other, at a rate that may change. */
    void poisson(Agent agent, DoubleSupplier perSecond, BooleanSupplier goesOn) {
        SplittableRandom random = random();
        arriveNext(agent, random, perSecond, goesOn);
    }

    private void arriveNext(Agent agent, SplittableRandom random, DoubleSupplier perSecond, BooleanSupplier goesOn) {
        long pauseNs = (long) (-Math.log1p(-random.nextDouble()) / perSecond.getAsDouble() * SECOND);
        timeline.after(pauseNs, () -> {
            if (goesOn.getAsBoolean()) {
                agent.call(() -> {});
                arriveNext(agent, random, perSecond, goesOn);
            }
        });
    }

    /** Has a client of an agent send its next call as soon as the last one has ended. */
    void closedLoop(Agent agent, BooleanSupplier goesOn) {
        agent.call(() -> timeline.after(0, () -> {
            if (goesOn.getAsBoolean()) {
                closedLoop(agent, goesOn);
            }
        }));
    }
}
