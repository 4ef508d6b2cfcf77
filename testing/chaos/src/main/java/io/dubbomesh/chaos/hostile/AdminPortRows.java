package io.dubbomesh.chaos.hostile;

import io.dubbomesh.chaos.load.Calls;
import io.dubbomesh.chaos.load.Load;
import io.dubbomesh.chaos.load.Workload;
import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.row.Row;
import io.dubbomesh.chaos.site.Mesh;
import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.chaos.site.Site;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static io.dubbomesh.chaos.site.Site.pause;
import static java.nio.charset.StandardCharsets.US_ASCII;

/** Clients of the admin port that keep it waiting. */
public final class AdminPortRows {
    private static final int PROBES = 200;
    private static final int PROBE_TIMEOUT_MS = 10_000;
    private static final int SMALL_BUFFER = 4_096;

    private AdminPortRows() {}

    public static List<Row> rows() {
        return List.of(Row.of(
                "H15",
                "8, 64 and 1,000 slow clients at the admin port: half heads, answers of /metrics and / that are not read",
                "/healthz and /readyz p99 at most 100 ms; no good call fails",
                AdminPortRows::slowClients));
    }

    private static void slowClients(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 2).start();
        Load load = mesh.load(Workload.rate(100));
        pause(1);
        for (Part agent : List.of(mesh.consumer(), mesh.agent(0))) {
            String name = agent == mesh.consumer() ? "consumer agent" : "provider agent";
            for (int clients : new int[] {8, 64, 1_000}) {
                measure(agent, name + ", " + clients + " clients", clients, figures);
            }
        }
        Calls calls = load.stop();
        figures.nothingLost(calls, mesh.providers())
                .none("failed", calls.failed().count());
    }

    private static void measure(Part agent, String what, int clients, Figures figures) throws Exception {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < clients; i++) {
                slow.add(client(agent, i));
            }
            double[] health = new double[PROBES];
            double[] readiness = new double[PROBES];
            for (int i = 0; i < PROBES; i++) {
                health[i] = probe(agent, "/healthz");
                readiness[i] = probe(agent, "/readyz");
                // Those that were closed come again.
                for (int j = i; j < clients; j += PROBES) {
                    slow.get(j).close();
                    slow.set(j, client(agent, j));
                }
            }
            figures.atMost(what + ": ms for /healthz (p99)", p99(health), 100)
                    .atMost(what + ": ms for /readyz (p99)", p99(readiness), 100);
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    private static Socket client(Part agent, int number) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(SMALL_BUFFER);
        socket.connect(new InetSocketAddress(agent.host().address(), agent.adminPort()), PROBE_TIMEOUT_MS);
        String request = switch (number % 4) {
            case 0 -> "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
            case 1 -> "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
            default -> "GET /healthz HTTP/1.1\r\nHost:";
        };
        socket.getOutputStream().write(request.getBytes(US_ASCII));
        return socket;
    }

    /** In milliseconds, with a new connection; the timeout if there was no right answer. */
    private static double probe(Part agent, String path) {
        long startNs = System.nanoTime();
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(PROBE_TIMEOUT_MS);
            socket.connect(new InetSocketAddress(agent.host().address(), agent.adminPort()), PROBE_TIMEOUT_MS);
            String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), US_ASCII);
            return answer.startsWith("HTTP/1.1 200") ? (System.nanoTime() - startNs) / 1e6 : PROBE_TIMEOUT_MS;
        } catch (IOException e) {
            return PROBE_TIMEOUT_MS;
        }
    }

    private static double p99(double[] values) {
        Arrays.sort(values);
        return values[(int) Math.ceil(values.length * 0.99) - 1];
    }
}
