package io.dubbomesh.benchmark.simulate.world;

import io.dubbomesh.consumer.health.HealthSettings;
import io.dubbomesh.consumer.upstream.link.EndpointLoads;
import io.dubbomesh.loadbalance.LoadBalancer;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;

/** The backends and agents of one run, with its virtual time and its random numbers. */
public final class World {
    public static final long MS = 1_000_000;
    public static final long SECOND = 1_000_000_000;
    /** The defaults of the consumer agent. */
    public static final HealthSettings EJECTION =
            new HealthSettings(true, 5, SECOND / 2, 3, 500, 4000, 50, 10 * SECOND);
    /** The strategies alone: nothing is ejected. */
    public static final HealthSettings NO_EJECTION = new HealthSettings(false, 5, SECOND / 2, 0, 500, 4000, 50, 0);

    public final Timeline timeline = new Timeline();
    public final List<Backend> backends = new ArrayList<>();
    public final List<Agent> agents = new ArrayList<>();
    private final Policy policy;
    private final SplittableRandom seeds;

    public World(Policy policy, long seed) {
        this.policy = policy;
        seeds = new SplittableRandom(seed);
    }

    /** Returns random numbers of their own; in the order of these calls the same for each policy. */
    public SplittableRandom random() {
        return seeds.split();
    }

    public Backend addBackend(int limit, Service service) {
        Backend backend = new Backend(timeline, backends.size(), limit, service);
        backends.add(backend);
        return backend;
    }

    /** Adds an agent of one event loop. */
    public Agent addAgent(HealthSettings health, long timeoutNs, long networkNs) {
        addAgent(health, 1, timeoutNs, networkNs);
        return agents.get(agents.size() - 1);
    }

    /** Adds an agent of several event loops, each of which is one of the {@link #agents}. */
    public void addAgent(HealthSettings health, int loops, long timeoutNs, long networkNs) {
        EndpointLoads loads = new EndpointLoads(loops);
        for (int i = 0; i < loops; i++) {
            int number = agents.size();
            LoadBalancer balancer = policy.source()
                    .newBalancer(
                            number,
                            seeds.nextLong(),
                            (of, index) -> agents.get(of).members().get(index).backend);
            agents.add(new Agent(
                    timeline, balancer, health, new Agent.Loop(number, loads, i, loops), timeoutNs, networkNs));
        }
    }

    public void updateAll(List<Integer> weights) {
        agents.forEach(agent -> agent.update(backends, weights));
    }

    public void updateAll() {
        updateAll(Collections.nCopies(backends.size(), 100));
    }

    public void countIn(Tally tally) {
        agents.forEach(agent -> agent.countIn(tally));
    }

    /** Has calls of an agent arrive at random, independently of each other, at a rate that may change. */
    public void poisson(Agent agent, DoubleSupplier perSecond, BooleanSupplier goesOn) {
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
    public void closedLoop(Agent agent, BooleanSupplier goesOn) {
        agent.call(() -> timeline.after(0, () -> {
            if (goesOn.getAsBoolean()) {
                closedLoop(agent, goesOn);
            }
        }));
    }
}
