package io.dubbomesh.chaos.fault;

import io.dubbomesh.chaos.load.Calls;
import io.dubbomesh.chaos.load.Load;
import io.dubbomesh.chaos.load.Workload;
import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.row.RawRequests;
import io.dubbomesh.chaos.row.Row;
import io.dubbomesh.chaos.row.Wait;
import io.dubbomesh.chaos.site.Mesh;
import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.chaos.site.Site;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static io.dubbomesh.chaos.site.Site.pause;

/** HTTP clients that end their side, or the whole connection, before they have their answer. */
public final class DepartureRows {
    private static final int CLIENTS = 200;
    private static final int LARGE = 1_000_000;
    /** epoll reports a reset also of a half-closed connection, which stays registered for it. */
    private static final double GONE_SECONDS = 0.1;

    private static final Pattern CONNECTIONS =
            Pattern.compile("(?m)^dubbomesh_consumer_connections(?:\\{[^}]*})? (\\d+)");

    private DepartureRows() {}

    public static List<Row> rows() {
        return List.of(Row.of(
                "H14",
                "200 clients end their output behind a request; 200 reset while they wait, 200 after they ended their output, 200 within"
                        + " an answer of 1 MB; calls of others beside them",
                "the first are answered; the others' connections are gone 100 ms later; CPU and open files as before after 1 s",
                DepartureRows::departures));
    }

    private static void departures(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 2).providers("-Ddelay.ms=500").start();
        Load load = mesh.load(Workload.closed(20));
        pause(2);
        Part consumer = mesh.consumer();
        int filesBefore = consumer.openFiles();
        long connectionsBefore = connections(consumer);
        double cpuBefore = cpuOfASecond(consumer);

        List<HttpSocket> clients = connect(site, consumer);
        int answered = 0;
        for (int i = 0; i < CLIENTS; i++) {
            clients.get(i).send(RawRequests.post("half-closed-" + i, "")).endOutput();
        }
        for (int i = 0; i < CLIENTS; i++) {
            HttpAnswer answer = clients.get(i).answer();
            answered += answer.text().equals(Integer.toString(("half-closed-" + i).hashCode())) ? 1 : 0;
            clients.get(i).assertEnd();
        }
        figures.equal("answered after the end of the output", answered, CLIENTS);

        for (boolean half : new boolean[] {false, true}) {
            clients = connect(site, consumer);
            for (HttpSocket client : clients) {
                client.send(RawRequests.post("reset", ""));
                if (half) {
                    client.endOutput();
                }
            }
            pause(0.1);
            figures.atMost(
                    half ? "s until connections reset after that are gone" : "s until reset connections are gone",
                    secondsUntilGone(consumer, clients, connectionsBefore),
                    GONE_SECONDS);
        }

        clients = connect(site, consumer);
        String large = RawRequests.post(Integer.toString(LARGE), "").replace("method=hash", "method=text");
        large = large.replaceFirst("Content-Length: \\d+", "Content-Length: " + bodyLength(large));
        for (HttpSocket client : clients) {
            client.send(large);
        }
        for (HttpSocket client : clients) {
            client.answerHead();
        }
        figures.atMost(
                "s until connections reset within an answer are gone",
                secondsUntilGone(consumer, clients, connectionsBefore),
                GONE_SECONDS);
        pause(1);
        figures.atMost("open files more", consumer.openFiles() - filesBefore, 5)
                .atMost("% of a core more, 1 s later", Math.max(0, cpuOfASecond(consumer) - cpuBefore) * 100, 10);
        Calls calls = load.stop();
        figures.nothingLost(calls, mesh.providers())
                .none("good calls failed", calls.failed().count());
    }

    private static int bodyLength(String request) {
        return request.length() - request.indexOf("\r\n\r\n") - 4;
    }

    private static List<HttpSocket> connect(Site site, Part consumer) throws Exception {
        List<HttpSocket> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(site.closed(new HttpSocket(consumer.port(), 16 * 1024)));
        }
        return clients;
    }

    /** Returns the seconds from the last reset on. */
    private static double secondsUntilGone(Part consumer, List<HttpSocket> clients, long connectionsBefore)
            throws Exception {
        for (HttpSocket client : clients) {
            client.closeByReset();
        }
        return Wait.seconds(10, () -> connections(consumer) <= connectionsBefore);
    }

    private static long connections(Part consumer) throws Exception {
        long sum = 0;
        Matcher lines = CONNECTIONS.matcher(consumer.admin("/metrics"));
        while (lines.find()) {
            sum += Long.parseLong(lines.group(1));
        }
        return sum;
    }

    private static double cpuOfASecond(Part part) throws Exception {
        double before = part.cpuSeconds();
        pause(1);
        return part.cpuSeconds() - before;
    }
}
