package io.dubbomesh.meshctl.mcp;

import io.dubbomesh.meshctl.agent.AgentClient;
import io.dubbomesh.meshctl.agent.MeshctlException;
import io.dubbomesh.meshctl.command.FrontCommand;
import io.dubbomesh.runtime.json.Json;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A command that uses the tools of an agent as a client of MCP does, in its revision without sessions. */
abstract class ToolCommand extends FrontCommand {
    private static final String REVISION = "2026-07-28";
    private static final String META = "io.modelcontextprotocol/";
    private static final int METHOD_NOT_ALLOWED = 405;

    /** Returns the documents of all tools that the caller may use. */
    final List<Map<?, ?>> tools() {
        List<Map<?, ?>> tools = new ArrayList<>();
        Object cursor = null;
        do {
            Map<String, Object> params = new LinkedHashMap<>();
            if (cursor != null) {
                params.put("cursor", cursor);
            }
            Map<String, Object> page = ask("tools/list", "", params);
            if (page.get("tools") instanceof List<?> listed) {
                listed.forEach(tool -> tools.add((Map<?, ?>) tool));
            }
            cursor = page.get("nextCursor");
        } while (cursor != null);
        return tools;
    }

    static ToolDocument read(Map<?, ?> tool) {
        return Json.toRecord(tool, ToolDocument.class);
    }

    /**
     * Returns the result of a request.
     *
     * @param tool that it is for; empty for none
     */
    final Map<String, Object> ask(String method, String tool, Map<String, Object> params) {
        Map<String, Object> all = new LinkedHashMap<>(params);
        all.put("_meta", Map.of(META + "protocolVersion", REVISION, META + "clientCapabilities", Map.of()));
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("jsonrpc", "2.0");
        message.put("id", 1);
        message.put("method", method);
        message.put("params", all);
        HttpRequest.Builder request = request("/mcp")
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .header("MCP-Protocol-Version", REVISION)
                .header("Mcp-Method", method)
                .POST(BodyPublishers.ofString(Json.write(message)));
        if (!tool.isEmpty()) {
            request.header("Mcp-Name", tool);
        }
        return result(agent().send(request));
    }

    private Map<String, Object> result(HttpResponse<String> response) {
        if (AgentClient.code(response).isEmpty()) {
            RpcAnswer answer = AgentClient.document(response.body(), RpcAnswer.class);
            if (answer.error().isPresent()) {
                throw new MeshctlException(
                        response.statusCode() + ": " + answer.error().get().message());
            }
            if (answer.result().isPresent()) {
                return answer.result().get();
            }
        }
        throw new MeshctlException(
                response.statusCode() == METHOD_NOT_ALLOWED
                        ? front() + " publishes no tools (expected: an agent with mcp.tools)"
                        : AgentClient.problem(response));
    }
}
