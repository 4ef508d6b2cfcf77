package io.dubbomesh.loadbalance.hash;

import java.util.Arrays;

/**
 * The endpoint that each key belongs to. A key falls into one of many slots, and a slot belongs to the endpoint that
 * comes to it first: endpoint <i>e</i> of weight <i>w</i> visits slots at random, one in each time of 1/<i>w</i>, in an
 * order that is drawn from its identity alone. This is rendezvous hashing with weights for each slot (D. G. Thaler and
 * C. V. Ravishankar, 1998; C. Schindelhauer and G. Schomaker, 2005), computed as Maglev fills its table (D. E.
 * Eisenbud et al., NSDI 2016, 3.4), but with the times of the visits in the place of turns. So
 * <ul>
 *   <li>each endpoint owns slots in proportion to its weight, with the standard deviation of a draw: of <i>s</i> slots
 *       the square root of <i>s</i>,
 *   <li>an endpoint that joins or gains weight takes slots, and one that leaves or loses weight gives them, to all
 *       others by their weights; no other slot changes its owner. In Maglev's table some do, on a ring with normalized
 *       weights too,
 *   <li>only ratios of weights count, and neither the order of the list nor a seed: agents that know the same endpoints
 *       agree, and after a restart, too.
 * </ul>
 * The table has two bytes for each slot. Making it takes about {@code slots * (ln(slots) + 1)} visits, however many
 * endpoints there are, and another eight bytes for each slot meanwhile. Immutable.
 */
public final class SlotTable {
    /** The most endpoints that own slots. */
    private static final int MAX_OWNERS = Character.MAX_VALUE + 1;

    private final char[] owners;

    private SlotTable(char[] owners) {
        this.owners = owners;
    }

    /**
     * Returns the table of these endpoints.
     *
     * @param identities of the endpoints, the same in all agents
     * @param weights    not negative, at least one of them above 0
     */
    public static SlotTable of(long[] identities, int[] weights, int slots) {
        int size = Math.min(weights.length, MAX_OWNERS);
        double sum = 0;
        for (int i = 0; i < size; i++) {
            sum += weights[i];
        }
        char[] owners = new char[slots];
        double[] firstVisit = new double[slots];
        Arrays.fill(firstVisit, Double.POSITIVE_INFINITY);
        int[] visits = new int[size];
        int free = slots;
        // In each step there are about as many visits as slots. What belongs to one after a step stays there.
        double step = slots / sum;
        for (int steps = 1; free > 0; steps++) {
            double until = step * steps;
            for (int i = 0; i < size; i++) {
                if (weights[i] == 0) {
                    continue;
                }
                long seed = SplitMix.number(identities[i], 0);
                double first = SplitMix.fraction(seed);
                double period = 1.0 / weights[i];
                double time;
                while ((time = (visits[i] + first) * period) <= until) {
                    int slot = slot(SplitMix.number(seed, visits[i]++), slots);
                    if (time < firstVisit[slot]) {
                        free -= firstVisit[slot] == Double.POSITIVE_INFINITY ? 1 : 0;
                        firstVisit[slot] = time;
                        owners[slot] = (char) i;
                    }
                }
            }
        }
        return new SlotTable(owners);
    }

    private static int slot(long number, int slots) {
        return (int) ((number >>> 32) * slots >>> 32);
    }

    /**
     * Returns the index of the endpoint that a key belongs to, or, for attempts after the first, of one that stands in
     * for it: each attempt draws another slot, so that what one endpoint cannot take is spread over all others by their
     * weights, and not put on its neighbour on a ring (J. Chen, B. Coleman and A. Shrivastava, "Revisiting consistent
     * hashing with bounded loads", 2021). Attempts may come to the same endpoint again.
     *
     * @param attempt from 0 on
     */
    public int owner(long key, int attempt) {
        return owners[slot(SplitMix.number(key, attempt), owners.length)];
    }

    /**
     * Returns how far an endpoint is from a key: of several the nearest one is another one for each key, each with the
     * probability of its weight. This is the same hashing without slots, for where attempts come to an end.
     *
     * @param weight at least 1
     */
    public static double distance(long key, long identity, int weight) {
        long drawn = SplitMix.number(key ^ SplitMix.number(identity, 0), 0);
        return -Math.log1p(-SplitMix.fraction(drawn)) / weight;
    }
}
