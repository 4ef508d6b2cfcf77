package io.dubbomesh.meshctl.command;

import io.dubbomesh.meshctl.agent.AgentClient;
import io.dubbomesh.meshctl.agent.MeshctlException;
import io.dubbomesh.meshctl.agent.ServerAddress;
import io.dubbomesh.meshctl.agent.ServiceName;
import io.dubbomesh.meshctl.agent.ServiceSuggestion;
import io.dubbomesh.meshctl.agent.TrustedAuthorities;
import io.dubbomesh.meshctl.document.Service;
import io.dubbomesh.meshctl.document.ServiceList;
import io.dubbomesh.meshctl.document.ServicesDocument;
import io.dubbomesh.protocol.ServiceKey;
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
public abstract class FrontCommand extends AgentCommand {
    protected static final String SERVICE =
            "interface[:version[:group]], without the package if no other has that name";

    private static final int OK = 200;
    private static final String SERVICE_NOT_FOUND = "SERVICE_NOT_FOUND";
    private static final String METHOD_NOT_FOUND = "METHOD_NOT_FOUND";
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

    /** Null before the first use, as the front. */
    private AgentClient agent;

    private URI front;

    @Override
    protected AgentClient agent() {
        if (agent == null) {
            agent = new AgentClient(admin(), ca == null ? null : TrustedAuthorities.read("--ca", ca));
        }
        return agent;
    }

    protected final URI front() {
        if (front == null) {
            front = url == null ? agent().front() : url();
        }
        return front;
    }

    /** Returns whether the admin port of the agent that takes the requests is known. */
    protected final boolean hasAdmin() {
        return url == null;
    }

    /** Returns what the agent is that takes the requests; null if its admin port is not known. */
    AgentRole role() {
        return url == null ? agent().state().agentRole() : null;
    }

    private URI url() {
        try {
            return ServerAddress.front(url);
        } catch (IllegalArgumentException e) {
            throw wrongUsage("--url: " + e.getMessage());
        }
    }

    /** Returns a request to that agent, with the token if there is one. */
    protected HttpRequest.Builder request(String target) {
        HttpRequest.Builder request = HttpRequest.newBuilder(front().resolve(target));
        return tokenFile == null ? request : request.header("Authorization", "Bearer " + token());
    }

    /** Returns the token; a word that is no token may be another secret: it is neither sent nor shown. */
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

    /** Returns the service that an argument names, if only one is registered also without its package. */
    protected final ServiceName service(String argument) {
        ServiceName name = ServiceName.parse(argument);
        return name.isSimple() ? name.among(url == null ? names(services()) : listed()) : name;
    }

    /** Returns the services that the agent lists to its callers; none if it is of a version that does not. */
    private List<String> listed() {
        HttpResponse<String> response = agent().send(request("/"));
        return response.statusCode() == OK
                ? AgentClient.document(response.body(), ServiceList.class).services().stream()
                        .map(ServiceList.Link::service)
                        .toList()
                : List.of();
    }

    /**
     * Returns the text of the description.
     *
     * @param nothing codes of problems for which it is null; others are errors
     */
    protected final String description(ServiceName service, String... nothing) {
        long startNs = System.nanoTime();
        HttpResponse<String> response = agent().send(request(service.target("")));
        if (response.statusCode() == OK) {
            return response.body();
        }
        if (List.of(nothing).contains(AgentClient.code(response))) {
            return null;
        }
        descriptionFailed(response, System.nanoTime() - startNs);
        throw new MeshctlException(problem(response, service));
    }

    /** Called with an answer for which the command fails, as it is no description. */
    void descriptionFailed(HttpResponse<String> response, long tookNs) {}

    /** Returns what a problem document tells, and which service may be meant where none is found. */
    String problem(HttpResponse<String> response, ServiceName service) {
        String problem = AgentClient.problem(response);
        String hint;
        switch (AgentClient.code(response)) {
            case SERVICE_NOT_FOUND -> {
                hint = ServiceSuggestion.hint(service.key().service(), names(services()));
                problem = hint == null ? problem : "service " + service.key().service() + " is not registered";
            }
            case METHOD_NOT_FOUND -> hint = ServiceSuggestion.ofVariant(service.key(), served(services()));
            default -> hint = null;
        }
        return hint == null ? problem : problem + " (" + hint + ')';
    }

    /** Returns what a service that was typed without a method may mean; null if there is none. */
    String hint(ServiceName typed) {
        List<Service> services = services();
        String hint = ServiceSuggestion.ofVariant(typed.key(), served(services));
        return hint == null ? ServiceSuggestion.hint(typed.key().service(), names(services)) : hint;
    }

    /** Returns the services that the agent knows; none if its admin port is not known. */
    private List<Service> services() {
        if (url != null) {
            return List.of();
        }
        try {
            return agent().get("services", ServicesDocument.class).services();
        } catch (MeshctlException e) {
            return List.of();
        }
    }

    private static List<String> names(List<Service> services) {
        return services.stream().map(Service::service).toList();
    }

    private static List<ServiceKey> served(List<Service> services) {
        return services.stream()
                .flatMap(each -> each.served().stream()
                        .map(variant -> new ServiceKey(each.service(), variant.version(), variant.group())))
                .toList();
    }
}
