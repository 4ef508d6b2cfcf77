package io.dubbomesh.benchmark.load;

/**
 * The length of a comparison.
 *
 * @param warmupSeconds under load for each side, before it is loaded further until it is steady
 * @param rounds        of each side at each point
 * @param seconds       of a round
 */
public record Plan(int warmupSeconds, int rounds, int seconds) {}
