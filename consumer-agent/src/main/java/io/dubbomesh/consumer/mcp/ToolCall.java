package io.dubbomesh.consumer.mcp;

import io.dubbomesh.consumer.http.response.AnswerSize;
import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.mcp.rpc.JsonSlice;
import io.dubbomesh.consumer.mcp.rpc.RpcWriter;
import io.dubbomesh.consumer.mcp.tool.AnswerFilter;
import io.dubbomesh.consumer.mcp.tool.AnswerRules;
import io.dubbomesh.consumer.mcp.tool.Tool;
import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.value.JsonText;
import io.dubbomesh.runtime.json.Json;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A call of a tool that is under way: makes the answer of the method the result of the tool. A failure of the call is a
 * result too, with {@code isError}, so that the model reads what went wrong.
 */
final class ToolCall implements Responder {
    private static final Logger LOG = LoggerFactory.getLogger(ToolCall.class);
    private static final int MARGIN = 512;
    /** The longest result of which a part is looked for, on the event loop. */
    private static final int MOST_FILTERED = 1 << 20;

    private static final Set<String> OF_EXCEPTIONS = Set.of("properties", "causes", "stack");

    private final Tool tool;
    private final JsonSlice id;
    /** The members that each result of the revision has, and a comma behind them; empty for none. */
    private final String members;

    private final ToolMetrics metrics;
    private final Responder to;
    private int page;
    private Runnable ended = () -> {};
    /** Null unless the call is under way. */
    private Cancellation cancelled;

    /** @param id is kept */
    ToolCall(Tool tool, JsonSlice id, String members, ToolMetrics metrics, Responder to) {
        this.tool = tool;
        this.id = id;
        this.members = members;
        this.metrics = metrics;
        this.to = to;
        to.leavesWithInput();
    }

    /** Chooses the page of the result that is wanted, where it has pages. */
    void page(int wanted) {
        page = wanted;
    }

    @Override
    public void observe(Observer observer) {
        to.observe(observer);
    }

    @Override
    public void expect(AnswerSize size) throws CallException {
        to.expect(size);
    }

    @Override
    public void expectAgain() throws CallException {
        to.expectAgain();
    }

    @Override
    public CallRecord record() {
        return to.record();
    }

    @Override
    public String clientName() {
        return to.clientName();
    }

    @Override
    public SocketAddress client() {
        return to.client();
    }

    /** Sets what is called when the call has ended, by its answer or its cancellation. */
    void onEnd(Runnable listener) {
        ended = listener;
    }

    @Override
    public void onCancel(Cancellation cancellation) {
        cancelled = cancellation;
        to.onCancel(() -> {
            cancelled = null;
            ended.run();
            cancellation.cancelled();
        });
    }

    /** Ends the call without a result, unless it has ended: the client waits for none any more. */
    void cancel(Response response) {
        Cancellation cancellation = cancelled;
        if (cancellation != null) {
            cancelled = null;
            cancellation.cancelled();
            // Nothing was answered.
            to.observe((answered, receivedNs) -> {});
            to.respond(response.accepted());
        }
    }

    @Override
    public void respond(Response response) {
        cancelled = null;
        ended.run();
        ByteBuf out = PooledByteBufAllocator.DEFAULT.buffer();
        try {
            write(out, response);
            if (!to.hasRoomFor(out.readableBytes())) {
                response.noRoomFor(response.length());
                out.clear();
                write(out, response);
            }
            metrics.ended(tool, response.outcome());
            to.respond(response.asRpcResult(out));
        } finally {
            out.release();
        }
    }

    /** Never throws: what responds has other calls to end. */
    private void write(ByteBuf out, Response response) {
        try {
            if (response.outcome() == Outcome.OK) {
                writeResult(out, response.in(), response.offset(), response.length());
            } else {
                writeError(out, problem(response));
            }
        } catch (IOException | RuntimeException e) {
            LOG.error("the answer of the tool {} could not be written", tool.name(), e);
            out.clear();
            writeError(out, "a fault of the agent; its log has the details");
        }
    }

    private void writeResult(ByteBuf out, ByteBuf in, int offset, int length) throws IOException {
        AnswerRules rules = tool.answer();
        if (length > (rules.changes() ? MOST_FILTERED : rules.maxBytes())) {
            writeError(out, tooLarge(length));
            return;
        }
        ByteBuf filtered = PooledByteBufAllocator.DEFAULT.buffer(length + MARGIN);
        try {
            AnswerFilter.copy(rules, page, in, offset, length, filtered);
            int bytes = filtered.readableBytes();
            if (bytes > rules.maxBytes()) {
                writeError(out, tooLarge(bytes));
                return;
            }
            RpcWriter.beginResult(out, id);
            RpcWriter.ascii(out, "{" + members + "\"content\":[{\"type\":\"text\",\"text\":");
            RpcWriter.string(out, filtered, 0, bytes);
            RpcWriter.ascii(out, "}],\"structuredContent\":{\"result\":");
            out.writeBytes(filtered, 0, bytes);
            RpcWriter.ascii(out, "},\"isError\":false}");
            RpcWriter.endResult(out);
        } finally {
            filtered.release();
        }
    }

    private String tooLarge(int bytes) {
        return "the method was executed, but its result has " + bytes + " bytes (expected: at most "
                + tool.answer().maxBytes() + ", max-answer of the tool)";
    }

    /** Returns the problem document without what the service has put into its exception beside the message. */
    private static String problem(Response response) {
        String document = response.in().toString(response.offset(), response.length(), UTF_8);
        try {
            Map<String, Object> members = new LinkedHashMap<>();
            if (Json.read(document) instanceof Map<?, ?> read) {
                read.forEach((name, value) -> members.put(name.toString(), value));
            }
            members.keySet().removeAll(OF_EXCEPTIONS);
            return Json.write(members);
        } catch (IllegalArgumentException e) {
            return response.outcome().code();
        }
    }

    private void writeError(ByteBuf out, String reason) {
        RpcWriter.beginResult(out, id);
        RpcWriter.ascii(out, "{" + members + "\"content\":[{\"type\":\"text\",\"text\":");
        JsonText.writeString(out, reason);
        RpcWriter.ascii(out, "}],\"isError\":true}");
        RpcWriter.endResult(out);
    }
}
