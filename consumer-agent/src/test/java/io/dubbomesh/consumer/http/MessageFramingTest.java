package io.dubbomesh.consumer.http;

import io.dubbomesh.consumer.call.RequestFeed;
import io.dubbomesh.consumer.http.HttpRequestParser.Result;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Content-Length, chunks, and bodies that wait for 100 Continue */
class MessageFramingTest extends ParserFixture {
    @ParameterizedTest
    @CsvSource({"0,''", "00,''", "3,abc", "0003,abc", "00000000000000000000000000000003,abc"})
    void aContentLengthIsRead(String length, String body) {
        String request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n" + body;
        assertThat(RequestFeed.of(request)).containsExactly("POST / (root) 1.1 keep-alive NONE <" + body + ">");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "Content-Length: +5>BAD_REQUEST",
                "Content-Length: -1>BAD_REQUEST",
                "Content-Length: -0>BAD_REQUEST",
                "Content-Length: 0x5>BAD_REQUEST",
                "Content-Length: 5_0>BAD_REQUEST",
                "Content-Length: 5 5>BAD_REQUEST",
                "Content-Length: 5,5>BAD_REQUEST",
                "Content-Length: 5, 5>BAD_REQUEST",
                "Content-Length: 5;>BAD_REQUEST",
                "Content-Length: five>BAD_REQUEST",
                "Content-Length:>BAD_REQUEST",
                "Content-Length: \u00b2>BAD_REQUEST",
                "Content-Length: 1048577>BODY_TOO_LARGE",
                "Content-Length: 4294967301>BODY_TOO_LARGE",
                "Content-Length: 9223372036854775807>BODY_TOO_LARGE",
                "Content-Length: 9223372036854775808>BAD_REQUEST",
                "Content-Length: 18446744073709551621>BAD_REQUEST",
                "Content-Length: 99999999999999999999999999999>BAD_REQUEST",
                "X-Content-Length: 5>LENGTH_REQUIRED",
                "Transfer-Encoding:>BAD_REQUEST",
                "Transfer-Encoding: identity>NOT_IMPLEMENTED",
                "Transfer-Encoding: gzip>NOT_IMPLEMENTED",
                "Transfer-Encoding: xchunked>NOT_IMPLEMENTED",
                "Transfer-Encoding: chunkedx>NOT_IMPLEMENTED",
                "Transfer-Encoding: gzip, chunked>NOT_IMPLEMENTED",
                "Transfer-Encoding: chunked, identity>BAD_REQUEST",
                "Transfer-Encoding: chunked, xchunked>BAD_REQUEST",
                "Transfer-Encoding: chunked, chunked>BAD_REQUEST",
                "Transfer-Encoding: chunked,>BAD_REQUEST",
                "Transfer-Encoding: ,chunked>BAD_REQUEST",
                "Transfer-Encoding: \"chunked\">BAD_REQUEST",
                "Transfer-Encoding: chunked;q=1>BAD_REQUEST",
                "Transfer-Encoding: chun ked>BAD_REQUEST",
                "Transfer-Encoding: \u000bchunked>BAD_REQUEST",
                "Transfer-Encoding: chunked\u00a0>BAD_REQUEST",
                "Transfer-Encoding : chunked>BAD_REQUEST",
                " Transfer-Encoding: chunked>BAD_REQUEST",
            })
    void ambiguousFramingFails(String line, String outcome) {
        assertFails("POST / HTTP/1.1\r\nHost: a\r\n" + line + "\r\n\r\n0\r\n\r\n", outcome);
    }

    @Test
    void twoFramingsFail() {
        assertFails(post("Transfer-Encoding: chunked\r\n") + "0\r\n\r\n", "BAD_REQUEST");
        assertFails(
                "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nHost: a\r\nContent-Length: 0\r\n\r\n", "BAD_REQUEST");
        assertFails(post("Transfer-Encoding: gzip\r\n"), "BAD_REQUEST");
        assertFails(
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
                "BAD_REQUEST");
        assertFails(
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n",
                "BAD_REQUEST");
        assertFails("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "BAD_REQUEST");
        assertFails(
                "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n", "BAD_REQUEST");
    }

    @ParameterizedTest
    @ValueSource(strings = {"chunked", "Chunked", "CHUNKED", "\tchunked "})
    void chunksAreRead(String coding) {
        String request = "PUT / HTTP/1.1\r\nHost: a\r\ntransfer-ENCODING:" + coding + "\r\n\r\n"
                + "3\r\na\r\n\r\nA;name=\"value; more\"\r\n0123456789\r\n00000001;a;b\r\n!\r\n0\r\nX: y\r\n\r\n";
        assertThat(RequestFeed.of(request)).containsExactly("PUT / (root) 1.1 keep-alive NONE <a\r\n0123456789!>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\r\n",
                ";a\r\n",
                "g\r\n",
                "0x1\r\na\r\n",
                "-1\r\n",
                "+1\r\na\r\n",
                " 1\r\na\r\n",
                "1 \r\na\r\n",
                "1\t\r\na\r\n",
                "1;a \r\na\r\n",
                "1 ; \r\na\r\n",
                "1;a=\r\na\r\n",
                "1;a= \r\na\r\n",
                "1;=a\r\na\r\n",
                "1;a=b=c\r\na\r\n",
                "1;a=b c\r\na\r\n",
                "1;a b\r\na\r\n",
                "1;a,b\r\na\r\n",
                "1;a;\r\na\r\n",
                "1;;a\r\na\r\n",
                "1;a=\"b\"c\r\na\r\n",
                "1;a=b\"c\"\r\na\r\n",
                "1;a=\"b\r\na\r\n",
                "1;a=\"b\\\"\r\na\r\n",
                "1;\"a\"\r\na\r\n",
                "1;a=\u00e4\r\na\r\n",
                "1_0\r\n",
                "1\na\r\n",
                "1\ra\r\n",
                "1\r\na\n",
                "1\r\nab",
                "1\r\na\rb",
                "1\r\na0\r\n\r\n",
                "1;\r\na\r\n",
                "1;a\nb\r\na\r\n",
                "1;a=\"\r\n\"\r\na\r\n",
                "1;a=\"\n\"\r\na\r\n",
                "1;a=\r\r\n",
                "1;a\000\r\na\r\n",
                "1;a\tb\r\na\r\n",
                "1;a\u00e4\r\na\r\n",
                "000000001\r\na\r\n",
                "100000000\r\n",
                "0000000000000001\r\n",
                "10000000000000000\r\n",
                "ffffffffffffffff1\r\n",
                "0\r\nno colon\r\n\r\n",
                "0\r\n: a\r\n\r\n",
                "0\r\nHost: a\r\n\r\n",
                "0\r\ncontent-length: 5\r\n\r\n",
                "0\r\nTransfer-Encoding: chunked\r\n\r\n",
                "0\r\n folded: a\r\n\r\n",
                "0\r\na: b\n\r\n",
                "0\n\r\n",
                "0\r\n\n",
                "0\r\n\rG"
            })
    void malformedChunksFail(String chunks) {
        assertFails(CHUNKED_HEAD + chunks, "BAD_REQUEST");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ";a",
                ";a=b",
                ";a=\"\"",
                ";a=\"b;c=\\\"d\\\\\"",
                ";a=\"\t\u00e4\"",
                ";a;b=c;d=\"e\"",
                " ;a",
                "\t; a",
                " ; a\t= b ; c = \"d\" ;e"
            })
    void chunkExtensionsAreReadOver(String extensions) {
        assertThat(RequestFeed.of(CHUNKED_HEAD + "1" + extensions + "\r\nx\r\n0" + extensions + "\r\n\r\n"))
                .containsExactly("POST / (root) 1.1 keep-alive NONE <x>");
    }

    @Test
    void longChunkSizesAndExtensionsFail() {
        assertFails(CHUNKED_HEAD + "0".repeat(99) + "1\r\na\r\n", "BAD_REQUEST");
        assertFails(CHUNKED_HEAD + "1;" + "a".repeat(255) + "\r\na\r\n0\r\n\r\n", "BAD_REQUEST");
        assertThat(RequestFeed.of(CHUNKED_HEAD + "1;" + "a".repeat(254) + "\r\na\r\n0\r\n\r\n"))
                .hasSize(1);
        assertFails(CHUNKED_HEAD + "1;" + "a".repeat(64 << 10), "BAD_REQUEST");
        assertFails(CHUNKED_HEAD + ("1;" + "a".repeat(200) + "\r\na\r\n").repeat(50), "BAD_REQUEST");
    }

    @Test
    void trailersHaveTheLimitsOfTheHead() {
        assertFails(CHUNKED_HEAD + "0\r\n" + "a: b\r\n".repeat(65) + "\r\n", "HEAD_TOO_LARGE");
        assertThat(RequestFeed.of(CHUNKED_HEAD + "0\r\n" + "a: b\r\n".repeat(64) + "\r\n"))
                .hasSize(1);
        assertFails(CHUNKED_HEAD + "0\r\na:" + "b".repeat(8192), "HEAD_TOO_LARGE");
    }

    @Test
    void aBodyAboveTheLimitFailsBeforeItIsRead() {
        String head = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: ";
        assertFails(head + "1048577\r\n\r\n", "BODY_TOO_LARGE");
        assertThat(RequestFeed.of(head + "1048576\r\n\r\n" + "a".repeat(1 << 20)))
                .hasSize(1);
        assertFails(CHUNKED_HEAD + "100001\r\n", "BODY_TOO_LARGE");
        assertFails(CHUNKED_HEAD + "ffffffff\r\n", "BODY_TOO_LARGE");
        assertFails(CHUNKED_HEAD + "80000000\r\n", "BODY_TOO_LARGE");
        assertFails(CHUNKED_HEAD + "1\r\na\r\n100000\r\n", "BODY_TOO_LARGE");
        assertThat(RequestFeed.of(CHUNKED_HEAD + "100000\r\n" + "a".repeat(1 << 20) + "\r\n0\r\n\r\n"))
                .hasSize(1);
    }

    @Test
    void aBodyThatWaitsFor100ContinueIsInvited() {
        try (HttpRequestParser parser = RequestFeed.newParser(UnpooledByteBufAllocator.DEFAULT)) {
            String head = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\n";
            assertThat(parser.parse(Unpooled.wrappedBuffer(RequestFeed.bytes(head))))
                    .isEqualTo(Result.CONTINUE);
            assertThat(parser.parse(Unpooled.EMPTY_BUFFER)).isEqualTo(Result.NEED_DATA);
            assertThat(parser.parse(Unpooled.wrappedBuffer(RequestFeed.bytes("a"))))
                    .isEqualTo(Result.REQUEST);
            ByteBuf whole = Unpooled.wrappedBuffer(RequestFeed.bytes(head + "a"));
            assertThat(parser.parse(whole)).isEqualTo(Result.CONTINUE);
            assertThat(parser.parse(whole)).isEqualTo(Result.REQUEST);
            String chunked = CHUNKED_HEAD.replace("Host", "Expect: 100-continue\r\nHost");
            assertThat(parser.parse(Unpooled.wrappedBuffer(RequestFeed.bytes(chunked))))
                    .isEqualTo(Result.CONTINUE);
            assertThat(parser.parse(Unpooled.wrappedBuffer(RequestFeed.bytes("0\r\n\r\n"))))
                    .isEqualTo(Result.REQUEST);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n"
            })
    void noBodyIsInvitedWhereThereIsNone(String text) {
        try (HttpRequestParser parser = RequestFeed.newParser(UnpooledByteBufAllocator.DEFAULT)) {
            assertThat(parser.parse(Unpooled.wrappedBuffer(RequestFeed.bytes(text))))
                    .isEqualTo(Result.REQUEST);
        }
    }

    @Test
    void theExpectationOfAnHttp10ClientIsIgnored() {
        try (HttpRequestParser parser = RequestFeed.newParser(UnpooledByteBufAllocator.DEFAULT)) {
            String head = "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n";
            assertThat(parser.parse(Unpooled.wrappedBuffer(RequestFeed.bytes(head))))
                    .isEqualTo(Result.NEED_DATA);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Expect: 100-continue, 100-Continue",
                "Expect: ,100-continue ,\t,",
                "Expect: 100-continue\r\nExpect: 100-continue"
            })
    void anExpectationThatIsRepeatedIsOne(String fields) {
        try (HttpRequestParser parser = RequestFeed.newParser(UnpooledByteBufAllocator.DEFAULT)) {
            String head = "POST / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\nContent-Length: 1\r\n\r\n";
            assertThat(parser.parse(Unpooled.wrappedBuffer(RequestFeed.bytes(head))))
                    .isEqualTo(Result.CONTINUE);
        }
    }

    @Test
    void anEmptyListOfExpectationsIsNone() {
        try (HttpRequestParser parser = RequestFeed.newParser(UnpooledByteBufAllocator.DEFAULT)) {
            String head = "POST / HTTP/1.1\r\nHost: a\r\nExpect: ,\r\nExpect:\r\nContent-Length: 1\r\n\r\n";
            assertThat(parser.parse(Unpooled.wrappedBuffer(RequestFeed.bytes(head))))
                    .isEqualTo(Result.NEED_DATA);
        }
    }

    @Test
    void anUnknownExpectationFailsUnlessTheFramingIsMalformedToo() {
        assertFails(post("Expect: 200-ok\r\n"), "EXPECTATION_FAILED");
        assertFails(post("Expect: 100-continue, x\r\n"), "EXPECTATION_FAILED");
        assertFails(post("Expect: 100-continue;a=b\r\n"), "EXPECTATION_FAILED");
        assertFails(post("Expect: 100-continue\r\nExpect: x\r\n"), "EXPECTATION_FAILED");
        assertFails("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: x\r\n\r\n", "BAD_REQUEST");
        assertFails("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n", "LENGTH_REQUIRED");
    }

    @Test
    void aPostWithoutALengthHasNoBodyUnlessItIsAForm() {
        assertThat(RequestFeed.of("POST /a.B/m HTTP/1.1\r\nHost: a\r\n\r\n" + FORM_CALL))
                .containsExactly("POST /a.B/m 1.1 keep-alive NONE <>", FORM_RESULT);
        assertFails("POST /?a=b HTTP/1.1\r\nHost: a\r\n\r\n", "LENGTH_REQUIRED");
    }

    @Test
    void aBodyOfAnyMethodIsRead() {
        assertThat(RequestFeed.of("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nPOST " + FORM_CALL))
                .containsExactly("GET / (root) 1.1 keep-alive NONE <POST >", FORM_RESULT);
    }
}
