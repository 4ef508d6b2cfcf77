package io.dubbomesh.consumer.mcp;

import io.dubbomesh.consumer.http.response.AnswerSize;
import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.mcp.rpc.JsonSlice;
import io.dubbomesh.consumer.mcp.tool.Tool;
import io.dubbomesh.consumer.mcp.tool.ToolFile;
import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.json.Json;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** The results of calls of tools. */
class ToolCallTest {
    private final Response response = new Response("docs/errors.md", AgentRole.CONSUMER);
    private final Client client = new Client();

    /** Has room for answers of some bytes. */
    private static final class Client implements Responder {
        private int room;
        private String answer;
        private Outcome outcome;

        @Override
        public boolean hasRoomFor(int bytes) {
            return bytes <= room;
        }

        @Override
        public void respond(Response answered) {
            answer = answered.in().toString(answered.offset(), answered.length(), UTF_8);
            outcome = answered.outcome();
        }

        @Override
        public void observe(Observer observer) {}

        @Override
        public void expect(AnswerSize size) {}

        @Override
        public CallRecord record() {
            return null;
        }

        @Override
        public void onCancel(Cancellation cancellation) {}
    }

    @AfterEach
    void close() {
        response.close();
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> result(String answer) {
        Tool tool = ToolFile.parse("tools { t { service = a.B, method = m } }").find("t");
        ByteBuf id = Unpooled.copiedBuffer("1", UTF_8);
        ToolCall call = new ToolCall(tool, new JsonSlice(id, 0, 1), "", new ToolMetrics(), client);
        ByteBuf in = Unpooled.copiedBuffer(answer, UTF_8);
        call.respond(response.set(Outcome.OK, Response.Content.JSON, in, 0, 0, in.readableBytes()));
        Map<String, Object> message = (Map<String, Object>) Json.read(client.answer);
        assertThat(message).containsEntry("id", 1L);
        return (Map<String, Object>) message.get("result");
    }

    @Test
    void aResultIsStructuredAndText() {
        client.room = 1000;

        assertThat(result("[1]"))
                .containsEntry("isError", false)
                .containsEntry("structuredContent", Map.of("result", List.of(1L)));
    }

    @Test
    void aResultForWhichThereIsNoRoomIsAnErrorOfTheTool() {
        client.room = 1000;

        Map<String, Object> result = result("\"" + "x".repeat(2000) + "\"");

        assertThat(result).containsEntry("isError", true).doesNotContainKey("structuredContent");
        assertThat(result.toString())
                .contains("the method was executed, but there is no room for its answer of 2002 bytes")
                .doesNotContain("xxx");
        assertThat(client.outcome).isEqualTo(Outcome.PROVIDER_ERROR);
    }
}
