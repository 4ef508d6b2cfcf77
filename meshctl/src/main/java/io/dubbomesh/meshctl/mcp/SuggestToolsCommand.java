package io.dubbomesh.meshctl.mcp;

import io.dubbomesh.meshctl.agent.AgentClient;
import io.dubbomesh.meshctl.agent.ServiceName;
import io.dubbomesh.meshctl.command.FrontCommand;
import io.dubbomesh.meshctl.document.ServiceDescription;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "suggest",
        description = {
            "Prints a draft of a file of mcp.tools with a tool for each method of a service.",
            "It publishes nothing as it stands: each tool is a comment, for a person to read, complete and publish."
        })
final class SuggestToolsCommand extends FrontCommand {
    @Parameters(paramLabel = "SERVICE", description = SERVICE)
    private String service;

    @Override
    public Integer call() {
        ServiceName name = service(service);
        ServiceDescription description = AgentClient.document(description(name), ServiceDescription.class);
        out().print(ToolDraft.of(name.key(), description));
        out().flush();
        return DONE;
    }
}
