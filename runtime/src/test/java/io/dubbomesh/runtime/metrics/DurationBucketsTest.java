package io.dubbomesh.runtime.metrics;

import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

class DurationBucketsTest {
    private static final double[] CLASSIC = DurationBuckets.classicBounds();

    @Test
    void aDurationOnABoundBelongsToTheBucketBelow() {
        assertClassic(1_000_000, 0.001);
        assertClassic(1_000_001, 0.0025);
        assertClassic(60_000_000_000L, 60);
        assertClassic(60_000_000_001L, Double.POSITIVE_INFINITY);
        // 1 s is 2^(0/16).
        assertThat(native_(1_000_000_000)).isZero();
        assertThat(native_(1_000_000_001)).isEqualTo(1);
        assertThat(native_(500_000_000)).isEqualTo(-16);
        assertThat(native_(500_000_001)).isEqualTo(-15);
        // 1.044273782427... s is 2^(1/16).
        assertThat(native_(1_044_273_782)).isEqualTo(1);
        assertThat(native_(1_044_273_783)).isEqualTo(2);
    }

    @Test
    void whatIsTooShortIsInTheFirstCellAndWhatIsTooLongInTheLast() {
        assertThat(DurationBuckets.cellOf(Long.MIN_VALUE)).isZero();
        assertThat(DurationBuckets.cellOf(0)).isZero();
        assertThat(DurationBuckets.cellOf(15_258)).isZero();
        assertThat(DurationBuckets.cellOf(15_259)).isEqualTo(1);
        assertThat(DurationBuckets.cellOf(64_000_000_001L)).isEqualTo(DurationBuckets.CELLS - 1);
        assertThat(DurationBuckets.cellOf(Long.MAX_VALUE)).isEqualTo(DurationBuckets.CELLS - 1);
    }

    @Test
    void everyDurationIsInTheBucketsThatItsValueSays() {
        Random random = new Random(1);
        for (int i = 0; i < 200_000; i++) {
            long ns = (long) Math.pow(10, 4.2 + random.nextDouble() * 6.6);
            assertClassic(ns, lowestClassic(ns / 1e9));
            int index = native_(ns);
            if (ns > 15_258 && index <= 96) {
                assertThat(ns / 1e9).isLessThanOrEqualTo(Math.pow(2, index / 16.0) + 1e-12);
                assertThat((ns + 1) / 1e9).isGreaterThan(Math.pow(2, (index - 1) / 16.0));
            }
        }
    }

    private static int native_(long ns) {
        return DurationBuckets.nativeIndex(DurationBuckets.cellOf(ns));
    }

    private static double lowestClassic(double seconds) {
        for (double bound : CLASSIC) {
            if (seconds <= bound) {
                return bound;
            }
        }
        throw new AssertionError("no bound for " + seconds);
    }

    private static void assertClassic(long ns, double bound) {
        assertThat(CLASSIC[DurationBuckets.classicIndex(DurationBuckets.cellOf(ns))])
                .as(ns + " ns")
                .isEqualTo(bound);
    }
}
