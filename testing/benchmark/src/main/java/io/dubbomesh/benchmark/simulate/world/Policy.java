package io.dubbomesh.benchmark.simulate.world;

import io.dubbomesh.loadbalance.LoadBalancer;
import io.dubbomesh.loadbalance.Strategy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A way of choosing that is simulated: one of the product's strategies, or what it is compared with. */
public record Policy(String name, Source source) {
    /** Least loaded as in linkerd 2016: calls in flight and nothing else; what has failed is forgotten. */
    public static final Policy LEAST_LOADED =
            new Policy("least loaded (linkerd)", (agent, seed, agents) -> new LeastLoaded(new SplittableRandom(seed)));

    /** Makes the balancer of one agent, for a list without endpoints. */
    public interface Source {
        LoadBalancer newBalancer(int agent, long seed, Agents agents);
    }

    /** Finds the backends of an agent's list, which the product's strategies know only by what they answer. */
    public interface Agents {
        Backend backend(int agent, int index);
    }

    public static List<Policy> product() {
        List<Policy> policies = new ArrayList<>();
        for (Strategy strategy : Strategy.values()) {
            policies.add(
                    new Policy(strategy.settingName(), (agent, seed, agents) -> strategy.newBalancer(0, agent, seed)));
        }
        return policies;
    }
}
