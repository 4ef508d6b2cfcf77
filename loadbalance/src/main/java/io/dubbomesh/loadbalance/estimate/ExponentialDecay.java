package io.dubbomesh.loadbalance.estimate;

/**
 * What is left of a quantity that decays exponentially. For times that are short beside its time constant, as those
 * between calls are, the first terms of the series take the place of the function, which costs ten times as much.
 */
public final class ExponentialDecay {
    /** Up to here the series is exact to a millionth. */
    private static final double SHORT = 0.06;

    private final double partOfNs;

    /** @param timeConstantNs the time in which two thirds are gone: all but 1/e */
    public ExponentialDecay(double timeConstantNs) {
        partOfNs = 1 / timeConstantNs;
    }

    /** Returns the part that is left after a time. */
    public double left(long elapsedNs) {
        double time = elapsedNs * partOfNs;
        return time >= 0 && time < SHORT ? 1 - time * (1 - time * (0.5 - time / 6)) : Math.exp(-time);
    }
}
