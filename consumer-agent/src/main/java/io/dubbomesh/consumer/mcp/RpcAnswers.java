package io.dubbomesh.consumer.mcp;

import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.http.response.Response.Content;
import io.dubbomesh.consumer.mcp.rpc.JsonSlice;
import io.dubbomesh.consumer.mcp.rpc.RpcException;
import io.dubbomesh.consumer.mcp.rpc.RpcWriter;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.runtime.json.Json;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

import java.util.Map;
import java.util.function.Consumer;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Answers requests by messages of JSON-RPC 2.0. Owned by one event loop. */
final class RpcAnswers {
    private final Response response;

    /** @param response the loop's view */
    RpcAnswers(Response response) {
        this.response = response;
    }

    /** Answers by a result, which {@link Json} can write. */
    void result(Responder to, JsonSlice id, Map<String, ?> result) {
        result(to, id, out -> out.writeBytes(Json.write(result).getBytes(UTF_8)));
    }

    /** Answers by a result that {@code writer} appends. */
    void result(Responder to, JsonSlice id, Consumer<ByteBuf> writer) {
        result(to, id, null, writer);
    }

    /**
     * Answers likewise.
     *
     * @param field a whole header field, with the end of the line before it; null for none
     */
    void result(Responder to, JsonSlice id, byte[] field, Consumer<ByteBuf> writer) {
        ByteBuf out = PooledByteBufAllocator.DEFAULT.buffer();
        try {
            RpcWriter.beginResult(out, id);
            writer.accept(out);
            RpcWriter.endResult(out);
            if (to.hasRoomFor(out.readableBytes())) {
                to.respond(
                        response.rpc(Content.RPC_RESULT, Outcome.OK, out, null).field(field));
            } else {
                error(to, RpcException.overloaded(id, "no room for an answer of " + out.readableBytes() + " bytes"));
            }
        } finally {
            out.release();
        }
    }

    /** Answers by an error, with its HTTP status. */
    void error(Responder to, RpcException error) {
        error(to, error, Content.RPC_ERROR);
    }

    /** Answers by an error with the HTTP status 200, which clients of earlier revisions expect of whole answers. */
    void errorWithin(Responder to, RpcException error) {
        error(to, error, Content.RPC_RESULT);
    }

    private void error(Responder to, RpcException error, Content kind) {
        ByteBuf out = PooledByteBufAllocator.DEFAULT.buffer();
        try {
            RpcWriter.error(out, error);
            to.respond(
                    response.rpc(kind, error.outcome(), out, error.getMessage()).retryAfter(error.retryAfterS()));
        } finally {
            out.release();
        }
    }
}
