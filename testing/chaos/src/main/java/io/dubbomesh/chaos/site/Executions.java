package io.dubbomesh.chaos.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The executions that providers have written down.
 *
 * @param times   how often each call was executed, by its hash
 * @param refused how many calls were refused
 */
public record Executions(Map<Integer, Integer> times, int refused) {

    static Executions read(Path file) throws IOException {
        Map<Integer, Integer> times = new HashMap<>();
        int refused = 0;
        List<String> lines = Files.exists(file) ? new ArrayList<>(Files.readAllLines(file)) : List.of();
        for (String line : lines) {
            if (line.startsWith("!")) {
                refused++;
            } else {
                times.merge(Integer.valueOf(line), 1, Integer::sum);
            }
        }
        return new Executions(times, refused);
    }

    /** Returns the executions of all these providers together. */
    public static Executions of(List<Part> providers) throws IOException {
        Map<Integer, Integer> times = new HashMap<>();
        int refused = 0;
        for (Part provider : providers) {
            Executions of = provider.executions();
            of.times.forEach((hash, count) -> times.merge(hash, count, Integer::sum));
            refused += of.refused;
        }
        return new Executions(times, refused);
    }

    public boolean has(int hash) {
        return times.containsKey(hash);
    }

    public int count() {
        return times.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Returns the number of executions of the call with this hash. */
    public int times(int hash) {
        return times.getOrDefault(hash, 0);
    }
}
