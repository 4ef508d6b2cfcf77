package io.dubbomesh.benchmark.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Parameters from a few bytes to a megabyte. */
final class Sizes implements Scenario {
    private static final String MAX_BODY = "2097152";

    @Override
    public Map<String, String> defaults() {
        return Map.of("connections", "16");
    }

    @Override
    public void run(Session session) throws IOException, InterruptedException, BenchException {
        MeshSettings settings = MeshSettings.of(0)
                .withRoomFor(session.options().mostConnections())
                .withConsumer("-Dhttp.max-body=" + MAX_BODY)
                .withJvmFlags("-XX:MaxDirectMemorySize=512m");
        session.startProviders(0);
        session.compare("sizes", 0, List.of(session.startMesh("mesh", settings)), points(session.options()));
    }

    private static List<Point> points(Options options) {
        Map<String, Integer> sizes = new LinkedHashMap<>();
        sizes.put("10 B", 10);
        sizes.put("1 KB", 1_000);
        sizes.put("100 KB", 100_000);
        sizes.put("1 MB", 1_000_000);
        List<Point> points = new ArrayList<>();
        for (int connections : options.connections()) {
            sizes.forEach((label, size) -> points.add(new Point(
                    label + ", " + connections + " connections", connections, Map.of("SIZE", Integer.toString(size)))));
        }
        return points;
    }
}
