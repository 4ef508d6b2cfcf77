package io.dubbomesh.meshctl.command;

import io.dubbomesh.meshctl.agent.AgentClient;
import io.dubbomesh.meshctl.document.ChangedWeight;
import io.dubbomesh.meshctl.document.EndpointDocument;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.util.Map;

@Command(
        name = "weight",
        description =
                "Prints the weight of an endpoint, or changes it for all agents that read the registry. 0: no new calls.")
public final class WeightCommand extends AgentCommand {
    @Parameters(index = "0", paramLabel = "ENDPOINT", description = "host:port, as ls lists it")
    private String endpoint;

    @Parameters(index = "1", arity = "0..1", paramLabel = "WEIGHT", description = "0-1000")
    private Integer weight;

    @Override
    public Integer call() {
        String path = "endpoints/" + AgentClient.encoded(endpoint);
        String document =
                weight == null ? agent().text(path) : agent().change("PUT", path + "/weight", Map.of("weight", weight));
        if (json()) {
            out().println(document);
            return DONE;
        }
        if (weight == null) {
            out().println(AgentClient.document(document, EndpointDocument.class)
                    .weight()
                    .orElse(null));
        } else {
            ChangedWeight changed = AgentClient.document(document, ChangedWeight.class);
            out().println(endpoint + ": weight " + changed.weight() + ", was " + changed.previousWeight());
        }
        return DONE;
    }
}
