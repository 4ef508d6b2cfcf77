package io.dubbomesh.consumer.mcp.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Messages of JSON-RPC. */
class RpcReaderTest {
    private final List<ByteBuf> buffers = new ArrayList<>();

    @AfterEach
    void releaseBuffers() {
        buffers.forEach(ByteBuf::release);
    }

    /** Reads the text in the middle of other bytes, in a buffer of either kind. */
    private RpcRequest read(String text) throws RpcException {
        byte[] bytes = text.getBytes(UTF_8);
        ByteBuf in = bytes.length % 2 == 0 ? Unpooled.buffer() : Unpooled.directBuffer();
        buffers.add(in);
        in.writeBytes("POST ".getBytes(UTF_8)).writeBytes(bytes).writeBytes("rest".getBytes(UTF_8));
        return RpcReader.read(in, 5, bytes.length);
    }

    @Test
    void argumentsKeepTheirBytes() throws Exception {
        RpcRequest request = read("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"t\","
                + "\"arguments\":{\"a\": 1.50 ,\"b\":[1, {\"c\":\"\\u00e9\"}],\"d\":\"x\\\"y\",\"e\":null,"
                + "\"ü\":12345678901234567890,\"g\":true}}}");

        assertThat(request.id().text()).isEqualTo("7");
        assertThat(request.method()).isEqualTo("tools/call");
        assertThat(request.toolName()).isEqualTo("t");
        assertThat(request.arguments()).containsOnlyKeys("a", "b", "d", "e", "ü", "g");
        assertThat(request.arguments().get("a").text()).isEqualTo("1.50");
        assertThat(request.arguments().get("b").text()).isEqualTo("[1, {\"c\":\"\\u00e9\"}]");
        assertThat(request.arguments().get("d").text()).isEqualTo("\"x\\\"y\"");
        assertThat(request.arguments().get("e").text()).isEqualTo("null");
        assertThat(request.arguments().get("ü").text()).isEqualTo("12345678901234567890");
        assertThat(request.arguments().get("g").text()).isEqualTo("true");
    }

    @Test
    void whatAModernClientSaysOfItselfIsInTheRequest() throws Exception {
        RpcRequest request =
                read("{\"jsonrpc\":\"2.0\",\"id\":\"a-1\",\"method\":\"tools/list\",\"params\":{\"_meta\":{"
                        + "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                        + "\"io.modelcontextprotocol/clientCapabilities\":{\"x\":{}},\"progressToken\":5}}}");

        assertThat(request.isModern()).isTrue();
        assertThat(request.protocolVersion()).isEqualTo("2026-07-28");
        assertThat(request.hasCapabilities()).isTrue();
        assertThat(request.id().text()).isEqualTo("\"a-1\"");
    }

    @Test
    void aMessageWithoutAnIdIsANotification() throws Exception {
        RpcRequest request = read("{\"method\":\"notifications/initialized\",\"jsonrpc\":\"2.0\"}");

        assertThat(request.isNotification()).isTrue();
        assertThat(request.isModern()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{|-32700|malformed JSON",
                "''|-32600|Invalid Request: not an object",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"} x|-32700|malformed JSON",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"} {}|-32600|Invalid Request: more than one JSON value",
                "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}]|-32600|Invalid Request: a batch",
                "3|-32600|Invalid Request: not an object",
                "{\"id\":1,\"method\":\"m\"}|-32600|Invalid Request: jsonrpc",
                "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"m\"}|-32600|Invalid Request: jsonrpc",
                "{\"jsonrpc\":2.0,\"id\":1,\"method\":\"m\"}|-32600|Invalid Request: jsonrpc",
                "{\"jsonrpc\":\"2.0\",\"id\":1}|-32600|Invalid Request: no method",
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"m\"}|-32600|Invalid Request: id",
                "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"m\"}|-32600|Invalid Request: id",
                "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"m\"}|-32600|Invalid Request: id",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"m\"}|-32600|Invalid Request: id is given twice",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":5}|-32600|Invalid Request: method",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":[]}|-32600|Invalid Request: params",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{\"name\":5}}|-32602|Invalid params: params.name",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{\"arguments\":[]}}|-32602|Invalid params: params.arguments",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{\"arguments\":{\"a\":1,\"a\":2}}}|-32602|Invalid params: a is given twice",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{\"name\":\"a\",\"name\":\"b\"}}|-32600|Invalid Request: name is given twice",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{\"_meta\":3}}|-32602|Invalid params: params._meta",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}|-32600|Invalid Request: no method"
            })
    void whatIsNoMessageIsRefused(String text, int code, String message) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOfSatisfying(
                        RpcException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageStartingWith(message);
    }

    @Test
    void aMessageNestedTooDeepIsRefused() {
        String deep = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{\"x\":" + "[".repeat(100_000);

        assertThatThrownBy(() -> read(deep))
                .isInstanceOfSatisfying(
                        RpcException.class, e -> assertThat(e.code()).isEqualTo(-32700));
    }
}
