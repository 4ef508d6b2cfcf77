package io.dubbomesh.meshctl;

import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.FileFailure;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/** A command that asks a service, through a consumer agent or a gateway. */
abstract class FrontCommand extends AgentCommand {
    private static final int OK = 200;
    private static final String SERVICE_NOT_FOUND = "SERVICE_NOT_FOUND";
    private static final int MAX_TOKEN_FILE = 16 << 10;

    @Option(
            names = {"-u", "--url"},
            paramLabel = "URL",
            defaultValue = "${env:MESHCTL_URL}",
            description = {
                "Where the consumer agent or gateway takes requests: host:port, http://host:port or https://host:port",
                "(its admin port tells it; MESHCTL_URL sets it too)."
            })
    private String url;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            defaultValue = "${env:MESHCTL_TOKEN_FILE}",
            description = {
                "A file with the token, and nothing else, of an agent that serves only callers it knows (http.auth).",
                "MESHCTL_TOKEN_FILE sets it too."
            })
    private Path tokenFile;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            defaultValue = "${env:MESHCTL_CA}",
            description = {
                "PEM: the authorities that may have signed the certificate of an agent that speaks HTTPS,",
                "without it those of the JVM. MESHCTL_CA sets it too."
            })
    private Path ca;

    /** Not null after they were asked for. */
    private AgentClient agent;

    private URI front;

    @Override
    AgentClient agent() {
        if (agent == null) {
            agent = new AgentClient(admin(), ca == null ? null : TrustedAuthorities.read("--ca", ca));
        }
        return agent;
    }

    URI front() {
        if (front == null) {
            front = url == null ? agent().front() : url();
        }
        return front;
    }

    /** What the agent is that takes the requests; null if its admin port is not known. */
    AgentRole role() {
        return url == null ? AgentClient.role(agent().get("state")) : null;
    }

    private URI url() {
        try {
            return ServerAddress.front(url);
        } catch (IllegalArgumentException e) {
            throw wrongUsage("--url: " + e.getMessage());
        }
    }

    /** A request to that agent, as the caller whose token this is. */
    HttpRequest.Builder request(String target) {
        HttpRequest.Builder request = HttpRequest.newBuilder(front().resolve(target));
        return tokenFile == null ? request : request.header("Authorization", "Bearer " + token());
    }

    /** What is no token may be another secret: it is neither sent nor shown. */
    private String token() {
        String token;
        try {
            token = Files.size(tokenFile) > MAX_TOKEN_FILE
                    ? ""
                    : Files.readString(tokenFile, ISO_8859_1).strip();
        } catch (IOException e) {
            throw new MeshctlException("--token-file: cannot read " + tokenFile + " (" + FileFailure.reason(e) + ')');
        }
        if (token.isEmpty() || !token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new MeshctlException("--token-file: " + tokenFile
                    + " has no token (expected: one line of printable characters without blanks)");
        }
        return token;
    }

    /**
     * The text of the description.
     *
     * @param nothing codes of problems for which it is null; others are errors
     */
    String description(ServiceName service, String... nothing) {
        long startNs = System.nanoTime();
        HttpResponse<String> response = agent().send(request(service.target("")));
        if (response.statusCode() == OK) {
            return response.body();
        }
        if (List.of(nothing).contains(code(response))) {
            return null;
        }
        descriptionFailed(response, System.nanoTime() - startNs);
        throw new MeshctlException(problem(response, service));
    }

    /** Called with an answer for which the command fails, as it is no description. */
    void descriptionFailed(HttpResponse<String> response, long tookNs) {}

    /** What a problem document says; of a service that is not registered, which one may have been meant. */
    String problem(HttpResponse<String> response, ServiceName service) {
        String hint =
                SERVICE_NOT_FOUND.equals(code(response)) ? hint(service.key().service()) : null;
        return hint == null
                ? AgentClient.problem(response)
                : "service " + service.key().service() + " is not registered (" + hint + ')';
    }

    /** Null if there is none, as where the admin port of the agent is not known. */
    private String hint(String service) {
        if (url != null) {
            return null;
        }
        try {
            return MeantService.hint(
                    service,
                    objects(agent().get("services"), "services").stream()
                            .map(each -> text(each, "service"))
                            .toList());
        } catch (MeshctlException e) {
            return null;
        }
    }

    private static Object code(HttpResponse<String> response) {
        try {
            return AgentClient.object(response.body()).get("code");
        } catch (MeshctlException e) {
            return "";
        }
    }
}
