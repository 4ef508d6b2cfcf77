package io.dubbomesh.loadbalance;

/** The strategies by the names that the setting {@code lb} takes. */
public enum Strategy {
    WEIGHTED_ROUND_ROBIN("weighted-round-robin") {
        @Override
        public LoadBalancer newBalancer(int size, int offset) {
            return new SmoothWeightedRoundRobin(size, offset);
        }
    },
    WEIGHTED_RANDOM("weighted-random") {
        @Override
        public LoadBalancer newBalancer(int size, int offset) {
            return new WeightedRandom(offset);
        }
    };

    private final String settingName;

    Strategy(String settingName) {
        this.settingName = settingName;
    }

    /**
     * Returns a balancer for a list of {@code size} endpoints.
     *
     * @param offset makes balancers that work side by side begin with different endpoints:
     *     0, 1, 2, ... for the event loops of a process. Round-robin begins as if so many picks had been done, random
     *     takes it as its seed. Not negative.
     */
    public abstract LoadBalancer newBalancer(int size, int offset);

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
