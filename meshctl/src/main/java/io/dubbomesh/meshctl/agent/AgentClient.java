package io.dubbomesh.meshctl.agent;

import io.dubbomesh.meshctl.document.AgentState;
import io.dubbomesh.meshctl.document.Config;
import io.dubbomesh.meshctl.document.ProblemDocument;
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
public final class AgentClient {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);
    /** A call may take as long as request.timeout.max, and a change may wait for the registry. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(70);
    /** An agent answers at once what it knows. */
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(10);

    private static final ProblemDocument NO_PROBLEM = new ProblemDocument("", "", "");

    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;

    private final URI admin;
    private final HttpClient http;

    /** @param tls to agents that speak HTTPS; null for the authorities of the JVM */
    public AgentClient(URI admin, SSLContext tls) {
        this.admin = admin;
        HttpClient.Builder client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT_TIMEOUT);
        http = (tls == null ? client : client.sslContext(tls)).build();
    }

    public URI admin() {
        return admin;
    }

    /** Returns a document below {@code /api/v1/}. */
    public <T extends Record> T get(String path, Class<T> type) {
        return document(text(path), type);
    }

    /** Returns all members of a document below {@code /api/v1/}. */
    public Map<?, ?> members(String path) {
        return object(text(path));
    }

    /** Returns the state of the agent. */
    public AgentState state() {
        return get("state", AgentState.class);
    }

    /** Returns the text of a document below {@code /api/v1/}. */
    public String text(String path) {
        return change("GET", path, null);
    }

    /**
     * Changes a document below {@code /api/v1/}, and returns the text of the answer.
     *
     * @param document what is sent; null for nothing
     */
    public String change(String method, String path, Object document) {
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

    /** Returns a page of the admin port, with any status. */
    public HttpResponse<String> page(String path) {
        return page(path, READ_TIMEOUT);
    }

    public HttpResponse<String> page(String path, Duration timeout) {
        return send(HttpRequest.newBuilder(admin.resolve(path)), timeout);
    }

    /** Returns where the agent takes requests, on the host of its admin port. */
    public URI front() {
        AgentState state = state();
        AgentRole role = state.agentRole();
        if (role == AgentRole.PROVIDER) {
            throw new MeshctlException(admin + " is a " + role.title()
                    + "'s (expected: that of a consumer agent or a gateway, or --url with where one takes requests)");
        }
        String listening = state.listening();
        int port = Integer.parseInt(listening.substring(listening.lastIndexOf(':') + 1));
        boolean tls = get("config", Config.class).isSet("http.tls.cert");
        return URI.create((tls ? "https://" : "http://") + admin.getHost() + ':' + port);
    }

    /** Sends a request to the front of the agent, which may take as long as a call. */
    public HttpResponse<String> send(HttpRequest.Builder request) {
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
            String whyNot = origin.equals(admin) ? WrongPort.adminPortProblem(origin) : WrongPort.frontProblem(origin);
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

    /**
     * Returns a hint: with TLS 1.3 the alert of a server can be lost, since it resets the connection for the request
     * behind it.
     */
    private static String endHint(URI origin) {
        return origin.getScheme().equals("https")
                ? " (an agent that demands certificates of its clients by http.tls.client-auth ends connections so, and"
                        + " meshctl has none)"
                : "";
    }

    /** Returns the user for the agent's log, which has who changed something. */
    private static String user() {
        return ProcessHandle.current().info().user().orElse("unknown user");
    }

    private static String origin(URI uri) {
        return uri.getScheme() + "://" + uri.getAuthority();
    }

    /** Returns what a problem document tells, or else the status. */
    public static String problem(HttpResponse<String> response) {
        ProblemDocument problem = problemDocument(response);
        if (!problem.detail().isEmpty()) {
            return response.statusCode() + " " + problem.code() + ": " + problem.detail()
                    + (response.statusCode() == UNAUTHORIZED ? " (--token-file names a file with a token)" : "");
        }
        return origin(response.uri()) + " answered " + response.statusCode() + " to "
                + response.uri().getPath() + " (expected: an agent of this version)";
    }

    /** Returns what {@link #problem} does, where another port than the admin port of an agent may have answered. */
    public String problemOfAdminPort(HttpResponse<String> response) {
        ProblemDocument problem = problemDocument(response);
        // What clients are told names the one failure, what operators are told does not.
        if (!problem.instance().isEmpty()) {
            return WrongPort.takesCalls(admin);
        }
        return problem.code().isEmpty()
                ? WrongPort.isAnother(
                        admin, response.statusCode(), response.uri().getPath())
                : problem(response);
    }

    /** Returns the code of a problem document; empty if the answer is none. */
    public static String code(HttpResponse<String> response) {
        return problemDocument(response).code();
    }

    private static ProblemDocument problemDocument(HttpResponse<String> response) {
        try {
            return document(response.body(), ProblemDocument.class);
        } catch (MeshctlException e) {
            // Another program may listen there.
            return NO_PROBLEM;
        }
    }

    /** Reads the text of a document. */
    public static <T extends Record> T document(String text, Class<T> type) {
        Map<?, ?> members = object(text);
        try {
            return Json.toRecord(members, type);
        } catch (IllegalArgumentException e) {
            throw new MeshctlException("the answer is no document of an agent of this version: " + e.getMessage());
        }
    }

    private static Map<?, ?> object(String text) {
        try {
            if (Json.read(text) instanceof Map<?, ?> object) {
                return object;
            }
        } catch (IllegalArgumentException e) {
            throw new MeshctlException("the answer is not JSON: " + e.getMessage());
        }
        throw new MeshctlException("the answer is no JSON object");
    }

    /** Encodes a part of a path or of a query. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }
}
