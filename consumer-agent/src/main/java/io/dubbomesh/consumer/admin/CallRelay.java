package io.dubbomesh.consumer.admin;

import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.PrintableText;
import io.dubbomesh.runtime.admin.AdminException;
import io.dubbomesh.runtime.admin.AdminRequest;
import io.dubbomesh.runtime.json.Json;

import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.URI;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Calls and descriptions that operators ask for at the admin port: sent to the port where the agent takes requests, as
 * any client would. Few at once, so that they never take all threads of the admin port.
 */
final class CallRelay {
    private static final int AT_ONCE = 3;
    static final int MAX_TIMEOUT_MS = 60_000;
    private static final int DEFAULT_TIMEOUT_MS = 5000;
    /** Above the deadline of the call, after which the agent answers itself. */
    static final int SPARE_MS = 2000;

    private static final int MAX_DESCRIPTION = 4 << 20;
    private static final int MAX_RESULT = 256 << 10;
    private static final String JSON = "application/json";
    private static final String OPEN_API = "application/openapi+json";
    private static final String BEARER = "Bearer ";
    private static final int OK = 200;

    private final ConsumerControl agent;
    private final Semaphore room = new Semaphore(AT_ONCE);

    /**
     * @param url          to which the request was sent
     * @param endpoint     where the call was sent; null for nowhere
     * @param serverTiming how long it was where, as the header field of that name
     * @param truncated    whether the body is longer
     */
    record Answer(
            String url,
            int status,
            double durationMs,
            String contentType,
            String endpoint,
            String serverTiming,
            String body,
            boolean truncated) {}

    CallRelay(ConsumerControl agent) {
        this.agent = agent;
    }

    /** Returns the methods and types of a service, as GET of its path describes them. */
    Object describe(AdminRequest request) throws AdminException {
        return describe(request, JSON);
    }

    /** Returns the OpenAPI document of a service. */
    Object describeInOpenApi(AdminRequest request) throws AdminException {
        return describe(request, OPEN_API);
    }

    private Object describe(AdminRequest request, String mediaType) throws AdminException {
        Map<String, String> query = request.query();
        String target = target(request.name(), "", query.getOrDefault("version", ""), query.getOrDefault("group", ""));
        List<String> headers = new ArrayList<>(authorization(request));
        headers.addAll(List.of("Accept", mediaType));
        Answer answer = exchange(target, "GET", headers, null, DEFAULT_TIMEOUT_MS, MAX_DESCRIPTION);
        if (answer.truncated()) {
            throw AdminException.unavailable(
                    "no description: it is longer than " + MAX_DESCRIPTION + " bytes (expected: GET " + target + ')');
        }
        Object document = json(answer.body());
        if (answer.status() == OK && document != null) {
            return document;
        }
        String detail = document instanceof Map<?, ?> problem && problem.get("detail") != null
                ? problem.get("detail").toString()
                : "the agent answered " + answer.status();
        throw answer.status() / 100 == 4
                ? AdminException.notFound("no description: " + detail)
                : AdminException.unavailable("no description: " + detail);
    }

    /** Makes a call, and passes on any answer. */
    Answer call(AdminRequest request) throws AdminException {
        String service = required(request, "service");
        String method = required(request, "method");
        String arguments = request.text("arguments", "[]");
        if (!(json(arguments) instanceof List)) {
            throw AdminException.badRequest(
                    "arguments: " + PrintableText.brief(arguments) + " (expected: the text of a JSON array)");
        }
        int timeoutMs = request.members().containsKey("timeoutMs")
                ? request.integer("timeoutMs", 1, MAX_TIMEOUT_MS)
                : DEFAULT_TIMEOUT_MS;
        List<String> headers = new ArrayList<>(authorization(request));
        headers.addAll(List.of(
                "Content-Type", JSON, "X-Request-Timeout", Integer.toString(timeoutMs), "X-Mesh-Timing", "true"));
        Object types = request.members().get("parameterTypes");
        if (types instanceof List<?> list && list.stream().allMatch(CallRelay::isHeaderText)) {
            headers.addAll(List.of(
                    "X-Dubbo-Parameter-Types",
                    String.join(", ", list.stream().map(Object::toString).toList())));
        } else if (types != null) {
            throw AdminException.badRequest("parameterTypes: " + PrintableText.brief(types.toString())
                    + " (expected: an array of names of Java types)");
        }
        String target = target(service, method, request.text("version", ""), request.text("group", ""));
        Answer answer = exchange(target, "POST", headers, arguments.getBytes(UTF_8), timeoutMs, MAX_RESULT);
        // The JDK does not hand over the body of a 401 to a POST. It is the same for each request of this caller.
        return answer.status() == HttpURLConnection.HTTP_UNAUTHORIZED
                ? exchange(target, "GET", authorization(request), null, DEFAULT_TIMEOUT_MS, MAX_RESULT)
                : answer;
    }

    /**
     * Returns the token of the admin request for the call; without one the call has no caller. Credentials of other
     * kinds are those of a proxy before the admin port.
     */
    private static List<String> authorization(AdminRequest request) {
        String given = request.authorization();
        return given != null && given.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? List.of("Authorization", given)
                : List.of();
    }

    private static boolean isHeaderText(Object type) {
        return type instanceof String text && text.chars().allMatch(c -> c >= ' ' && c <= '~');
    }

    private static String required(AdminRequest request, String member) throws AdminException {
        String text = request.text(member, "");
        if (text.isEmpty()) {
            throw AdminException.badRequest(member + ": missing (expected: a name)");
        }
        return text;
    }

    /** Returns null if it is none. */
    private static Object json(String text) {
        try {
            return Json.read(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static String target(String service, String method, String version, String group) {
        List<String> query = new ArrayList<>();
        if (!version.isEmpty()) {
            query.add("version=" + encoded(version));
        }
        if (!group.isEmpty()) {
            query.add("group=" + encoded(group));
        }
        return '/'
                + encoded(service)
                + (method.isEmpty() ? "" : '/' + encoded(method))
                + (query.isEmpty() ? "" : '?' + String.join("&", query));
    }

    private static String encoded(String part) {
        return URLEncoder.encode(part, UTF_8).replace("+", "%20");
    }

    private Answer exchange(
            String target, String method, List<String> headers, byte[] body, int timeoutMs, int maxLength)
            throws AdminException {
        if (!room.tryAcquire()) {
            throw AdminException.unavailable(AT_ONCE + " calls of operators are under way (expected: fewer)");
        }
        long startNs = System.nanoTime();
        HttpURLConnection connection = null;
        try {
            connection = open(target);
            connection.setRequestMethod(method);
            connection.setInstanceFollowRedirects(false);
            connection.setConnectTimeout(SPARE_MS);
            connection.setReadTimeout(timeoutMs + SPARE_MS);
            connection.setRequestProperty("Connection", "close");
            for (int i = 0; i < headers.size(); i += 2) {
                connection.setRequestProperty(headers.get(i), headers.get(i + 1));
            }
            if (body != null) {
                connection.setDoOutput(true);
                // Without that the JDK would send a call again whose connection was lost.
                connection.setFixedLengthStreamingMode(body.length);
                connection.getOutputStream().write(body);
            }
            return read(connection, startNs, maxLength);
        } catch (IOException e) {
            throw AdminException.unavailable("the agent did not answer: " + e.getMessage());
        } finally {
            room.release();
            if (connection != null) {
                connection.disconnect();
            }
        }
    }

    private HttpURLConnection open(String target) throws IOException {
        SSLSocketFactory tls = agent.tlsClient();
        URI uri = URI.create((tls == null ? "http://" : "https://") + front()).resolve(target);
        // To the agent itself, without the proxy that the JVM may have for others.
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection(Proxy.NO_PROXY);
        if (connection instanceof HttpsURLConnection https) {
            https.setSSLSocketFactory(tls);
            // The factory compares the whole certificate, not its names.
            https.setHostnameVerifier((host, session) -> true);
        }
        return connection;
    }

    private static Answer read(HttpURLConnection connection, long startNs, int maxLength) throws IOException {
        int status = connection.getResponseCode();
        double durationMs = (System.nanoTime() - startNs) / (double) TimeUnit.MILLISECONDS.toNanos(1);
        byte[] bytes = new byte[0];
        try (InputStream in = status < HttpURLConnection.HTTP_BAD_REQUEST
                ? connection.getInputStream()
                : connection.getErrorStream()) {
            if (in != null) {
                bytes = in.readNBytes(maxLength + 1);
            }
        }
        boolean truncated = bytes.length > maxLength;
        return new Answer(
                connection.getURL().toString(),
                status,
                durationMs,
                connection.getContentType(),
                connection.getHeaderField("X-Mesh-Endpoint"),
                connection.getHeaderField("Server-Timing"),
                new String(bytes, 0, Math.min(bytes.length, maxLength), UTF_8),
                truncated);
    }

    /**
     * Returns the address at which the agent takes requests; where it does so at all addresses, the one of this
     * machine.
     */
    private HostPort front() throws IOException {
        HostPort listening = HostPort.parse(agent.listening());
        InetAddress address = InetAddress.getByName(listening.host());
        String host =
                !address.isAnyLocalAddress() ? listening.host() : address instanceof Inet6Address ? "::1" : "127.0.0.1";
        return new HostPort(host, listening.port());
    }
}
