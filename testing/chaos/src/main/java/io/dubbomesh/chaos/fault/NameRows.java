package io.dubbomesh.chaos.fault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dubbomesh.chaos.load.Calls;
import io.dubbomesh.chaos.load.Load;
import io.dubbomesh.chaos.load.Workload;
import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.row.Row;
import io.dubbomesh.chaos.row.Wait;
import io.dubbomesh.chaos.site.Etcd;
import io.dubbomesh.chaos.site.Host;
import io.dubbomesh.chaos.site.Mesh;
import io.dubbomesh.chaos.site.NameServer;
import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.chaos.site.Site;

import java.util.List;

import static io.dubbomesh.chaos.site.Site.pause;

/** Endpoints by host name. */
public final class NameRows {
    private static final String SERVICE = "com.example.Named";
    private static final int NAMES = 300;
    /** The endpoints of which links are open, see the setting links.subset. */
    private static final int CONNECTED = 20;

    private static final String PREFIX = "host-";

    private NameRows() {}

    public static List<Row> rows() {
        return List.of(Row.of(
                "E14",
                "300 endpoints of a service by host name, the name server silent for 30 s, then back",
                "at most 10 more threads; other services 0 failed; back in 5 s",
                NameRows::silentNameServer));
    }

    private static void silentNameServer(Site site, Figures figures) throws Exception {
        NameServer names = site.closed(NameServer.start(site.directory()));
        names.silence(true);
        Mesh mesh = Mesh.of(site, 2).start();
        Load load = mesh.load(Workload.rate(150));
        pause(2);
        // Registered under the names alone.
        Part agent = site.providerAgent(
                "named-agent",
                Host.HOME,
                mesh.provider(0).port(),
                "static:127.0.0.1:1",
                List.of("-Ddubbo.services=" + SERVICE));
        agent.restart();
        int before = mesh.consumer().threads();
        for (int i = 0; i < NAMES; i++) {
            String address = PREFIX + i + ".mesh.test:" + agent.port();
            mesh.etcd().put(Etcd.key(SERVICE, address), "{\"weight\":1,\"limit\":180}");
        }
        // Endpoints of a service are connected from its first call on; these calls fail.
        Load named = mesh.load(Workload.rate(2).service(SERVICE));
        int most = 0;
        for (int second = 0; second < 30; second++) {
            pause(1);
            most = Math.max(most, mesh.consumer().threads());
        }
        int aliveMeanwhile = alive(mesh.consumer());
        names.silence(false);
        long backNs = System.nanoTime();
        double first = Wait.seconds(30, () -> alive(mesh.consumer()) > 0);
        double all = first + Wait.seconds(30, () -> alive(mesh.consumer()) >= CONNECTED);
        pause(10);
        Calls ofNames = named.stop();
        Calls calls = load.stop();
        figures.nothingLost(calls, mesh.providers())
                .none("failed", calls.failed().count())
                .none("endpoints that were connected meanwhile", aliveMeanwhile)
                .atMost("more threads", most - before, 10)
                .atMost("s until the first is connected", first, 5)
                .atMost("s until " + CONNECTED + " are", all, 5)
                .none(
                        "its calls failed 5 s after",
                        ofNames.from(backNs + 5_000_000_000L).failed().count());
    }

    private static int alive(Part consumer) throws Exception {
        int alive = 0;
        JsonNode endpoints = new ObjectMapper().readTree(consumer.admin("/api/v1/endpoints?most=1000"));
        for (JsonNode endpoint : endpoints.findParents("alive")) {
            boolean isNamed = endpoint.path("id").asText().startsWith(PREFIX);
            alive += isNamed && endpoint.path("alive").asBoolean() ? 1 : 0;
        }
        return alive;
    }
}
