package io.dubbomesh.benchmark.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** nginx before the consumer agent: what it is worth to let it keep its connections. */
final class Front implements Scenario {
    private static final int KEPT_PORT = 27_000;
    private static final int CLOSED_PORT = 27_001;
    private static final int KEPT = 60;
    private static final double US_PER_MS = 1e3;

    @Override
    public Map<String, String> defaults() {
        return Map.of("connections", "64");
    }

    @Override
    public void run(Session session) throws IOException, InterruptedException, BenchException {
        Side mesh = session.startRoomyMesh(0);
        Nginx nginx = new Nginx(session.programs());
        List<Side> sides = List.of(
                behind(mesh, "keepalive", KEPT_PORT, nginx, Nginx.keptAlive(KEPT)),
                behind(mesh, "closed", CLOSED_PORT, nginx, Nginx.closed()));
        session.state("keepalive: nginx with keepalive " + KEPT
                + ", HTTP/1.1 and an empty Connection header; closed: nginx as it is without, HTTP/1.0");
        Comparison comparison = session.compare("front", 0, sides, session.points());
        session.report().add(connections(comparison));
    }

    private static Side behind(Side mesh, String name, int port, Nginx nginx, Nginx.Connections connections)
            throws IOException, InterruptedException, BenchException {
        List<Program> programs = new ArrayList<>();
        programs.add(nginx.startProxy("nginx-" + name, port, Stage.consumerPort(MeshSettings.of(0)), connections));
        programs.addAll(mesh.programs());
        return new Side(name, Stage.url(port), mesh.script(), mesh.environment(), programs, mesh.shared());
    }

    private static Table connections(Comparison comparison) {
        Table table = new Table(
                "front: connections from nginx to the consumer agent, of those accepted in this network namespace less wrk's",
                "round",
                "load",
                "side",
                "opened",
                "requests",
                "mean latency ms");
        for (Round round : comparison.rounds()) {
            table.add(
                    round.number(),
                    round.point().label(),
                    round.side(),
                    round.acceptedConnections() - round.point().connections(),
                    round.load().requests(),
                    round.load().meanUs() / US_PER_MS);
        }
        return table;
    }
}
