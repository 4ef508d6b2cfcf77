package io.dubbomesh.benchmark.simulate;

import io.dubbomesh.benchmark.simulate.world.Agent;
import io.dubbomesh.benchmark.simulate.world.Backend;
import io.dubbomesh.benchmark.simulate.world.Policy;
import io.dubbomesh.benchmark.simulate.world.Sleeping;
import io.dubbomesh.benchmark.simulate.world.Tally;
import io.dubbomesh.benchmark.simulate.world.Timeline;
import io.dubbomesh.benchmark.simulate.world.World;
import io.dubbomesh.loadbalance.subset.Subset;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A large service: 1,000 consumer agents of one event loop call 10,000 endpoints, each a subset of 20, which the
 * product's {@link Subset} draws. A tenth of the endpoints is replaced in a minute, one after the other. An endpoint
 * has two calls in service on average. It is measured after a time in which the agents learn.
 */
final class Fleet implements Scenario {
    private static final int AGENTS = 1000;
    private static final int ENDPOINTS = 10_000;
    private static final int SUBSET = 20;
    private static final int LIMIT = 180;
    private static final double PER_AGENT_AND_SECOND = 100;
    private static final long CALL_NS = 200 * World.MS;
    private static final long TIMEOUT_NS = 5 * World.SECOND;
    private static final long NETWORK_NS = World.MS / 10;
    private static final long REPLACE_NS = 60 * World.MS;

    private final int agents;
    private final int endpoints;
    private final long learnNs;
    private final long endNs;

    /**
     * @param scale        by which the fleet is smaller than it is to be
     * @param learnSeconds before it is measured
     */
    Fleet(int scale, int learnSeconds, int seconds) {
        agents = AGENTS / scale;
        endpoints = ENDPOINTS / scale;
        learnNs = learnSeconds * World.SECOND;
        endNs = learnNs + seconds * World.SECOND;
    }

    @Override
    public String description() {
        return agents + " agents, " + endpoints + " endpoints of 200 ms, subsets of " + SUBSET
                + ", a tenth of the endpoints replaced in a minute; the share error is that of the busiest endpoint of"
                + " those that were there all the time";
    }

    @Override
    public List<Policy> policies() {
        return Policy.product();
    }

    @Override
    public List<Phase> run(Policy policy, long seed) {
        return List.of(new Run(policy, seed).run());
    }

    /** An endpoint in the order of one agent. */
    private record Place(double place, Backend backend) {}

    private final class Run {
        private final World world;
        private final SplittableRandom random;
        private final List<Subset> subsets = new ArrayList<>();
        private final List<Backend> listed = new ArrayList<>();
        private long opened;
        private long closed;
        private double mostMoved;

        private Run(Policy policy, long seed) {
            world = new World(policy, seed);
            random = world.random();
        }

        private Phase run() {
            Timeline timeline = world.timeline;
            for (int i = 0; i < endpoints; i++) {
                listed.add(add());
            }
            for (int i = 0; i < agents; i++) {
                subsets.add(new Subset(random.nextLong(), 0, 1));
                Agent agent = world.addAgent(World.EJECTION, TIMEOUT_NS, NETWORK_NS);
                update(i);
                world.poisson(agent, () -> PER_AGENT_AND_SECOND, () -> timeline.nowNs() < endNs);
            }
            timeline.every(REPLACE_NS * AGENTS / agents, this::replaceOne);
            timeline.runUntil(learnNs);
            int known = world.backends.size();
            double[] before = executed(world.backends);
            Tally tally = new Tally();
            tally.lasted(endNs - learnNs);
            world.countIn(tally);
            timeline.runUntil(endNs);
            double[] executed = executed(world.backends);
            timeline.runUntil(endNs + 2 * TIMEOUT_NS);
            double[] meanwhile = listed.stream()
                    .mapToInt(Backend::number)
                    .filter(number -> number < known)
                    .mapToDouble(number -> executed[number] - before[number])
                    .toArray();
            double mean = Arrays.stream(meanwhile).average().orElseThrow();
            double busiest = Arrays.stream(meanwhile).max().orElseThrow();
            return new Phase("", tally, busiest / mean - 1, new Phase.Links(opened, closed, mostMoved));
        }

        private static double[] executed(List<Backend> backends) {
            return backends.stream().mapToDouble(Backend::executed).toArray();
        }

        private Backend add() {
            SplittableRandom durations = world.random();
            return world.addBackend(LIMIT, new Sleeping(world.timeline, () ->
                    (long) (CALL_NS * (0.5 + durations.nextDouble()))));
        }

        /** Returns the endpoints that come first in the order of an agent. */
        private void update(int agent) {
            List<Place> places = new ArrayList<>();
            for (Backend backend : listed) {
                places.add(new Place(subsets.get(agent).place(backend.number(), 1), backend));
            }
            places.sort(Comparator.comparingDouble(Place::place));
            List<Backend> chosen =
                    places.subList(0, SUBSET).stream().map(Place::backend).toList();
            world.agents.get(agent).updateSubset(chosen, Collections.nCopies(SUBSET, 100));
        }

        private void replaceOne() {
            Backend leaving = listed.remove(random.nextInt(listed.size()));
            int moved = 0;
            for (int i = 0; i < agents; i++) {
                if (has(i, leaving)) {
                    update(i);
                    closed++;
                    opened++;
                    moved += 2;
                }
            }
            Backend joining = add();
            listed.add(joining);
            for (int i = 0; i < agents; i++) {
                if (subsets.get(i).place(joining.number(), 1) < farthest(i)) {
                    update(i);
                    closed++;
                    opened++;
                    moved += 2;
                }
            }
            mostMoved = Math.max(mostMoved, (double) moved / (agents * SUBSET));
        }

        private boolean has(int agent, Backend backend) {
            return world.agents.get(agent).members().stream().anyMatch(member -> member.backend == backend);
        }

        private double farthest(int agent) {
            return world.agents.get(agent).members().stream()
                    .mapToDouble(member -> subsets.get(agent).place(member.backend.number(), 1))
                    .max()
                    .orElseThrow();
        }
    }
}
