package io.dubbomesh.meshctl.mcp;

import io.dubbomesh.meshctl.agent.AgentClient;
import io.dubbomesh.meshctl.agent.MeshctlException;
import io.dubbomesh.meshctl.document.ProblemDocument;
import io.dubbomesh.runtime.NearestName;
import io.dubbomesh.runtime.json.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

@Command(
        name = "call",
        description = {
            "Calls a tool and prints its result in JSON.",
            "A value is JSON; text needs no quotes where the tool takes text, or where it is no JSON."
        })
final class CallToolCommand extends ToolCommand {
    private static final int TYPO_EDITS = 2;

    @Parameters(index = "0", paramLabel = "TOOL", description = "as mcp list lists it")
    private String name;

    @Parameters(
            index = "1..*",
            paramLabel = "ARGUMENT",
            description = "NAME=VALUE, or all in one JSON object; in place of VALUE or the object @FILE: the content of"
                    + " a file, -: that of standard input, @@TEXT: the text @TEXT")
    private List<String> arguments = List.of();

    @Override
    public Integer call() {
        ToolDocument tool = tool();
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("name", name);
        params.put(
                "arguments", NamedArguments.read(arguments, tool.inputSchema().properties(), System.in));
        Map<String, Object> result = ask("tools/call", name, params);
        ToolResult read = Json.toRecord(result, ToolResult.class);
        if (json()) {
            out().println(Json.write(result));
        } else if (read.isError()) {
            throw new MeshctlException(problem(read.text()));
        } else {
            out().println(read.text());
        }
        return read.isError() ? FAILED : DONE;
    }

    private ToolDocument tool() {
        List<ToolDocument> tools = tools().stream().map(ToolCommand::read).toList();
        return tools.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new MeshctlException("no tool " + name + hint(tools)));
    }

    private String hint(List<ToolDocument> tools) {
        List<String> names = tools.stream().map(ToolDocument::name).toList();
        String near = NearestName.of(name, names, Math.max(TYPO_EDITS, name.length() / 4));
        return near == null ? " (meshctl mcp list has those of this caller)" : " (did you mean " + near + "?)";
    }

    /** Returns what a problem document tells; the text itself where it is none. */
    private static String problem(String text) {
        try {
            ProblemDocument problem = AgentClient.document(text, ProblemDocument.class);
            return problem.code().isEmpty() ? text : problem.code() + ": " + problem.detail();
        } catch (MeshctlException e) {
            return text;
        }
    }
}
