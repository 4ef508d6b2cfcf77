package io.dubbomesh.consumer.mcp;

import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.mcp.rpc.JsonSlice;
import io.dubbomesh.consumer.mcp.rpc.RpcException;
import io.dubbomesh.consumer.mcp.rpc.RpcWriter;
import io.dubbomesh.consumer.mcp.schema.ToolTypes;
import io.dubbomesh.consumer.mcp.tool.Tool;
import io.dubbomesh.runtime.json.Json;
import io.netty.buffer.ByteBuf;

import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The list of the tools that a caller may use, which may have to wait for their types. */
final class ToolList implements Runnable {
    private final JsonSlice id;
    private final Map<String, Object> members;
    private final List<Tool> tools;
    private final ToolTypes types;
    private final RpcAnswers answers;
    /** Null once the client has left. */
    private Responder responder;

    /**
     * @param id      of the request; is kept
     * @param members of the result, besides the tools
     */
    ToolList(
            JsonSlice id,
            Map<String, Object> members,
            List<Tool> tools,
            ToolTypes types,
            RpcAnswers answers,
            Responder responder) {
        this.id = id;
        this.members = members;
        this.tools = tools;
        this.types = types;
        this.answers = answers;
        this.responder = responder;
        responder.leavesWithInput();
        responder.onCancel(() -> this.responder = null);
    }

    /** Responds with what is known of the tools' types. */
    @Override
    public void run() {
        if (responder == null) {
            return;
        }
        try {
            answers.result(responder, id, this::write);
        } catch (OutOfMemoryError e) {
            answers.error(responder, RpcException.overloaded(id, "no memory for the list of tools"));
        }
    }

    private void write(ByteBuf out) {
        String begin = Json.write(members);
        out.writeCharSequence(begin.substring(0, begin.length() - 1), UTF_8);
        RpcWriter.ascii(out, members.isEmpty() ? "\"tools\":[" : ",\"tools\":[");
        String separator = "";
        for (Tool tool : tools) {
            RpcWriter.ascii(out, separator);
            out.writeBytes(types.document(tool));
            separator = ",";
        }
        RpcWriter.ascii(out, "]}");
    }
}
