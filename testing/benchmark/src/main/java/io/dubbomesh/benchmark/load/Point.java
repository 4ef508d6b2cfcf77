package io.dubbomesh.benchmark.load;

import java.util.Map;

/**
 * A load under which every side is measured.
 *
 * @param environment of wrk's script, in addition to that of the side
 */
public record Point(String label, int connections, Map<String, String> environment) {
    public static Point of(int connections) {
        return new Point(connections + " connections", connections, Map.of());
    }
}
