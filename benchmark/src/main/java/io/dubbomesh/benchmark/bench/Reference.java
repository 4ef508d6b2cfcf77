package io.dubbomesh.benchmark.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The mesh beside the least that a pair of agents can do, and beside a reverse proxy that everybody knows. */
final class Reference implements Scenario {
    private static final int PROXY_PORT = 27_000;
    private static final int ANSWERING_PORT = 27_001;

    @Override
    public Map<String, String> defaults() {
        return Map.of("connections", "64,512");
    }

    @Override
    public void run(Session session) throws IOException, InterruptedException, BenchException {
        List<Side> sides = new ArrayList<>();
        sides.add(session.startRoomyMesh(0));
        session.addFloor(sides);
        if (session.options().wants("nginx")) {
            sides.add(startNginx(session));
        }
        session.compare("reference", 0, sides, session.points());
    }

    private static Side startNginx(Session session) throws IOException, InterruptedException, BenchException {
        int connections = 2 * session.options().mostConnections();
        Nginx nginx = new Nginx(session.programs());
        Program answering = nginx.startAnswering("nginx-answer", ANSWERING_PORT);
        Program proxy = nginx.startProxy("nginx-proxy", PROXY_PORT, ANSWERING_PORT, Nginx.keptAlive(connections));
        session.state("nginx: a proxy with one worker process before another nginx with one, which answers \""
                + Nginx.ANSWER + "\"; connections are kept alive on both sides, up to " + connections);
        return new Side(
                "nginx",
                Stage.url(PROXY_PORT),
                session.installation().script("form.lua"),
                Map.of("ANSWER", Nginx.ANSWER),
                List.of(proxy),
                List.of(answering));
    }
}
