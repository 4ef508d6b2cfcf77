package io.dubbomesh.runtime;

import java.util.Collection;

/** Finds the known name that was meant by an unknown one, by the number of edits between them. */
public final class NearestName {
    private NearestName() {}

    /** Returns the known name with the fewest edits to this one; null if none is within {@code most} edits. */
    public static String of(String name, Collection<String> known, int most) {
        String nearest = null;
        int fewest = most + 1;
        for (String candidate : known) {
            if (Math.abs(candidate.length() - name.length()) < fewest) {
                int edits = edits(name, candidate);
                if (edits < fewest) {
                    fewest = edits;
                    nearest = candidate;
                }
            }
        }
        return nearest;
    }

    /** Returns Levenshtein's distance. */
    private static int edits(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[to.length()];
    }
}
