package io.dubbomesh.benchmark.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What one pair of agents can carry when the provider costs next to nothing. */
final class Saturate implements Scenario {
    @Override
    public Map<String, String> defaults() {
        return Map.of("connections", "64,512", "seconds", "20", "warmup", "30", "before", "");
    }

    @Override
    public void run(Session session) throws IOException, InterruptedException, BenchException {
        if (session.options().before().isEmpty()) {
            session.compare("saturate", 0, List.of(session.startRoomyMesh(0)), session.points());
        } else {
            compareWithBefore(session);
        }
    }

    /** The agents of another checkout, and these. */
    private static void compareWithBefore(Session session) throws IOException, InterruptedException, BenchException {
        Path other = Path.of(session.options().before());
        int connections = session.options().mostConnections();
        session.startProviders(0);
        // Neither has the index 0: both have the same kind of registry.
        Side before = session.startMesh(
                Change.BEFORE, MeshSettings.of(1).withRoomFor(connections).withAgentsOf(other));
        Side after = session.startMesh(Change.AFTER, MeshSettings.of(2).withRoomFor(connections));
        session.state(Change.BEFORE + ": the agents of " + Machine.commit(other));
        Comparison comparison = session.compare("saturate", 0, List.of(before, after), session.points());
        if (comparison.sides().size() == 2) {
            session.report().add(Change.table(comparison));
        }
    }
}
