package io.dubbomesh.benchmark.simulate.world;

import java.util.SplittableRandom;

/** Numbers of the standard normal distribution, by the polar method of G. Marsaglia. */
public final class Normal {
    private Normal() {}

    public static double next(SplittableRandom random) {
        double x;
        double square;
        do {
            x = 2 * random.nextDouble() - 1;
            double y = 2 * random.nextDouble() - 1;
            square = x * x + y * y;
        } while (square >= 1 || square == 0);
        return x * Math.sqrt(-2 * Math.log(square) / square);
    }
}
