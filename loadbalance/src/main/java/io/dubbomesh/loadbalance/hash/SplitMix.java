package io.dubbomesh.loadbalance.hash;

/**
 * The numbers of SplitMix64 (G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number generators",
 * 2014) by their seed and their place in its sequence.
 */
final class SplitMix {
    private static final long GAMMA = 0x9e3779b97f4a7c15L;

    private SplitMix() {}

    static long number(long seed, long place) {
        long mixed = seed + (place + 1) * GAMMA;
        mixed = (mixed ^ mixed >>> 30) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 31;
    }

    /** Returns the number as one from 0 to 1, without 1. */
    static double fraction(long number) {
        return (number >>> 11) * 0x1.0p-53;
    }
}
