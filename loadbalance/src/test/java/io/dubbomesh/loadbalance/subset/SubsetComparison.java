package io.dubbomesh.loadbalance.subset;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;

/**
 * Compares ways to draw subsets: how evenly the calls of all agents meet the endpoints, and how many links change when
 * one agent or endpoint comes or goes. Writes the tables of docs/understand/decisions.md.
 */
final class SubsetComparison {
    private SubsetComparison() {}

    /** A way to draw: for each loop of each agent the indexes of the endpoints that it has links to. */
    interface Way {
        List<List<Integer>> draw(long[] agents, int loops, long[] endpoints, int[] weights, int size);

        /** Returns the weights of a loop's endpoints. */
        default int[] shares(int[] weights, int size) {
            return weights;
        }
    }

    /** The one that is used. */
    static final class Rendezvous implements Way {
        private final boolean turned;
        private final boolean weighted;

        Rendezvous(boolean turned, boolean weighted) {
            this.turned = turned;
            this.weighted = weighted;
        }

        @Override
        public List<List<Integer>> draw(long[] agents, int loops, long[] endpoints, int[] weights, int size) {
            List<List<Integer>> drawn = new ArrayList<>();
            for (long agent : agents) {
                for (int loop = 0; loop < loops; loop++) {
                    Subset subset = turned ? new Subset(agent, loop, loops) : new Subset(agent * 31 + loop, 0, 1);
                    double[] places = new double[endpoints.length];
                    Integer[] order = new Integer[endpoints.length];
                    for (int i = 0; i < endpoints.length; i++) {
                        places[i] = subset.place(endpoints[i], weighted ? weights[i] : 1);
                        order[i] = i;
                    }
                    Arrays.sort(order, Comparator.comparingDouble(i -> places[i]));
                    drawn.add(List.of(order).subList(0, size));
                }
            }
            return drawn;
        }

        @Override
        public int[] shares(int[] weights, int size) {
            return weighted ? Subset.shares(weights, size, 10_000) : weights;
        }
    }

    /** Google's: the agents have numbers; each round of them shuffles the endpoints and shares them out. */
    static final class Rounds implements Way {
        @Override
        public List<List<Integer>> draw(long[] agents, int loops, long[] endpoints, int[] weights, int size) {
            List<List<Integer>> drawn = new ArrayList<>();
            int perRound = endpoints.length / size;
            for (int number = 0; number < agents.length * loops; number++) {
                List<Integer> order = new ArrayList<>();
                for (int i = 0; i < endpoints.length; i++) {
                    order.add(i);
                }
                Collections.shuffle(order, new Random(number / perRound));
                int from = number % perRound * size;
                drawn.add(order.subList(from, from + size));
            }
            return drawn;
        }
    }

    /**
     * A ring as Finagle's aperture: the endpoints in an order of their own, and each loop takes those that follow its
     * place.
     */
    static final class Ring implements Way {
        /** Whether the places of the loops are evenly spaced, for which their number has to be known. */
        private final boolean numbered;

        Ring(boolean numbered) {
            this.numbered = numbered;
        }

        @Override
        public List<List<Integer>> draw(long[] agents, int loops, long[] endpoints, int[] weights, int size) {
            Integer[] order = new Integer[endpoints.length];
            Arrays.setAll(order, i -> i);
            Arrays.sort(order, Comparator.comparingLong(i -> new Random(endpoints[i]).nextLong()));
            List<List<Integer>> drawn = new ArrayList<>();
            for (int number = 0; number < agents.length * loops; number++) {
                double place = numbered
                        ? (double) number / (agents.length * loops)
                        : new Random(agents[number / loops] * 31 + number % loops).nextDouble();
                List<Integer> taken = new ArrayList<>();
                for (int i = 0; i < size; i++) {
                    taken.add(order[((int) (place * order.length) + i) % order.length]);
                }
                drawn.add(taken);
            }
            return drawn;
        }
    }

    /** The calls that meet each endpoint over what its weight makes of them. */
    static double[] loads(Way way, List<List<Integer>> drawn, int[] weights, int size) {
        int[] shares = way.shares(weights, size);
        double[] loads = new double[weights.length];
        for (List<Integer> subset : drawn) {
            double sum = subset.stream().mapToDouble(i -> shares[i]).sum();
            subset.forEach(i -> loads[i] += shares[i] / sum / drawn.size());
        }
        double all = Arrays.stream(weights).sum();
        for (int i = 0; i < loads.length; i++) {
            loads[i] *= all / weights[i];
        }
        return loads;
    }

    static double deviation(double[] loads) {
        return Math.sqrt(
                Arrays.stream(loads).map(load -> (load - 1) * (load - 1)).sum() / loads.length);
    }

    /** The part of all links that are new after a change, beyond those that a new agent has. */
    static double churn(
            List<List<Integer>> before, long[] endpointsBefore, List<List<Integer>> after, long[] endpointsAfter) {
        int links = 0;
        int opened = 0;
        for (int loop = 0; loop < Math.min(before.size(), after.size()); loop++) {
            Set<Long> had = new HashSet<>();
            before.get(loop).forEach(i -> had.add(endpointsBefore[i]));
            for (int i : after.get(loop)) {
                links++;
                opened += had.contains(endpointsAfter[i]) ? 0 : 1;
            }
        }
        return (double) opened / links;
    }

    static long[] numbers(int count, long seed) {
        return new Random(seed).longs(count).toArray();
    }

    public static void main(String[] args) {
        String[] names = {
            "rendezvous hashing, each loop by itself",
            "rendezvous hashing, the loops of an agent turned (used)",
            "ring, places by hash",
            "ring, places by number (Finagle)",
            "rounds by number (Google)"
        };
        Way[] ways = {
            new Rendezvous(false, true), new Rendezvous(true, true), new Ring(false), new Ring(true), new Rounds()
        };
        int[][] systems = {{300, 4, 100, 20}, {300, 4, 1000, 20}, {30, 4, 100, 20}, {10, 4, 40, 20}, {300, 1, 100, 20}};
        for (int[] system : systems) {
            System.out.printf(
                    Locale.ROOT,
                    "%n%d agents x %d loops, %d endpoints, subset %d%n",
                    system[0],
                    system[1],
                    system[2],
                    system[3]);
            for (int i = 0; i < ways.length; i++) {
                print(names[i], ways[i], system);
            }
        }
        printWeights();
    }

    private static void print(String name, Way way, int[] system) {
        long[] agents = numbers(system[0], 1);
        long[] endpoints = numbers(system[2], 2);
        int[] weights = new int[endpoints.length];
        Arrays.fill(weights, 1);
        List<List<Integer>> drawn = way.draw(agents, system[1], endpoints, weights, system[3]);
        double[] loads = loads(way, drawn, weights, system[3]);
        long[] fewer = Arrays.copyOfRange(endpoints, 1, endpoints.length);
        double without = churn(
                drawn,
                endpoints,
                way.draw(agents, system[1], fewer, Arrays.copyOfRange(weights, 1, weights.length), system[3]),
                fewer);
        long[] more = Arrays.copyOf(agents, agents.length + 1);
        double withAgent = churn(drawn, endpoints, way.draw(more, system[1], endpoints, weights, system[3]), endpoints);
        System.out.printf(
                Locale.ROOT,
                "| %s | %.0f %% | %.2f to %.2f | %.1f %% | %.1f %% |%n",
                name,
                100 * deviation(loads),
                Arrays.stream(loads).min().orElseThrow(),
                Arrays.stream(loads).max().orElseThrow(),
                100 * without,
                100 * withAgent);
    }

    private static void printWeights() {
        long[] agents = numbers(3000, 3);
        long[] endpoints = numbers(300, 4);
        int[][] mixes = {
            {1, 2, 3}, {1, 10}, {100, 100, 100, 100, 100, 100, 100, 100, 100, 1}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 100}
        };
        for (int[] mix : mixes) {
            int[] weights = new int[endpoints.length];
            Arrays.setAll(weights, i -> mix[i % mix.length]);
            System.out.printf("%nweights %s%n", Arrays.toString(mix));
            for (boolean weighted : new boolean[] {false, true}) {
                Way way = new Rendezvous(true, weighted);
                double[] loads = loads(way, way.draw(agents, 4, endpoints, weights, 20), weights, 20);
                StringBuilder row = new StringBuilder(weighted ? "drawn by weight" : "drawn alike");
                for (int weight : Arrays.stream(mix).distinct().sorted().toArray()) {
                    double mean = 0;
                    int count = 0;
                    for (int i = 0; i < loads.length; i++) {
                        if (weights[i] == weight) {
                            mean += loads[i];
                            count++;
                        }
                    }
                    row.append(String.format(Locale.ROOT, " | weight %d: %.3f", weight, mean / count));
                }
                System.out.println(row);
            }
        }
    }
}
