package io.dubbomesh.chaos.hostile;

import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.row.Row;
import io.dubbomesh.chaos.site.Host;
import io.dubbomesh.chaos.site.Network;
import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.chaos.site.Site;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static io.dubbomesh.chaos.site.Site.pause;

/** The rows about what agents show to their network. */
public final class ExposureRows {
    private static final String PROVIDER = "tcp 127.0.0.1:20880";
    private static final String HTTP = "tcp 127.0.0.1:20000";
    private static final String HTTP_ADMIN = "tcp 127.0.0.1:20001";
    private static final String MESH = "tcp *:30000";
    private static final String MESH_ADMIN = "tcp 127.0.0.1:30001";

    private ExposureRows() {}

    public static List<Row> rows() {
        return List.of(Row.of(
                "S4",
                "a pair of agents and a gateway with their default ports and addresses, on hosts of their own, looked at by ss -lntu",
                "only HTTP and the admin ports on loopback and the mesh port; the latter alone is reached from another host, and not opened"
                        + " without a token or mesh.open",
                ExposureRows::listeners));
    }

    private static void listeners(Site site, Figures figures) throws Exception {
        Path registry = site.directory().resolve("registry");
        String anyRegistry = "-Dregistry=file:" + registry;
        Host pair = site.network().addHost();
        Host alone = site.network().addHost();
        site.stubProvider("provider", pair, List.of("-Dhost=127.0.0.1", "-Dport=20880"))
                .restart();
        List<String> services = List.of(anyRegistry, "-Ddubbo.services=io.dubbomesh.chaos.Any");

        Part open = site.defaultAgent("provider-agent", "provider-agent-without-token", pair, services);
        open.start();
        figures.holds("a provider agent without a token ends at its start", open.awaitEnd(20))
                .equal(
                        "listeners beside it",
                        Network.listeners(pair).size(),
                        List.of(PROVIDER).size());

        List<String> withToken = new ArrayList<>(services);
        withToken.addAll(List.of(site.token()));
        site.defaultAgent("provider-agent", "provider-agent", pair, withToken).restart();
        List<String> asConsumer = new ArrayList<>(List.of(anyRegistry));
        asConsumer.addAll(List.of(site.token()));
        site.defaultAgent("consumer-agent", "consumer-agent", pair, asConsumer).restart();
        site.defaultAgent("consumer-agent", "gateway", alone, List.of(anyRegistry, "-Dtype=gateway"))
                .restart();
        // What they might open later than the others.
        pause(5);
        listens(figures, "a pair", pair, List.of(HTTP, HTTP_ADMIN, PROVIDER, MESH_ADMIN, MESH));
        listens(figures, "a gateway", alone, List.of(HTTP, HTTP_ADMIN));
        figures.holds("the mesh port is reached from another host", isReached(pair, 30_000));
        for (int port : new int[] {20_000, 20_001, 30_001}) {
            figures.holds(port + " is not", !isReached(pair, port));
        }
    }

    private static void listens(Figures figures, String what, Host host, List<String> wanted) throws Exception {
        List<String> listeners = Network.listeners(host);
        List<String> others = new ArrayList<>(listeners);
        others.removeAll(wanted);
        figures.note(what + " listens on " + String.join(", ", listeners))
                .none("other listeners", others.size())
                .holds("all that are documented", listeners.containsAll(wanted));
    }

    private static boolean isReached(Host host, int port) {
        try (Socket socket = new Socket(host.address(), port)) {
            return socket.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }
}
