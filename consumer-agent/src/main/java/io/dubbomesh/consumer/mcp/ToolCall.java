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
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.SocketAddress;

/**
 * A call of a tool that is under way: makes the answer of the method the result of the tool. A failure of the call is a
 * result too, with {@code isError}, so that the model reads what went wrong.
 */
final class ToolCall implements Responder {
    private static final Logger LOG = LoggerFactory.getLogger(ToolCall.class);
    private static final int MARGIN = 512;
    /** The longest result of which a part is looked for, on the event loop. */
    private static final int MOST_FILTERED = 1 << 20;
    /** The copies of a result while it is written: as text, whose escapes may take as much again, and as structure. */
    private static final int COPIES = 3;

    private static final String MAX_ANSWER = "max-answer";

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
        if (!hasRoomToWrite(response)) {
            response.noRoomFor(response.length());
        }
        ByteBuf out;
        try {
            out = PooledByteBufAllocator.DEFAULT.buffer();
        } catch (OutOfMemoryError e) {
            to.respond(fault(response, e));
            return;
        }
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

    /** Returns whether there is room for the copies of a result, which are made at once. */
    private boolean hasRoomToWrite(Response response) {
        return response.outcome() != Outcome.OK
                || response.length() > longestRead()
                || to.hasRoomFor(COPIES * response.length());
    }

    /** Never throws: what responds has other calls to end, and has this one answered by no other. */
    private void write(ByteBuf out, Response response) {
        try {
            if (response.outcome() == Outcome.OK) {
                writeResult(out, response.in(), response.offset(), response.length());
            } else {
                writeError(out, ToolFailure.text(tool, response));
            }
        } catch (IOException | RuntimeException | Error e) {
            fault(response, e);
            out.clear();
            writeError(out, ToolFailure.text(tool, response));
        }
    }

    private Response fault(Response response, Throwable cause) {
        LOG.error("the answer of the tool {} could not be written", tool.name(), cause);
        return response.fault();
    }

    private int longestRead() {
        return tool.answer().changes() ? MOST_FILTERED : tool.answer().maxBytes();
    }

    private void writeResult(ByteBuf out, ByteBuf in, int offset, int length) throws IOException {
        AnswerRules rules = tool.answer();
        if (length > longestRead()) {
            writeError(out, tooLarge(length, longestRead(), rules.changes() ? "page-size or mask" : MAX_ANSWER));
            return;
        }
        if (!rules.changes()) {
            writeWhole(out, in, offset, length);
            return;
        }
        ByteBuf filtered = PooledByteBufAllocator.DEFAULT.buffer(length + MARGIN);
        try {
            AnswerFilter.copy(rules, page, in, offset, length, filtered);
            int bytes = filtered.readableBytes();
            if (bytes > rules.maxBytes()) {
                writeError(out, tooLarge(bytes, rules.maxBytes(), MAX_ANSWER));
            } else {
                writeWhole(out, filtered, 0, bytes);
            }
        } finally {
            filtered.release();
        }
    }

    private void writeWhole(ByteBuf out, ByteBuf result, int offset, int length) {
        RpcWriter.beginResult(out, id);
        RpcWriter.ascii(out, "{" + members + "\"content\":[{\"type\":\"text\",\"text\":");
        RpcWriter.string(out, result, offset, length);
        RpcWriter.ascii(out, "}],\"structuredContent\":{\"result\":");
        out.writeBytes(result, offset, length);
        RpcWriter.ascii(out, "},\"isError\":false}");
        RpcWriter.endResult(out);
    }

    private static String tooLarge(int bytes, int most, String limit) {
        return "the method was executed, but its result has " + bytes + " bytes (expected: at most " + most + ", "
                + limit + " of the tool)";
    }

    private void writeError(ByteBuf out, String reason) {
        RpcWriter.beginResult(out, id);
        RpcWriter.ascii(out, "{" + members + "\"content\":[{\"type\":\"text\",\"text\":");
        JsonText.writeString(out, reason);
        RpcWriter.ascii(out, "}],\"isError\":true}");
        RpcWriter.endResult(out);
    }
}
