package io.dubbomesh.meshctl;

import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.json.Json;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The admin port of an agent, and the front of a consumer agent or a gateway. */
final class AgentClient {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);
    /** For a call, which may take as long as request.timeout.max, and a change, which may wait for the registry. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(70);
    /** For what an agent tells of itself. */
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(10);

    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;

    private final URI admin;
    private final HttpClient http;

    /** @param tls to agents that speak HTTPS; null for the authorities of the JVM */
    AgentClient(URI admin, SSLContext tls) {
        this.admin = admin;
        HttpClient.Builder client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT_TIMEOUT);
        http = (tls == null ? client : client.sslContext(tls)).build();
    }

    URI admin() {
        return admin;
    }

    /** A document below {@code /api/v1/}. */
    Map<?, ?> get(String path) {
        return object(change("GET", path, null));
    }

    /** The text of a document below {@code /api/v1/}, after a change of it unless the method is GET. */
    String change(String method, String path, Object document) {
        HttpRequest.Builder request = HttpRequest.newBuilder(admin.resolve("/api/v1/" + path))
                .header("Content-Type", "application/json")
                .method(
                        method,
                        document == null ? BodyPublishers.noBody() : BodyPublishers.ofString(Json.write(document)));
        HttpResponse<String> response = send(request, "GET".equals(method) ? READ_TIMEOUT : ANSWER_TIMEOUT);
        if (response.statusCode() != OK) {
            throw new MeshctlException(problemOfAdminPort(response));
        }
        String answer = response.body().strip();
        if (!answer.startsWith("{")) {
            throw new MeshctlException(
                    WrongPort.isAnother(admin, OK, response.uri().getPath()));
        }
        return answer;
    }

    /** A page of the admin port, whatever its status. */
    HttpResponse<String> page(String path) {
        return page(path, READ_TIMEOUT);
    }

    HttpResponse<String> page(String path, Duration timeout) {
        return send(HttpRequest.newBuilder(admin.resolve(path)), timeout);
    }

    /** What an agent is by its document {@code state}, in which one of an older version has no role. */
    static AgentRole role(Map<?, ?> state) {
        AgentRole told = AgentRole.ofType(AgentCommand.text(state, "role"));
        if (told != null) {
            return told;
        }
        return AgentRole.PROVIDER.program().equals(state.get("agent")) ? AgentRole.PROVIDER : AgentRole.CONSUMER;
    }

    /** Where the agent takes requests, on the host of its admin port. */
    URI front() {
        Map<?, ?> state = get("state");
        AgentRole role = role(state);
        if (role == AgentRole.PROVIDER) {
            throw new MeshctlException(admin + " is a " + role.title()
                    + "'s (expected: that of a consumer agent or a gateway, or --url with where one takes requests)");
        }
        String listening = String.valueOf(state.get("listening"));
        int port = Integer.parseInt(listening.substring(listening.lastIndexOf(':') + 1));
        boolean tls = AgentCommand.objects(get("config"), "settings").stream()
                .anyMatch(setting -> AgentCommand.text(setting, "key").equals("http.tls.cert")
                        && !AgentCommand.text(setting, "value").isEmpty());
        return URI.create((tls ? "https://" : "http://") + admin.getHost() + ':' + port);
    }

    HttpResponse<String> send(HttpRequest.Builder request) {
        return send(request, ANSWER_TIMEOUT);
    }

    private HttpResponse<String> send(HttpRequest.Builder request, Duration timeout) {
        HttpRequest built = request.header("User-Agent", "meshctl (" + user() + ')')
                .timeout(timeout)
                .build();
        try {
            return http.send(built, BodyHandlers.ofString(UTF_8));
        } catch (ConnectException e) {
            throw new MeshctlException(origin(built.uri())
                    + ": cannot connect (is an agent running there? --admin names the admin port of another one)");
        } catch (HttpTimeoutException e) {
            throw new MeshctlException(origin(built.uri()) + ": no answer within " + timeout.toSeconds()
                    + " s (is its process stopped, or in a long collection?)");
        } catch (SSLException e) {
            throw new MeshctlException(origin(built.uri()) + ": " + e.getMessage() + hint(e));
        } catch (IOException e) {
            URI origin = URI.create(origin(built.uri()));
            String whyNot = origin.equals(admin) ? WrongPort.whyNoAdminPort(origin) : WrongPort.whyNoFront(origin);
            String reason = origin + ": " + (e.getMessage() == null ? e : e.getMessage());
            throw new MeshctlException(whyNot != null ? whyNot : reason + endHint(origin));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MeshctlException("interrupted");
        }
    }

    private static String hint(SSLException failure) {
        String message = String.valueOf(failure.getMessage());
        // What a server says of an empty certificate: TLS 1.2 and the JDK, other servers with TLS 1.3.
        return message.contains("bad_certificate") || message.contains("certificate_required")
                ? " (the agent demands certificates of its clients by http.tls.client-auth, and meshctl has none)"
                : " (--ca names a file with the authorities of the agent's certificate, --url a host that the certificate names)";
    }

    /** With TLS 1.3 the alert of a server can be lost: it resets the connection for the request behind it. */
    private static String endHint(URI origin) {
        return origin.getScheme().equals("https")
                ? " (an agent that demands certificates of its clients by http.tls.client-auth ends connections so, and"
                        + " meshctl has none)"
                : "";
    }

    /** For the agent's log, which says who has changed something. */
    private static String user() {
        return ProcessHandle.current().info().user().orElse("unknown user");
    }

    private static String origin(URI uri) {
        return uri.getScheme() + "://" + uri.getAuthority();
    }

    /** What a problem document says, or else the status. */
    static String problem(HttpResponse<String> response) {
        try {
            if (Json.read(response.body()) instanceof Map<?, ?> problem && problem.get("detail") != null) {
                return response.statusCode() + " " + problem.get("code") + ": " + problem.get("detail")
                        + (response.statusCode() == UNAUTHORIZED ? " (--token-file names a file with a token)" : "");
            }
        } catch (IllegalArgumentException e) {
            // Another program may listen there.
        }
        return origin(response.uri()) + " answered " + response.statusCode() + " to "
                + response.uri().getPath() + " (expected: an agent of this version)";
    }

    /** As {@link #problem}, where another port than the admin port of an agent may have answered. */
    String problemOfAdminPort(HttpResponse<String> response) {
        Map<?, ?> problem = Map.of();
        try {
            problem = object(response.body());
        } catch (MeshctlException e) {
            // Another program's.
        }
        // What clients are told names the one failure, what operators are told does not.
        if (problem.containsKey("instance")) {
            return WrongPort.takesCalls(admin);
        }
        return problem.containsKey("code")
                ? problem(response)
                : WrongPort.isAnother(
                        admin, response.statusCode(), response.uri().getPath());
    }

    static Map<?, ?> object(String text) {
        try {
            if (Json.read(text) instanceof Map<?, ?> object) {
                return object;
            }
        } catch (IllegalArgumentException e) {
            throw new MeshctlException("the answer is not JSON: " + e.getMessage());
        }
        throw new MeshctlException("the answer is no JSON object");
    }

    /** For a part of a path or of a query. */
    static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }
}
