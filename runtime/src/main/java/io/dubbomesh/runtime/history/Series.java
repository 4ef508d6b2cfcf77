package io.dubbomesh.runtime.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A number for each of the last intervals, the oldest overwritten by the newest; NaN where nothing is known. Used by
 * one thread at a time.
 */
final class Series {
    private final float[] values;
    private int next;

    Series(int length) {
        values = new float[length];
        Arrays.fill(values, Float.NaN);
    }

    void add(float value) {
        values[next] = value;
        next = (next + 1) % values.length;
    }

    boolean hasAny() {
        for (float value : values) {
            if (value > 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns the mean of those of the last {@code count} values that are known; 0 if none is. */
    double meanOfLast(int count) {
        double sum = 0;
        int known = 0;
        for (int i = 1; i <= count; i++) {
            float value = values[(next - i + values.length) % values.length];
            if (!Float.isNaN(value)) {
                sum += value;
                known++;
            }
        }
        return known == 0 ? 0 : sum / known;
    }

    /** Returns the values, the oldest first, in hundredths; null where nothing is known. */
    List<Double> toList() {
        List<Double> list = new ArrayList<>(values.length);
        for (int i = 0; i < values.length; i++) {
            float value = values[(next + i) % values.length];
            list.add(Float.isNaN(value) ? null : Math.round(value * 100.0) / 100.0);
        }
        return list;
    }
}
