package io.dubbomesh.benchmark.scenario;

import io.dubbomesh.benchmark.load.Change;
import io.dubbomesh.benchmark.load.Comparison;
import io.dubbomesh.benchmark.load.Side;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;

/** Measures the cost of knowing who calls: pairs of agents that differ by this alone, in front of the same stub. */
final class Security {
    private static final String PLAIN = "plain";
    private static final String MESH_TOKEN = "mesh-token";
    private static final String MTLS = "mtls";
    private static final String HTTP_TOKEN = "http-token";
    private static final String JWT = "jwt";

    private static final String SECRET = "a-token-of-a-benchmark-and-of-nothing-else";

    private Security() {}

    static void compare(Session session) throws IOException, InterruptedException {
        session.startProviders(0);
        // None has the index 0: all need the same kind of registry.
        MeshSettings roomy = MeshSettings.of(1).withRoomFor(session.options().mostConnections());
        List<Side> sides = new ArrayList<>(List.of(session.startMesh(PLAIN, roomy)));
        for (String name : List.of(MESH_TOKEN, MTLS, HTTP_TOKEN, JWT)) {
            if (session.options().wants(name)) {
                MeshSettings settings = MeshSettings.of(sides.size() + 1)
                        .withRoomFor(session.options().mostConnections());
                sides.add(session.startMesh(name, with(name, settings, session.stage())));
            }
        }
        Comparison comparison =
                session.compare("security", 0, sides, session.options().points());
        List<String> names = comparison.sides().stream().map(Side::name).toList();
        for (String name : names) {
            if (!name.equals(PLAIN) && names.contains(PLAIN)) {
                session.harness().report().add(Change.table(comparison, PLAIN, name));
            }
        }
    }

    private static MeshSettings with(String name, MeshSettings settings, Stage stage)
            throws IOException, InterruptedException {
        return switch (name) {
            case MESH_TOKEN -> {
                String file = "-Dmesh.token-file=" + stage.write("mesh-token", SECRET);
                yield settings.withConsumer(file).withProvider(file);
            }
            case MTLS -> {
                Path directory = stage.certificates("consumer", "provider");
                yield settings.withConsumer(tls(directory, "consumer")).withProvider(tls(directory, "provider"));
            }
            case HTTP_TOKEN ->
                settings.withConsumer(
                                "-Dhttp.auth=token",
                                "-Dhttp.auth.token-file=" + stage.write("http-tokens", "bench " + SECRET),
                                rules(stage, name))
                        .withToken(SECRET);
            default -> withJwt(settings, stage);
        };
    }

    private static String[] tls(Path directory, String name) {
        return new String[] {
            "-Dmesh.tls.cert=" + directory.resolve(name + ".crt"),
            "-Dmesh.tls.key=" + directory.resolve(name + ".key"),
            "-Dmesh.tls.ca=" + directory.resolve("ca.crt")
        };
    }

    private static MeshSettings withJwt(MeshSettings settings, Stage stage) throws IOException {
        try {
            JwtIssuer issuer = new JwtIssuer();
            return settings.withConsumer(
                            "-Dhttp.auth=jwt",
                            "-Dhttp.auth.issuer=" + JwtIssuer.ISSUER,
                            "-Dhttp.auth.audience=" + JwtIssuer.AUDIENCE,
                            "-Dhttp.auth.jwks=" + stage.write("jwks.json", issuer.keys()),
                            rules(stage, JWT))
                    .withToken(issuer.token("bench"));
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private static String rules(Stage stage, String name) throws IOException {
        return "-Dhttp.auth.rules=" + stage.write(name + "-rules", "allow * com.alibaba.dubbo.performance.demo.*");
    }
}
