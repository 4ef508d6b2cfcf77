package io.dubbomesh.benchmark.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Several requests in one write, as Netty's own plaintext test has them, beside a server that does nothing but HTTP. */
final class Pipeline implements Scenario {
    private static final int CODEC_PORT = 26_000;
    private static final int[] DEPTHS = {1, 16, 256};

    @Override
    public Map<String, String> defaults() {
        return Map.of("connections", "256");
    }

    @Override
    public void run(Session session) throws IOException, InterruptedException, BenchException {
        Options options = session.options();
        Installation installation = session.installation();
        Path script = installation.script("form.lua");
        int deepest = DEPTHS[DEPTHS.length - 1];
        MeshSettings settings = MeshSettings.of(0).withRoomFor(options.mostConnections() * deepest);
        List<Side> sides = new ArrayList<>();
        session.startProviders(0);
        sides.add(session.startMesh("mesh", settings).with(script));
        if (options.wants("codec")) {
            Program codec = session.stage()
                    .startListeningJava(
                            "codec-server",
                            CODEC_PORT,
                            List.of(
                                    "-Dport=" + CODEC_PORT,
                                    "-cp",
                                    installation.jar("benchmark").toString(),
                                    "io.dubbomesh.benchmark.codec.HttpCodecServer"));
            sides.add(new Side("codec", Stage.url(CODEC_PORT), script, Map.of(), List.of(codec), List.of()));
            session.state("codec: a server with Netty's HttpServerCodec that answers by itself and calls nobody");
        }
        session.compare("pipeline", 0, sides, points(options));
    }

    private static List<Point> points(Options options) {
        List<Point> points = new ArrayList<>();
        for (int connections : options.connections()) {
            for (int depth : DEPTHS) {
                points.add(new Point(
                        "depth " + depth + ", " + connections + " connections",
                        connections,
                        Map.of("DEPTH", Integer.toString(depth))));
            }
        }
        return points;
    }
}
