package io.dubbomesh.consumer.mcp;

import io.dubbomesh.consumer.http.response.AnswerSize;
import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.mcp.rpc.JsonSlice;
import io.dubbomesh.consumer.mcp.rpc.RpcWriter;
import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

import java.io.IOException;
import java.net.SocketAddress;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A call of a tool that is under way: makes the answer of the method the result of the tool. A failure of the call is a
 * result too, with {@code isError}, so that the model reads what went wrong.
 */
final class ToolCall implements Responder {
    private static final int MARGIN = 512;

    private final Tool tool;
    private final JsonSlice id;
    /** The members that each result of the revision has, and a comma behind them; empty for none. */
    private final String members;

    private final ToolMetrics metrics;
    private final Responder to;
    private int page;

    /** @param id is kept */
    ToolCall(Tool tool, JsonSlice id, String members, ToolMetrics metrics, Responder to) {
        this.tool = tool;
        this.id = id;
        this.members = members;
        this.metrics = metrics;
        this.to = to;
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

    @Override
    public void onCancel(Cancellation cancellation) {
        to.onCancel(cancellation);
    }

    @Override
    public void respond(Response response) {
        metrics.ended(tool, response.outcome());
        ByteBuf out = PooledByteBufAllocator.DEFAULT.buffer(2 * response.length() + MARGIN);
        try {
            if (response.outcome() == Outcome.OK) {
                writeResult(out, response.in(), response.offset(), response.length());
            } else {
                writeError(out, response.in(), response.offset(), response.length());
            }
            to.respond(response.asRpcResult(out));
        } finally {
            out.release();
        }
    }

    private void writeResult(ByteBuf out, ByteBuf in, int offset, int length) {
        ByteBuf filtered = PooledByteBufAllocator.DEFAULT.buffer(length + MARGIN);
        try {
            AnswerFilter.copy(tool.answer(), page, in, offset, length, filtered);
            if (filtered.readableBytes() > tool.answer().maxBytes()) {
                filtered.clear().writeBytes(tooLarge(filtered.readableBytes()).getBytes(UTF_8));
                writeError(out, filtered, 0, filtered.readableBytes());
                return;
            }
            RpcWriter.beginResult(out, id);
            RpcWriter.ascii(out, "{" + members + "\"content\":[{\"type\":\"text\",\"text\":");
            RpcWriter.string(out, filtered, 0, filtered.readableBytes());
            RpcWriter.ascii(out, "}],\"structuredContent\":{\"result\":");
            out.writeBytes(filtered, 0, filtered.readableBytes());
            RpcWriter.ascii(out, "},\"isError\":false}");
            RpcWriter.endResult(out);
        } catch (IOException e) {
            // The values of a result are written by the agents themselves.
            throw new IllegalStateException("the result of " + tool.method() + " is not JSON", e);
        } finally {
            filtered.release();
        }
    }

    private String tooLarge(int bytes) {
        return "the method was executed, but its result has " + bytes + " bytes (expected: at most "
                + tool.answer().maxBytes() + ", max-answer of the tool)";
    }

    private void writeError(ByteBuf out, ByteBuf in, int offset, int length) {
        RpcWriter.beginResult(out, id);
        RpcWriter.ascii(out, "{" + members + "\"content\":[{\"type\":\"text\",\"text\":");
        RpcWriter.string(out, in, offset, length);
        RpcWriter.ascii(out, "}],\"isError\":true}");
        RpcWriter.endResult(out);
    }
}
