package io.dubbomesh.loadbalance;

import io.dubbomesh.loadbalance.hash.HashParameters;

import java.util.SplittableRandom;

/** The strategies by the names that the setting {@code lb} takes. */
public enum Strategy {
    WEIGHTED_ROUND_ROBIN("weighted-round-robin") {
        @Override
        public LoadBalancer newBalancer(int size, int offset, long seed) {
            SplittableRandom random = new SplittableRandom(seed);
            return size <= SmoothWeightedRoundRobin.FEW
                    ? new SmoothWeightedRoundRobin(size, offset, random)
                    : new DeadlineRoundRobin(size, offset, random);
        }
    },
    WEIGHTED_RANDOM("weighted-random") {
        @Override
        public LoadBalancer newBalancer(int size, int offset, long seed) {
            return new WeightedRandom(size, seed);
        }
    },
    LEAST_REQUEST("least-request") {
        @Override
        public LoadBalancer newBalancer(int size, int offset, long seed) {
            return new LeastRequest(size, seed);
        }
    },
    PEAK_EWMA("peak-ewma") {
        @Override
        public LoadBalancer newBalancer(int size, int offset, long seed) {
            return new PeakEwma(size, seed);
        }
    },
    PREQUAL("prequal") {
        @Override
        public LoadBalancer newBalancer(int size, int offset, long seed) {
            return new Prequal(size, seed);
        }
    },
    HASH("hash") {
        @Override
        public LoadBalancer newBalancer(int size, int offset, long seed) {
            return newBalancer(size, offset, seed, HashParameters.DEFAULT);
        }

        @Override
        public LoadBalancer newBalancer(int size, int offset, long seed, HashParameters ofHash) {
            return new ConsistentHash(WEIGHTED_ROUND_ROBIN.newBalancer(size, offset, seed), ofHash);
        }
    };

    private final String settingName;

    Strategy(String settingName) {
        this.settingName = settingName;
    }

    /**
     * Returns a balancer for a list of {@code size} endpoints.
     *
     * @param offset makes round-robin balancers that work side by side begin with different endpoints, as if so many
     *     picks had been done: 0, 1, 2, ... for the event loops of a process. Not negative.
     * @param seed   of what is drawn at random; another one for each balancer
     */
    public abstract LoadBalancer newBalancer(int size, int offset, long seed);

    /**
     * Returns a balancer as {@link #newBalancer(int, int, long)}.
     *
     * @param ofHash the parameters of {@link #HASH}, which the other strategies do not need
     */
    public LoadBalancer newBalancer(int size, int offset, long seed, HashParameters ofHash) {
        return newBalancer(size, offset, seed);
    }

    /** Returns whether its balancers read the {@linkplain LoadView#key keys} of calls. */
    public boolean readsKeys() {
        return this == HASH;
    }

    /** Returns the name that the setting takes. */
    public String settingName() {
        return settingName;
    }

    /** Returns the strategy of this name, or null where there is none. */
    public static Strategy named(String settingName) {
        for (Strategy strategy : values()) {
            if (strategy.settingName.equals(settingName)) {
                return strategy;
            }
        }
        return null;
    }

    /** Returns every name that {@link #named} knows. */
    public static String[] settingNames() {
        Strategy[] strategies = values();
        String[] names = new String[strategies.length];
        for (int i = 0; i < names.length; i++) {
            names[i] = strategies[i].settingName;
        }
        return names;
    }
}
