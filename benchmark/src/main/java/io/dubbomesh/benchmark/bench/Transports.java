package io.dubbomesh.benchmark.bench;

import io.dubbomesh.transport.socket.Transport;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How the agents should move their bytes on this machine, and with how many event loops. */
final class Transports implements Scenario {
    private static final List<String> TRANSPORTS = List.of("epoll", "io_uring", "nio");
    private static final int[] LOOPS = {1, 2};
    private static final int[] DELAYS_MS = {0, 50};

    @Override
    public Map<String, String> defaults() {
        return Map.of("connections", "64,512,4096");
    }

    @Override
    public void run(Session session) throws IOException, InterruptedException, BenchException {
        for (int delayMs : DELAYS_MS) {
            List<Side> sides = new ArrayList<>();
            session.startProviders(delayMs);
            // From 1 on, so that all have the same kind of registry.
            int index = 1;
            for (String transport : TRANSPORTS) {
                for (int loops : LOOPS) {
                    String name = transport + "-" + loops;
                    if (session.options().wants(name) && isAvailable(transport, session)) {
                        MeshSettings settings = MeshSettings.of(index++)
                                .withRoomFor(session.options().mostConnections())
                                .withBoth("-Dio.transport=" + transport, "-Dio.threads=" + loops);
                        sides.add(session.startMesh(name, settings));
                    }
                }
            }
            session.compare("transport, " + delayMs + " ms a call", delayMs, sides, session.points());
            session.stage().stopAll();
        }
    }

    private static boolean isAvailable(String transport, Session session) {
        try {
            Transport.of(transport);
            return true;
        } catch (IllegalArgumentException e) {
            session.state("not measured: " + e.getMessage());
            return false;
        }
    }
}
