package io.dubbomesh.benchmark.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The 2018 Dubbo Mesh benchmark's load, and the floor under the same one. */
final class Contest implements Scenario {
    private static final int DELAY_MS = 50;

    @Override
    public Map<String, String> defaults() {
        // With a shorter warm-up than the 2018 benchmark's, the first round still measures compilers at work.
        return Map.of(
                "connections",
                "128,256,512",
                "seconds",
                "20",
                "warmup",
                "30",
                "weights",
                "112,200,200",
                "provider",
                "dubbo");
    }

    @Override
    public void run(Session session) throws IOException, InterruptedException, BenchException {
        session.startProviders(DELAY_MS);
        List<Side> sides = new ArrayList<>();
        sides.add(session.startMesh("mesh", MeshSettings.of(0)));
        session.addFloor(sides);
        session.compare("contest", DELAY_MS, sides, session.points());
    }
}
