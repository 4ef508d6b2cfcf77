package io.dubbomesh.benchmark.bench;

import java.util.Map;

/**
 * A load under which every side is measured.
 *
 * @param environment of wrk's script, beside that of the side
 */
record Point(String label, int connections, Map<String, String> environment) {
    static Point of(int connections) {
        return new Point(connections + " connections", connections, Map.of());
    }
}
