package io.dubbomesh.consumer.health;

/**
 * The geometric mean of the latencies of recent calls, with its standard error. Logarithms are averaged, since the
 * methods of a service differ by powers of ten: a few calls of a slow method would move an arithmetic mean as far as an
 * endpoint that has become slow does.
 *
 * <p>Calls count half after each {@link #age}, and the window only ages when it has {@link #ENOUGH} of them: of a busy
 * endpoint it holds the last moments, of another one the last calls.
 */
final class LatencyWindow {
    /** Fewer calls are not compared with anything. */
    static final int ENOUGH = 10;

    private double count;
    private double sum;
    private double squares;

    void add(long latencyNs) {
        double log = log2(latencyNs);
        count++;
        sum += log;
        squares += log * log;
    }

    boolean hasEnough() {
        return count >= ENOUGH;
    }

    /** Returns the mean of the logarithms. */
    double mean() {
        return sum / count;
    }

    /** Returns the standard error of {@link #mean}. */
    double error() {
        double mean = mean();
        return Math.sqrt(Math.max(0, squares / count - mean * mean) / count);
    }

    void age() {
        count /= 2;
        sum /= 2;
        squares /= 2;
    }

    void clear() {
        count = 0;
        sum = 0;
        squares = 0;
    }

    /**
     * Returns the logarithm to base 2, wrong by at most 0.09: between powers of two it is a straight line, which is
     * what the bits of a double are when they are read as an integer.
     */
    static double log2(long latencyNs) {
        return Double.doubleToRawLongBits(Math.max(1, latencyNs)) * 0x1p-52 - 1023;
    }

    /** Returns the inverse of {@link #log2}. */
    static long latencyNs(double log2) {
        return Math.round(Double.longBitsToDouble((long) ((log2 + 1023) * 0x1p52)));
    }
}
