package io.dubbomesh.chaos.row;

import io.dubbomesh.chaos.load.Exchange;
import io.dubbomesh.chaos.load.Workload;
import io.dubbomesh.chaos.site.Mesh;
import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.chaos.site.Site;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A mesh whose calls take no time, and requests to it that are written out. Each char is a byte. */
public final class RawRequests {
    public static final String CHUNKED = "Transfer-Encoding: chunked\r\n";
    public static final String CLOSE = "Connection: close\r\n";
    private static final String FORM_TYPE = "Content-Type: application/x-www-form-urlencoded\r\n";
    private static final int ALIVE_CALLS = 20;

    private final Mesh mesh;

    private RawRequests(Mesh mesh) {
        this.mesh = mesh;
    }

    public static RawRequests at(Site site) throws Exception {
        return new RawRequests(Mesh.of(site, 1).providers("-Ddelay.ms=0").start());
    }

    public Part consumer() {
        return mesh.consumer();
    }

    /** A call of {@code hash}. */
    public static String form(String parameter) {
        return "interface=" + Workload.SERVICE + "&method=hash&parameterTypesString=Ljava%2Flang%2FString%3B&parameter="
                + parameter;
    }

    /** Returns a head without fields for the body's length; these are in {@code fields}. */
    public static String head(String fields) {
        return "POST / HTTP/1.1\r\nHost: mesh\r\n" + FORM_TYPE + fields + "\r\n";
    }

    public static String post(String parameter, String fields) {
        String body = form(parameter);
        return head(fields + "Content-Length: " + body.length() + "\r\n") + body;
    }

    public static String chunk(String data) {
        return Integer.toHexString(data.length()) + "\r\n" + data + "\r\n";
    }

    /** Returns a value for a report: of a long one its length alone. */
    public static String shown(String value) {
        StringBuilder shown = new StringBuilder();
        for (char each : value.toCharArray()) {
            shown.append(each >= ' ' && each <= '~' ? Character.toString(each) : "<%02x>".formatted((int) each));
        }
        return shown.length() > 60 ? value.length() + " characters" : shown.toString();
    }

    public Exchange send(String bytes) throws IOException {
        return Exchange.of(consumer().address(), bytes);
    }

    public boolean isExecuted(String parameter) throws IOException {
        return mesh.provider(0).executions().has(parameter.hashCode());
    }

    /** Whether it is the answers to these parameters, in their order, and the end. */
    public static boolean isRight(Exchange exchange, String... parameters) {
        List<String> expected = new ArrayList<>();
        for (String parameter : parameters) {
            expected.add(Integer.toString(parameter.hashCode()));
        }
        return exchange.isClosed()
                && exchange.remainder().isEmpty()
                && exchange.statuses().stream().allMatch(status -> status == 200)
                && exchange.answers().stream()
                        .map(Exchange.Answer::body)
                        .toList()
                        .equals(expected);
    }

    /** Good calls right after the others, each on a connection of its own. */
    public void requireAlive(Figures figures) throws IOException {
        int right = 0;
        for (int i = 0; i < ALIVE_CALLS; i++) {
            right += isRight(send(post("alive-" + i, CLOSE)), "alive-" + i) ? 1 : 0;
        }
        figures.equal("good calls right afterwards, of " + ALIVE_CALLS, right, ALIVE_CALLS);
    }
}
