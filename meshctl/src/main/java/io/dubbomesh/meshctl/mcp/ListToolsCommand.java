package io.dubbomesh.meshctl.mcp;

import io.dubbomesh.meshctl.agent.MeshctlException;
import io.dubbomesh.meshctl.mcp.ToolTargets.ToolTarget;
import io.dubbomesh.meshctl.output.Table;
import io.dubbomesh.runtime.json.Json;
import picocli.CommandLine.Command;

import java.util.List;
import java.util.Map;

@Command(
        name = "list",
        description = {
            "Lists the tools that an agent publishes, as the caller sees them.",
            "HINTS are those of the file; which method a tool calls only the admin port tells."
        })
final class ListToolsCommand extends ToolCommand {
    @Override
    public Integer call() {
        List<Map<?, ?>> tools = tools();
        if (json()) {
            out().println(Json.write(Map.of("tools", tools)));
        } else {
            table(tools, targets()).print(out());
        }
        return DONE;
    }

    private static Table table(List<Map<?, ?>> tools, ToolTargets targets) {
        Table table = new Table("TOOL", "TITLE", "SERVICE", "METHOD", "HINTS");
        for (Map<?, ?> each : tools) {
            ToolDocument tool = read(each);
            ToolTarget target = targets.of(tool.name());
            table.add(tool.name(), tool.title(), target.serviceName(), target.method(), tool.annotations());
        }
        return table.withoutEmpty("TITLE")
                .withoutEmpty("SERVICE", "METHOD")
                .withoutEmpty("HINTS")
                .orRow("none");
    }

    /** Returns none if the admin port is not known, or the agent's version has not that document. */
    private ToolTargets targets() {
        if (hasAdmin()) {
            try {
                return agent().get("tools", ToolTargets.class);
            } catch (MeshctlException e) {
                // What the caller sees is listed without it.
            }
        }
        return new ToolTargets(List.of());
    }
}
