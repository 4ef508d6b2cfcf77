package io.dubbomesh.meshctl;

import picocli.CommandLine.Option;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;

/** A command that asks a service, through a consumer agent. */
abstract class FrontCommand extends AgentCommand {
    private static final int NOT_FOUND = 404;
    private static final int OK = 200;

    @Option(
            names = {"-u", "--url"},
            paramLabel = "URL",
            defaultValue = "${env:MESHCTL_URL}",
            description = "Where the consumer agent takes requests (its admin port tells it; MESHCTL_URL sets it too).")
    private URI url;

    /** Not null after it was asked for. */
    private URI front;

    URI front() {
        if (front == null) {
            front = url == null ? agent().front() : url;
        }
        return front;
    }

    /** The text of the description; null if the methods are not known. */
    String description(ServiceName service) {
        HttpResponse<String> response = agent().send(HttpRequest.newBuilder(front().resolve(service.target(""))));
        if (response.statusCode() == OK) {
            return response.body();
        }
        if (response.statusCode() == NOT_FOUND && "NOT_FOUND".equals(code(response))) {
            return null;
        }
        throw new MeshctlException(AgentClient.problem(response));
    }

    private static Object code(HttpResponse<String> response) {
        Map<?, ?> problem = AgentClient.object(response.body());
        return problem.get("code");
    }
}
