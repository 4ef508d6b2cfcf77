package io.dubbomesh.testsupport;

import java.util.List;
import java.util.Set;

/**
 * The set-ups of a test that has more of them than a change needs: {@code scripts/test.sh} runs those that the test
 * selects, {@code scripts/test.sh --all}, which sets {@code -Dtest.all=true}, runs every one.
 */
public final class Selection {
    private Selection() {}

    /** Returns whether every set-up is to run. */
    public static boolean isAll() {
        return Boolean.getBoolean("test.all");
    }

    /** Returns all of these values, or those of them that are selected, in the same order. */
    public static <T> List<T> of(T[] values, Set<T> selected) {
        List<T> all = List.of(values);
        if (!all.containsAll(selected)) {
            throw new IllegalArgumentException("selected: " + selected + " (expected: some of " + all + ")");
        }
        return isAll() ? all : all.stream().filter(selected::contains).toList();
    }
}
