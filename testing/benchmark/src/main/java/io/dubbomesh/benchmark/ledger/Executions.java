package io.dubbomesh.benchmark.ledger;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * The providers' side of the ledger: the hash of every parameter with which a call was executed, as often as it was.
 */
public final class Executions {
    private static final Executions UNKNOWN = new Executions(null);

    private final int[] sorted;

    private Executions(int[] sorted) {
        this.sorted = sorted;
    }

    /** The providers keep no ledger: only the client's is checked. */
    public static Executions unknown() {
        return UNKNOWN;
    }

    public static Executions of(int... hashes) {
        int[] sorted = hashes.clone();
        Arrays.sort(sorted);
        return new Executions(sorted);
    }

    /**
     * Reads the files that providers wrote with {@code calls.file}: a line with the hash for each call.
     *
     * <p>A provider that was killed may have left an incomplete last line, which does not count.
     */
    public static Executions read(Collection<Path> files) throws IOException {
        int[] hashes = new int[1024];
        int count = 0;
        for (Path file : files) {
            String text = Files.readString(file, US_ASCII);
            for (String line :
                    text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
                if (count == hashes.length) {
                    hashes = Arrays.copyOf(hashes, 2 * count);
                }
                hashes[count++] = Integer.parseInt(line);
            }
        }
        return of(Arrays.copyOf(hashes, count));
    }

    public boolean isKnown() {
        return sorted != null;
    }

    /** Returns the number of executions of the call with this hash. */
    public int count(int hash) {
        int at = Arrays.binarySearch(sorted, hash);
        if (at < 0) {
            return 0;
        }
        int from = at;
        int to = at;
        while (from > 0 && sorted[from - 1] == hash) {
            from--;
        }
        while (to < sorted.length && sorted[to] == hash) {
            to++;
        }
        return to - from;
    }
}
