package io.dubbomesh.benchmark.bench;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** What one pair of agents can carry when the provider costs next to nothing. */
final class Saturate implements Scenario {
    @Override
    public Map<String, String> defaults() {
        return Map.of("connections", "64,512", "seconds", "20", "warmup", "30");
    }

    @Override
    public void run(Session session) throws IOException, InterruptedException, BenchException {
        session.compare("saturate", 0, List.of(session.startRoomyMesh(0)), session.points());
    }
}
