package io.dubbomesh.consumer.http;

import io.dubbomesh.consumer.call.RequestFeed;
import io.dubbomesh.consumer.http.HttpRequestParser.Result;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

class HttpRequestParserTest extends ParserFixture {
    static Stream<String> soundRequests() {
        return Stream.of(
                FORM_CALL,
                "\r\n" + FORM_CALL,
                FORM_CALL + FORM_CALL,
                FORM_CALL + "\r\n" + FORM_CALL,
                get("GET / HTTP/1.0"),
                "GET /a/b?c=d HTTP/1.0\r\nConnection: foo ,Keep-Alive\r\n\r\n",
                get("GET http://[::1]:80?q HTTP/1.1"),
                post("X-Request-Timeout: 250\r\nConnection: close\r\n"),
                post("X-Dubbo-Attachment-a: %C3%A4\r\ntraceparent: 00-1\r\ntracestate: a\r\nTRACESTATE: b\r\n"),
                post("X-Dubbo-Attachment-Path: x\r\nContent-Encoding: gzip\r\n"),
                CHUNKED_HEAD + "3\r\na=b\r\n0\r\n\r\n",
                CHUNKED_HEAD + "1;x=y\r\na\r\n00000002\r\n=b\r\n0;z\r\nTrailer: 1\r\nOther:2\r\n\r\n" + FORM_CALL);
    }

    static Stream<String> brokenRequests() {
        return Stream.of(
                "POST / HTTP/1.1\nHost: a\n\n",
                "POST / HTTP/1.1\rHost: a\r\n\r\n",
                "POST  / HTTP/1.1\r\n\r\n",
                "post / HTTP/1.1\r\n\r\n",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "\r\n\r\nPOST / HTTP/1.1\r\n",
                "\026\003\001\002\000\001",
                "POST / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
                "POST / HTTP/1.1\r\nContent-Length : 5\r\n\r\nhello",
                "POST / HTTP/1.1\r\nHost: a\r\n folded: b\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nX: \000\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\n\r\n",
                FORM_CALL + "GET / HTTP/1.1\r\n\r\n" + FORM_CALL,
                post("Transfer-Encoding: chunked\r\n") + "0\r\n\r\n",
                CHUNKED_HEAD + "3\r\na=bc\r\n0\r\n\r\n",
                CHUNKED_HEAD + "3\r\na=b\r\n100001\r\n",
                CHUNKED_HEAD + "0\r\nHost: b\r\n\r\n");
    }

    @Test
    void theRequestOfTheBenchmarksConsumerIsRead() {
        String request = "POST / HTTP/1.1\r\ncontent-length: 9\r\ncontent-type: application/x-www-form-urlencoded\r\n"
                + "host: 127.0.0.1:20000\r\naccept: */*\r\nuser-agent: AHC/2.1\r\n\r\nmethod=ab";
        assertThat(RequestFeed.of(request)).containsExactly("POST / (root) 1.1 keep-alive FORM <method=ab>");
    }

    @Test
    void theBodyStaysWhereItIsAndTheReaderIndexIsBehindIt() {
        try (HttpRequestParser parser = RequestFeed.newParser(UnpooledByteBufAllocator.DEFAULT)) {
            ByteBuf in = Unpooled.wrappedBuffer(RequestFeed.bytes("xyz" + FORM_CALL + "POST"));
            in.readerIndex(3);
            assertThat(parser.parse(in)).isEqualTo(Result.REQUEST);
            assertThat(parser.body()).isSameAs(in);
            assertThat(parser.bodyOffset()).isEqualTo(3 + FORM_CALL.length() - 3);
            assertThat(parser.bodyLength()).isEqualTo(3);
            assertThat(in.toString(ISO_8859_1)).isEqualTo("POST");
            assertThat(parser.isBetweenRequests()).isTrue();
            assertThat(parser.parse(in)).isEqualTo(Result.NEED_DATA);
        }
    }

    @Test
    void theMissingPartOfARequestIsKnown() {
        try (HttpRequestParser parser = RequestFeed.newParser(UnpooledByteBufAllocator.DEFAULT)) {
            parser.parse(Unpooled.wrappedBuffer(RequestFeed.bytes("POST / HTTP/1.1\r\n")));
            assertThat(parser.isBetweenRequests()).isFalse();
            assertThat(parser.inBody()).isFalse();
            parser.parse(Unpooled.wrappedBuffer(RequestFeed.bytes("Host: a\r\nContent-Length: 1\r\n\r\n")));
            assertThat(parser.isBetweenRequests()).isFalse();
            assertThat(parser.inBody()).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("soundRequests")
    void theSameRequestsAreReadHoweverTheBytesArrive(String text) {
        List<String> whole = RequestFeed.of(text);
        assertThat(whole).isNotEmpty().noneMatch(result -> result.startsWith("BAD_REQUEST"));
        requireTheSameForEverySplit(text, whole);
    }

    @ParameterizedTest
    @MethodSource("brokenRequests")
    void brokenRequestsFailTheSameWayHoweverTheBytesArrive(String text) {
        List<String> whole = RequestFeed.of(text);
        assertThat(whole.get(whole.size() - 1)).matches("[A-Z_]+: .*");
        requireTheSameForEverySplit(text, whole);
    }

    private static void requireTheSameForEverySplit(String text, List<String> whole) {
        byte[] bytes = RequestFeed.bytes(text);
        assertThat(RequestFeed.of(bytes, RequestFeed.everyByte(bytes.length))).isEqualTo(whole);
        for (int one = 0; one <= bytes.length; one++) {
            for (int other = one; other <= bytes.length; other++) {
                List<String> split = RequestFeed.of(bytes, one, other);
                if (!split.equals(whole)) {
                    assertThat(split).as("split at %d and %d", one, other).isEqualTo(whole);
                }
            }
        }
    }

    @Test
    void pipelinedRequestsAreReadOneByOne() {
        String mixed = FORM_CALL + post("Connection: close\r\n") + CHUNKED_HEAD + "1\r\nx\r\n0\r\n\r\n";
        List<String> expected =
                List.of(FORM_RESULT, "POST / (root) 1.1 close NONE <>", "POST / (root) 1.1 keep-alive NONE <x>");
        for (int rounds = 0; rounds < 20; rounds++) {
            assertThat(RequestFeed.of(mixed.repeat(rounds))).hasSize(3 * rounds);
        }
        assertThat(RequestFeed.of(mixed)).isEqualTo(expected);
    }

    @Test
    void nothingIsParsedBehindAFailure() {
        try (HttpRequestParser parser = RequestFeed.newParser(UnpooledByteBufAllocator.DEFAULT)) {
            ByteBuf in = Unpooled.wrappedBuffer(RequestFeed.bytes("?" + FORM_CALL));
            assertThat(parser.parse(in)).isEqualTo(Result.FAILED);
            assertThat(parser.parse(in.skipBytes(1))).isEqualTo(Result.FAILED);
        }
    }

    @Test
    void noLargeBufferIsKeptAfterARequest() {
        HttpRequestParser parser = RequestFeed.newParser(PooledByteBufAllocator.DEFAULT);
        ByteBuf in = Unpooled.buffer();
        in.writeBytes(RequestFeed.bytes(CHUNKED_HEAD + "1001\r\n" + "a".repeat(0x1001) + "\r\n0\r\n\r\n"));
        assertThat(parser.parse(in)).isEqualTo(Result.REQUEST);
        ByteBuf large = parser.body();
        assertThat(large.refCnt()).isEqualTo(1);
        assertThat(parser.parse(in)).isEqualTo(Result.NEED_DATA);
        assertThat(large.refCnt()).isZero();

        in.writeBytes(RequestFeed.bytes(CHUNKED_HEAD + "1\r\na\r\n0\r\n\r\n"));
        assertThat(parser.parse(in)).isEqualTo(Result.REQUEST);
        ByteBuf small = parser.body();
        assertThat(parser.parse(in)).isEqualTo(Result.NEED_DATA);
        assertThat(small.refCnt()).isEqualTo(1);
        parser.close();
        assertThat(small.refCnt()).isZero();
    }
}
