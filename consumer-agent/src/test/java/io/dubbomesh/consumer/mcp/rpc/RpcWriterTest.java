package io.dubbomesh.consumer.mcp.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Answers of JSON-RPC. */
class RpcWriterTest {
    private final ByteBuf out = Unpooled.buffer();

    /** In MCP the id of an error is a text or number, or left out. */
    @Test
    void anErrorOfAMessageWithoutAnIdHasNone() {
        RpcWriter.error(out, RpcException.of(null, RpcException.PARSE_ERROR, "malformed JSON"));

        assertThat(out.toString(UTF_8))
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"malformed JSON\"}}");
    }

    @Test
    void anErrorHasTheIdOfItsRequest() {
        JsonSlice id = new JsonSlice(Unpooled.copiedBuffer("\"a\"", UTF_8), 0, 3);

        RpcWriter.error(out, RpcException.of(id, RpcException.INVALID_REQUEST, "no"));

        assertThat(out.toString(UTF_8))
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"error\":{\"code\":-32600,\"message\":\"no\"}}");
    }
}
