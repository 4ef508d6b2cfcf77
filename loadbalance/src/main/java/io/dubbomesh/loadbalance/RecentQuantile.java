package io.dubbomesh.loadbalance;

/**
 * A quantile of the last numbers, for numbers that need not be exact: each is counted in a class, whole numbers up to
 * 32 in one of their own, larger ones in classes that are a sixth wider each.
 */
final class RecentQuantile {
    private static final int NUMBERS = 128;
    private static final int EXACT = 32;
    private static final int CLASSES = 128;
    private static final double CLASSES_PER_E = 6;

    private final byte[] numbers = new byte[NUMBERS];
    private final int[] counts = new int[CLASSES];
    private final double quantile;
    private int added;

    RecentQuantile(double quantile) {
        this.quantile = quantile;
    }

    void add(double number) {
        int place = added % NUMBERS;
        if (added >= NUMBERS) {
            counts[numbers[place]]--;
        }
        int of = classOf(number);
        numbers[place] = (byte) of;
        counts[of]++;
        added = added == 2 * NUMBERS - 1 ? NUMBERS : added + 1;
    }

    boolean isEmpty() {
        return added == 0;
    }

    /** Returns the class of the quantile. */
    int quantileClass() {
        double below = Math.min(added, NUMBERS) * quantile;
        int of = 0;
        int counted = counts[0];
        while (counted < below) {
            counted += counts[++of];
        }
        return of;
    }

    /** Returns the class of a number, which is not less than that of a smaller one. */
    static int classOf(double number) {
        return number < EXACT
                ? (int) (number + 0.5)
                : Math.min(CLASSES - 1, EXACT + (int) (Math.log(number / EXACT) * CLASSES_PER_E));
    }
}
