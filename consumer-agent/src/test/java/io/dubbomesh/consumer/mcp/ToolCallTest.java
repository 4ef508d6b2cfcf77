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
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    private Map<String, Object> result(String answer) {
        return result("", Unpooled.copiedBuffer(answer, UTF_8));
    }

    private Map<String, Object> result(String keys, ByteBuf in) {
        return answer(keys, response.set(Outcome.OK, Response.Content.JSON, in, 0, 0, in.readableBytes()));
    }

    /** @param keys of the tool, besides its method */
    @SuppressWarnings("unchecked")
    private Map<String, Object> answer(String keys, Response answered) {
        Tool tool = ToolFile.parse("tools { t { service = a.B, method = m, " + keys + " } }")
                .find("t");
        ByteBuf id = Unpooled.copiedBuffer("1", UTF_8);
        ToolCall call = new ToolCall(tool, new JsonSlice(id, 0, 1), "", new ToolMetrics(), client);
        call.respond(answered);
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

    /** A result for whose copies there is no memory. */
    private static ByteBuf uncopiable(int length) {
        return new UnpooledHeapByteBuf(UnpooledByteBufAllocator.DEFAULT, length, length) {
            @Override
            public boolean hasArray() {
                return false;
            }

            @Override
            public ByteBuf getBytes(int index, ByteBuf to, int toIndex, int count) {
                throw new OutOfMemoryError("for the test");
            }
        }.writerIndex(length);
    }

    @Test
    void noCopyIsMadeOfAResultForWhichThereIsNoRoom() {
        client.room = 5000;

        assertThat(result("", uncopiable(2000)).toString())
                .contains("the method was executed, but there is no room for its answer of 2000 bytes");
    }

    @Test
    void aResultForWhichThereIsNoMemoryIsAnErrorOfTheTool() {
        client.room = 1 << 20;

        Map<String, Object> result = result("", uncopiable(2000));

        assertThat(result).containsEntry("isError", true);
        assertThat(result.toString()).contains("a fault of the");
        assertThat(client.outcome).isEqualTo(Outcome.INTERNAL_ERROR);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "page-size = 2, max-answer = 16 MiB|2000000|at most 1048576",
                "mask = [a], max-answer = 16 MiB|2000000|at most 1048576",
                "mask = [a], max-answer = 100 B|2000|at most 100,",
                "max-answer = 2 KiB|3000|at most 2048,"
            })
    void theMessageAboutALargeResultSaysTheLimitThatIsInForce(String keys, int length, String limit) {
        client.room = 1 << 30;

        assertThat(result(keys, Unpooled.copiedBuffer('"' + "x".repeat(length) + '"', UTF_8))
                        .toString())
                .contains(length + 2 + " bytes (expected: " + limit);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "BAD_ARGUMENT|args[1]: \"tenant-17\" (expected: a whole number)",
                "BAD_ARGUMENT|no method m takes these arguments: m(int, int): args[1]: \"tenant-17\" (expected: int)",
                "BAD_ARGUMENT|args[1].name[3]: \"tenant-17\" (expected: int)",
                "VALIDATION_FAILED|args[1]: tenant-17 is closed"
            })
    void aFixedValueIsInNoFailure(Outcome outcome, String detail) {
        client.room = 10_000;
        String keys = "arguments = [ { name = x }, { fixed = \"tenant-17\" } ]";

        assertThat(answer(keys, response.problem(outcome, detail)).toString())
                .contains(outcome.code(), "fixed by the tool")
                .doesNotContain("tenant-17");
        assertThat(answer(keys, response.problem(outcome, detail.replace("[1]", "[0]")))
                        .toString())
                .contains("args[0]", "tenant-17");
        assertThat(answer(keys, response.problem(outcome, detail.replace("[1]", "[10]")))
                        .toString())
                .contains("args[10]", "tenant-17");
    }

    @ParameterizedTest
    @CsvSource({
        "NO_PROVIDER,was not executed",
        "OVERLOADED,was not executed",
        "PROVIDER_REFUSED_TOKEN,was not executed",
        "TIMEOUT,may have been executed",
        "PROVIDER_ERROR,may have been executed"
    })
    void addressesOfProvidersAreInNoFailure(Outcome outcome, String told) {
        client.room = 10_000;

        assertThat(answer("", response.problem(outcome, "connection to 192.0.2.5:30000 lost"))
                        .toString())
                .contains(outcome.code(), told)
                .doesNotContain("192.0.2.5");
    }
}
