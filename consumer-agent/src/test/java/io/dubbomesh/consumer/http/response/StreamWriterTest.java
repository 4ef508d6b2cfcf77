package io.dubbomesh.consumer.http.response;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.runtime.AgentRole;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class StreamWriterTest {
    private final ByteBuf out = Unpooled.buffer();
    private final Response response = new Response("docs/errors.md", AgentRole.CONSUMER);

    @AfterEach
    void close() {
        response.close();
    }

    private String written() {
        return out.toString(UTF_8);
    }

    private static ByteBuf json(String text) {
        return Unpooled.copiedBuffer(text, UTF_8);
    }

    @Test
    void aMessageIsAnEventInAChunk() {
        StreamWriter.writeMessage(out, StreamFormat.EVENTS, true, json("xx{\"id\":1}yy"), 2, 8);
        assertThat(written()).isEqualTo("10\r\ndata: {\"id\":1}\n\n\r\n");
    }

    @Test
    void aMessageIsALineInAChunk() {
        StreamWriter.writeMessage(out, StreamFormat.LINES, true, json("{\"id\":1}"), 0, 8);
        assertThat(written()).isEqualTo("9\r\n{\"id\":1}\n\r\n");
    }

    @Test
    void aMessageStandsAloneForClientsThatKnowNoChunks() {
        StreamWriter.writeMessage(out, StreamFormat.EVENTS, false, json("7"), 0, 1);
        StreamWriter.writeMessage(out, StreamFormat.LINES, false, json("7"), 0, 1);
        assertThat(written()).isEqualTo("data: 7\n\n7\n");
    }

    @Test
    void lineBreaksBetweenTokensBecomeSpaces() {
        String text = "{\r\n\"a\":\n1}";
        StreamWriter.writeMessage(out, StreamFormat.EVENTS, true, json(text), 0, text.length());
        assertThat(written()).isEqualTo("12\r\ndata: {  \"a\": 1}\n\n\r\n");
    }

    @ParameterizedTest
    @CsvSource({"9, f", "10, 10", "249, ff", "250, 100", "4089, fff", "4090, 1000", "65530, 10000"})
    void theLengthOfAChunkCountsWhatStandsAroundTheMessage(int length, String expected) {
        StreamWriter.begin(out, StreamFormat.EVENTS, true, length - 2, false);
        assertThat(written()).isEqualTo(expected + "\r\ndata: ");
    }

    @Test
    void theEndTellsTheStatus() {
        StreamWriter.writeEnd(out, StreamFormat.EVENTS, true, response.noContent());
        assertThat(written()).isEqualTo("2d\r\nevent: end\ndata: {\"status\":200,\"code\":\"OK\"}\n\n\r\n0\r\n\r\n");
        out.clear();
        StreamWriter.writeEnd(out, StreamFormat.LINES, true, response.noContent());
        assertThat(written()).isEqualTo("24\r\n{\"$end\":{\"status\":200,\"code\":\"OK\"}}\n\r\n0\r\n\r\n");
    }

    @ParameterizedTest
    @EnumSource(names = {"EVENTS", "LINES"})
    void theEndOfAFailureHasTheProblemDocument(StreamFormat format) {
        StreamWriter.writeEnd(out, format, false, response.problem(Outcome.PROVIDER_ERROR, "lost"));
        String document = response.in().toString(response.offset(), response.length(), UTF_8);
        assertThat(document).contains("\"status\":502", "\"detail\":\"lost\"");
        assertThat(written())
                .isEqualTo(
                        format == StreamFormat.EVENTS
                                ? "event: end\ndata: " + document + "\n\n"
                                : "{\"$end\":" + document + "}\n");
    }

    @Test
    void aHeartbeatIsAComment() {
        StreamWriter.writeHeartbeat(out, StreamFormat.EVENTS, true);
        StreamWriter.writeHeartbeat(out, StreamFormat.EVENTS, false);
        assertThat(written()).isEqualTo("3\r\n:\n\n\r\n:\n\n");
        assertThat(StreamFormat.LINES.hasHeartbeat()).isFalse();
    }
}
