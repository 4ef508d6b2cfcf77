package io.dubbomesh.consumer.http.response;

import io.dubbomesh.protocol.Attachments;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.runtime.AgentRole;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class ResponseWriterTest {
    private static final String DATE = "Date: Thu, 01 Jan 1970 00:00:01 GMT\r\n";

    private final ResponseWriter answers = new ResponseWriter(() -> "");
    private final ResponseFraming framing = new ResponseFraming();
    private final Response response = new Response("docs/errors.md", AgentRole.CONSUMER);
    private final ByteBuf block = Unpooled.buffer();

    @Test
    void anAnswerAsTextIsTheseBytes() {
        assertThat(answer(Outcome.OK, false, "99162322"))
                .isEqualTo("HTTP/1.1 200 OK\r\n" + DATE
                        + "Content-Type: text/plain;charset=UTF-8\r\nContent-Length: 8\r\n\r\n99162322");
    }

    @Test
    void anAnswerAsJsonSaysSo() {
        assertThat(answer(Outcome.OK, true, "[]"))
                .isEqualTo(
                        "HTTP/1.1 200 OK\r\n" + DATE + "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n[]");
    }

    @Test
    void theLengthHasAsManyDigitsAsItNeeds() {
        for (int length : new int[] {0, 9, 10, 99, 100, 1000, 123_456}) {
            assertThat(answer(Outcome.OK, false, "x".repeat(length)))
                    .contains("\r\nContent-Length: " + length + "\r\n\r\n");
        }
    }

    @Test
    void aProblemSaysSoAndWhenToTryAgain() {
        assertThat(answer(Outcome.OVERLOADED, true, "{}"))
                .isEqualTo("HTTP/1.1 503 Service Unavailable\r\n" + DATE
                        + "Content-Type: application/problem+json\r\nContent-Length: 2\r\nRetry-After: 1\r\n\r\n{}");
    }

    @Test
    void aWrongMethodIsAnsweredWithTheAllowedOnesOfItsPath() {
        framing.allow("GET, HEAD");
        assertThat(answer(Outcome.METHOD_NOT_ALLOWED, true, "{}")).contains("\r\nAllow: GET, HEAD\r\n");
    }

    @Test
    void aOneWayCallIsAnsweredWithTheseBytes() {
        assertThat(written(response.accepted()))
                .isEqualTo("HTTP/1.1 202 Accepted\r\n" + DATE + "Content-Length: 0\r\n\r\n");
    }

    @Test
    void theLastAnswerOfAConnectionSaysSo() {
        framing.closeAfter();
        assertThat(answer(Outcome.OK, false, "0")).contains("\r\nConnection: close\r\n");
    }

    @Test
    void anHttp10ClientIsAnsweredThatTheConnectionStaysOpen() {
        framing.keepAliveOfHttp10();
        assertThat(answer(Outcome.OK, false, "0")).contains("\r\nConnection: keep-alive\r\n");
    }

    @Test
    void aHeadRequestIsAnsweredWithoutTheDocument() {
        framing.headOnly();
        assertThat(answer(Outcome.METHOD_NOT_ALLOWED, true, "{}"))
                .contains("Content-Length: 2\r\n")
                .endsWith("\r\n\r\n");
    }

    @Test
    void attachmentsBecomeHeadersAndCannotBreakOut() {
        Attachments.write(block, "trace-id", "a b\r\nSet-Cookie: c=ü%");
        Attachments.write(block, "not a token", "x");
        Attachments.write(block, Attachments.EXCEPTION, "a.B");

        assertThat(answer(Outcome.SERVICE_EXCEPTION, true, "{}"))
                .contains("\r\nX-Dubbo-Attachment-trace-id: a%20b%0D%0ASet-Cookie:%20c=%C3%BC%25\r\n")
                .contains("\r\nX-Dubbo-Exception: a.B\r\n")
                .doesNotContain("not a token");
    }

    @Test
    void attachmentsBeyondEightKilobytesAreLeftOut() {
        Attachments.write(block, "a", "x".repeat(5000));
        Attachments.write(block, "b", "y".repeat(5000));
        Attachments.write(block, "c", "z".repeat(100));

        assertThat(answer(Outcome.OK, false, "0"))
                .contains("Attachment-a: ")
                .doesNotContain("Attachment-b: ")
                .contains("Attachment-c: ");
    }

    @Test
    void theDateFollowsTheClock() {
        answers.tick(951_782_400_999L);
        ByteBuf out = Unpooled.buffer();
        answers.write(out, response.accepted(), framing);

        assertThat(out.toString(UTF_8)).contains("\r\nDate: Tue, 29 Feb 2000 00:00:00 GMT\r\n");
    }

    private String answer(Outcome outcome, boolean json, String document) {
        int attachmentsLength = block.writerIndex();
        block.writeCharSequence(document, UTF_8);
        Response.Content content = json ? Response.Content.JSON : Response.Content.TEXT;
        int length = block.writerIndex() - attachmentsLength;
        String text = written(response.set(outcome, content, block, 0, attachmentsLength, length));
        block.clear();
        return text;
    }

    private String written(Response toWrite) {
        answers.tick(1000);
        ByteBuf out = Unpooled.buffer();
        answers.write(out, toWrite, framing);
        return out.toString(UTF_8);
    }

    @AfterEach
    void close() {
        response.close();
    }
}
