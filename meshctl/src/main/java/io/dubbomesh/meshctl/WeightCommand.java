package io.dubbomesh.meshctl;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.util.Map;

@Command(
        name = "weight",
        description =
                "Prints the weight of an endpoint, or changes it for all agents that read the registry. 0: no new calls.")
final class WeightCommand extends AgentCommand {
    @Parameters(index = "0", paramLabel = "ENDPOINT", description = "host:port, as ls lists it")
    private String endpoint;

    @Parameters(index = "1", arity = "0..1", paramLabel = "WEIGHT", description = "0-1000")
    private Integer weight;

    @Override
    public Integer call() {
        String path = "endpoints/" + AgentClient.encoded(endpoint);
        String document = weight == null
                ? agent().change("GET", path, null)
                : agent().change("PUT", path + "/weight", Map.of("weight", weight));
        if (json()) {
            out().println(document);
            return DONE;
        }
        Map<?, ?> shown = AgentClient.object(document);
        out().println(
                        weight == null
                                ? shown.get("weight")
                                : endpoint + ": weight " + shown.get("weight") + ", was "
                                        + shown.get("previousWeight"));
        return DONE;
    }
}
