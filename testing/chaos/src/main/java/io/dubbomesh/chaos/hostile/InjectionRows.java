package io.dubbomesh.chaos.hostile;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dubbomesh.chaos.load.Calls;
import io.dubbomesh.chaos.load.Load;
import io.dubbomesh.chaos.load.Workload;
import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.row.Row;
import io.dubbomesh.chaos.site.Mesh;
import io.dubbomesh.chaos.site.Part;
import io.dubbomesh.chaos.site.Site;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.OtherServer;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Clients whose texts are meant for something else than a call: for a header, a log, a file, another server. */
public final class InjectionRows {
    private static final String FORGED_LINE = "2001-01-01T00:00:00.000+00:00 ERROR [main] Forged: line";
    private static final String FORGED = "\r\n" + FORGED_LINE + "\r\nSet-Cookie: forged=1\r\n\r\n{\"forged\":1}\n\u0085"
            + FORGED_LINE + "\u2028" + FORGED_LINE + "\u001b[2J\u0000";
    private static final Pattern FORGED_START = Pattern.compile("\\s*(2001-|Set-Cookie|[{]\"forged)");
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\u0085\\u2028\\u2029&&[^\\t]]");

    /** The headers of agents, with those of the page of the admin port. */
    private static final Set<String> HEADERS = Set.of(
            "date",
            "content-type",
            "content-length",
            "connection",
            "retry-after",
            "allow",
            "vary",
            "x-dubbo-exception",
            "x-mesh-endpoint",
            "cache-control",
            "content-security-policy",
            "cross-origin-opener-policy",
            "referrer-policy",
            "x-content-type-options");

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String FORM = "Content-Type: application/x-www-form-urlencoded";

    private InjectionRows() {}

    public static List<Row> rows() {
        return List.of(Row.of(
                "S5",
                "texts of clients with lines, headers and terminal codes in each place of a request; paths that climb; names, headers"
                        + " and arguments that name another server",
                "no header in an answer and no line in a log is theirs; no file is served; no program connects to the other server;"
                        + " no untagged 500",
                InjectionRows::injections));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    private static String form(String service, String method, String more, String... headers) {
        List<String> all = new ArrayList<>(List.of(headers));
        all.add(FORM);
        return HttpSocket.request(
                "POST /",
                "interface=" + service + "&method=" + method + "&parameterTypesString=Ljava%2Flang%2FString%3B"
                        + "&parameter=x" + more,
                all.toArray(String[]::new));
    }

    private static String json(String target, String body, String... headers) {
        List<String> all = new ArrayList<>(List.of(headers));
        all.add("Content-Type: application/json");
        return HttpSocket.request("POST " + target, body, all.toArray(String[]::new));
    }

    /**
     * A text of many lines in each place of a request, percent-encoded where that is the grammar, otherwise as it is.
     */
    private static List<String> forging() {
        String service = HostileProvider.SERVICE;
        String lines = encoded(FORGED);
        List<String> requests = new ArrayList<>(List.of(
                form(lines, "good", ""),
                form(service, lines, ""),
                form(service, "good", "&version=" + lines),
                form(service, "good", "&group=" + lines),
                form(service, "good", "&" + lines + "=" + lines),
                HttpSocket.request(
                        "POST /",
                        "interface=" + service + "&method=good&parameterTypesString=" + lines + "&parameter=x",
                        FORM),
                HttpSocket.request(
                        "POST /",
                        "interface=" + service + "&method=good&parameterTypesString=Ljava%2Flang%2FString%3B&parameter="
                                + lines,
                        FORM),
                json("/" + lines + "/good", "[\"x\"]"),
                json("/" + service + "/" + lines, "[\"x\"]"),
                json("/" + service + "/good?version=" + lines, "[\"x\"]"),
                json("/" + service + "/good?" + lines + "=" + lines, "[\"x\"]"),
                json("/" + service + "/good", "[\"" + FORGED + "\"]"),
                json("/" + service + "/good", "[\"x\"]", "X-Dubbo-Parameter-Types: " + lines)));
        for (String value : List.of(lines, FORGED_LINE + "\u001b[2J", FORGED_LINE + "\u007f", "\u0000" + FORGED_LINE)) {
            for (String name : List.of(
                    "X-Dubbo-Attachment-forged",
                    "X-Dubbo-Attachments",
                    "X-Dubbo-Attachment-" + lines,
                    "X-Dubbo-Version",
                    "X-Dubbo-Group",
                    "X-Request-Timeout",
                    "traceparent",
                    "tracestate",
                    "baggage",
                    "Origin",
                    "Expect",
                    "Authorization",
                    "User-Agent",
                    "X-Forwarded-For",
                    "Content-Encoding",
                    "Transfer-Encoding",
                    lines)) {
                requests.add(form(service, "good", "", name + ": " + value));
            }
        }
        // Sent as they are: the parser has to end the request at the first of them.
        for (String lineEnd : List.of("\r", "\n", "\r\n\t", "\u0000")) {
            requests.add(form(service, "good", "", "X-Text: a" + lineEnd + FORGED_LINE));
            requests.add("GET /" + lineEnd + FORGED_LINE + " HTTP/1.1\r\nHost: a\r\n\r\n");
        }
        return requests;
    }

    private static List<String> climbing(int adminPort) {
        List<String> requests = new ArrayList<>();
        for (String target : List.of(
                "/../../../../../../etc/passwd",
                "/..%2f..%2f..%2f..%2f..%2fetc%2fpasswd",
                "/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
                "/....//....//....//etc/passwd",
                "/..%5c..%5c..%5cetc%5cpasswd",
                "/a/..%2f..%2f..%2f..%2fetc%2fpasswd",
                "//etc/passwd",
                "/..;/..;/etc/passwd",
                "/%252e%252e/%252e%252e/etc/passwd",
                "/META-INF/MANIFEST.MF",
                "/io/dubbomesh/consumer/reference.conf",
                "/../reference.conf",
                "/page/../../reference.conf",
                "file:///etc/passwd",
                "/file:%2f%2f%2fetc%2fpasswd")) {
            requests.add("GET " + target + " HTTP/1.1\r\nHost: localhost:" + adminPort + "\r\n\r\n");
            requests.add(json(target, "[]"));
        }
        return requests;
    }

    private static List<String> naming(String server) {
        String url = "http://" + server + "/";
        String service = HostileProvider.SERVICE;
        List<String> requests = new ArrayList<>(List.of(
                form("dubbo%3A%2F%2F" + encoded(server) + "%2F" + service, "good", ""),
                form(encoded(server), "good", ""),
                form(service, encoded(url), ""),
                form(service, "good", "&version=" + encoded(url)),
                form(service, "good", "&group=" + encoded(server) + "&url=" + encoded(url)),
                form(service, "%24invoke", ""),
                json("/" + encoded(url) + "/good", "[\"x\"]"),
                json(url + service + "/good", "[\"x\"]"),
                json("/" + service + "/good?url=" + encoded(url) + "&registry=" + encoded(url), "[\"x\"]"),
                json(
                        "/" + service + "/good",
                        "[{\"@type\":\"java.net.InetSocketAddress\",\"address\":\"" + server + "\"}]"),
                json("/" + service + "/good", "[{\"class\":\"java.net.URL\",\"val\":\"" + url + "\"}]"),
                json("/" + service + "/good", "[\"" + url + "\"]", "X-Dubbo-Parameter-Types: java.net.URL"),
                json("/" + service + "/good", "[\"" + url + "\"]", "X-Dubbo-Parameter-Types: java.net.URI"),
                "CONNECT " + server + " HTTP/1.1\r\nHost: " + server + "\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: " + server + "\r\n" + FORM + "\r\nContent-Length: 0\r\n\r\n"));
        for (String name : List.of(
                "X-Dubbo-Attachment-url",
                "X-Dubbo-Attachment-interface",
                "X-Dubbo-Attachment-path",
                "X-Dubbo-Attachment-remote.address",
                "X-Dubbo-Attachment-registry",
                "X-Forwarded-Host",
                "Forwarded",
                "Referer",
                "Via")) {
            requests.add(form(service, "good", "", name + ": " + encoded(url)));
            requests.add(form(service, "good", "", name + ": " + url));
        }
        return requests;
    }

    /** The results of all answers together. */
    private static final class Tally {
        final Map<Integer, Integer> statuses = new TreeMap<>();
        final Set<String> theirHeaders = new TreeSet<>();
        int files;
    }

    private static void injections(Site site, Figures figures) throws Exception {
        Path accessLog = site.directory().resolve("access.log");
        Mesh mesh = Mesh.of(site, 1).consumer("-Daccess.log=" + accessLog).start();
        HostileProvider hostile = HostileProvider.start(site, mesh);
        OtherServer other = site.closed(OtherServer.silent());
        Part consumer = mesh.consumer();
        int adminPort = consumer.adminPort();
        Load load = mesh.load(Workload.rate(50));
        Tally tally = new Tally();
        String server = "127.0.0.1:" + other.port();
        List<String> requests = new ArrayList<>(forging());
        requests.addAll(climbing(consumer.port()));
        requests.addAll(naming(server));
        for (String request : requests) {
            send(consumer.port(), request, tally);
        }
        List<String> ofOperators = climbing(adminPort);
        ofOperators.add("GET /state?url=" + encoded("http://" + server) + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
        ofOperators.add("GET http://" + server + "/ HTTP/1.1\r\nHost: localhost\r\n\r\n");
        for (String request : ofOperators) {
            send(adminPort, request, tally);
        }
        Calls calls = load.stop();
        // It is written every second, at the latest.
        Site.pause(2);
        Lines access = Lines.of(Files.readString(accessLog));
        Lines logs = Lines.of(consumer.log() + hostile.agent().log());
        figures.note(requests.size() + " requests and " + ofOperators.size() + " to the admin port: " + tally.statuses)
                .none("headers of clients in answers", tally.theirHeaders.size())
                .none("files served", tally.files)
                .none("untagged 500", tally.statuses.getOrDefault(500, 0))
                .atLeast("lines in the access log", access.count, requests.size())
                .none("of them no JSON", access.noJson)
                .none("of them forged", access.forged)
                .none("of the agents' other lines forged", logs.forged)
                .none("lines with control characters", access.control + logs.control)
                .none("connections to the other server", other.accepted())
                .nothingLost(calls, mesh.providers())
                .none("good calls failed", calls.failed().count());
    }

    private static void send(int port, String request, Tally tally) throws IOException {
        // It reads each answer by the grammar: a foreign line is an error, or a header.
        try (HttpSocket socket = new HttpSocket(port)) {
            HttpAnswer answer = socket.call(request);
            tally.statuses.merge(answer.status(), 1, Integer::sum);
            for (Map.Entry<String, String> header : answer.headers().entrySet()) {
                String text = header.getKey() + ": " + header.getValue();
                if (!HEADERS.contains(header.getKey())
                        || text.toLowerCase(Locale.ROOT).contains("forged")) {
                    tally.theirHeaders.add(text);
                }
            }
            String text = answer.text();
            tally.files +=
                    text.contains("root:") || text.contains("Manifest-Version") || text.contains("\"server.port\"")
                            ? 1
                            : 0;
        }
    }

    private record Lines(int count, int noJson, int forged, int control) {
        static Lines of(String log) {
            int count = 0;
            int noJson = 0;
            int forged = 0;
            int control = 0;
            for (String line : log.split("\n")) {
                count++;
                noJson += isObject(line) ? 0 : 1;
                forged += FORGED_START.matcher(line).lookingAt() ? 1 : 0;
                control += CONTROL.matcher(line).find() ? 1 : 0;
            }
            return new Lines(count, noJson, forged, control);
        }

        private static boolean isObject(String line) {
            try {
                return JSON.readTree(line).isObject();
            } catch (JsonProcessingException e) {
                return false;
            }
        }
    }
}
