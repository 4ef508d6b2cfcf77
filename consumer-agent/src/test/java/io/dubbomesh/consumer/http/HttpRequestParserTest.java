package io.dubbomesh.consumer.http;

import io.dubbomesh.consumer.call.RequestFeed;
import io.dubbomesh.consumer.http.HttpRequestParser.Result;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(120)
class HttpRequestParserTest {
    private static final String FORM_CALL = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n"
            + "Content-Type: application/x-www-form-urlencoded\r\n\r\na=b";
    private static final String CHUNKED_HEAD = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

    private static final String FORM_RESULT = "POST / (root) 1.1 keep-alive FORM <a=b>";

    /** With the given header lines, each with its CRLF, and no body. */
    private static String post(String fields) {
        return "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n" + fields + "\r\n";
    }

    private static String get(String requestLine) {
        return requestLine + "\r\nHost: a\r\n\r\n";
    }

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
    void readsTheRequestOfTheBenchmarksConsumer() {
        String request = "POST / HTTP/1.1\r\ncontent-length: 9\r\ncontent-type: application/x-www-form-urlencoded\r\n"
                + "host: 127.0.0.1:20000\r\naccept: */*\r\nuser-agent: AHC/2.1\r\n\r\nmethod=ab";
        assertThat(RequestFeed.of(request)).containsExactly("POST / (root) 1.1 keep-alive FORM <method=ab>");
    }

    @Test
    void leavesTheBodyWhereItIsAndTheReaderIndexBehindIt() {
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
    void saysWhatPartOfARequestIsStillMissing() {
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
    void readsTheSameRequestsHoweverTheBytesArrive(String text) {
        List<String> whole = RequestFeed.of(text);
        assertThat(whole).isNotEmpty().noneMatch(result -> result.startsWith("BAD_REQUEST"));
        requireTheSameForEverySplit(text, whole);
    }

    @ParameterizedTest
    @MethodSource("brokenRequests")
    void failsTheSameWayHoweverTheBytesArrive(String text) {
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
    void readsPipelinedRequestsOneByOne() {
        String mixed = FORM_CALL + post("Connection: close\r\n") + CHUNKED_HEAD + "1\r\nx\r\n0\r\n\r\n";
        List<String> expected =
                List.of(FORM_RESULT, "POST / (root) 1.1 close NONE <>", "POST / (root) 1.1 keep-alive NONE <x>");
        for (int rounds = 0; rounds < 20; rounds++) {
            assertThat(RequestFeed.of(mixed.repeat(rounds))).hasSize(3 * rounds);
        }
        assertThat(RequestFeed.of(mixed)).isEqualTo(expected);
    }

    @Test
    void parsesNothingBehindAFailure() {
        try (HttpRequestParser parser = RequestFeed.newParser(UnpooledByteBufAllocator.DEFAULT)) {
            ByteBuf in = Unpooled.wrappedBuffer(RequestFeed.bytes("?" + FORM_CALL));
            assertThat(parser.parse(in)).isEqualTo(Result.FAILED);
            assertThat(parser.parse(in.skipBytes(1))).isEqualTo(Result.FAILED);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            value = {
                "GET / HTTP/1.1 > GET / (root) 1.1 keep-alive",
                "GET /?a=b HTTP/1.1 > GET /?a=b (root) 1.1 keep-alive",
                "GET /a HTTP/1.1 > GET /a 1.1 keep-alive",
                "GET // HTTP/1.1 > GET // 1.1 keep-alive",
                "GET / HTTP/1.0 > GET / (root) 1.0 close",
                "GET / HTTP/1.9 > GET / (root) 1.1 keep-alive",
                "BREW /a|{b}\"%zz HTTP/1.1 > BREW /a|{b}\"%zz 1.1 keep-alive",
                "OPTIONS * HTTP/1.1 > OPTIONS * 1.1 keep-alive",
                "CONNECT a:443 HTTP/1.1 > CONNECT a:443 1.1 keep-alive",
                "GET http://a.b:80/c?d HTTP/1.1 > GET /c?d 1.1 keep-alive",
                "GET HTTPS://a HTTP/1.1 > GET / (root) 1.1 keep-alive",
                "GET http://a?q HTTP/1.1 > GET /?q (root) 1.1 keep-alive",
                "GET http://[::1]/ HTTP/1.1 > GET / (root) 1.1 keep-alive",
            })
    void understandsTheRequestLine(String line, String expected) {
        assertThat(RequestFeed.of(get(line))).containsExactly(expected + " NONE <>");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "GET />BAD_REQUEST",
                "GET / >BAD_REQUEST",
                "GET  HTTP/1.1>BAD_REQUEST",
                "GET  / HTTP/1.1>BAD_REQUEST",
                "GET /  HTTP/1.1>BAD_REQUEST",
                "GET / HTTP/1.1 >BAD_REQUEST",
                " GET / HTTP/1.1>BAD_REQUEST",
                "GET\t/ HTTP/1.1>BAD_REQUEST",
                "GET /\tHTTP/1.1>BAD_REQUEST",
                "GET / HTTP/1.1\t>BAD_REQUEST",
                "G(T / HTTP/1.1>BAD_REQUEST",
                "get / HTTP/1.1>BAD_REQUEST",
                "GET /#a HTTP/1.1>BAD_REQUEST",
                "GET /\u00e4 HTTP/1.1>BAD_REQUEST",
                "GET /\u007f HTTP/1.1>BAD_REQUEST",
                "GET a HTTP/1.1>BAD_REQUEST",
                "GET * HTTP/1.1>BAD_REQUEST",
                "OPTIONS ** HTTP/1.1>BAD_REQUEST",
                "GET ftp://a/ HTTP/1.1>BAD_REQUEST",
                "GET http:///a HTTP/1.1>BAD_REQUEST",
                "GET http://u@a/ HTTP/1.1>BAD_REQUEST",
                "GET http://a:b/ HTTP/1.1>BAD_REQUEST",
                "GET http://[a/ HTTP/1.1>BAD_REQUEST",
                "GET / http/1.1>BAD_REQUEST",
                "GET / HTTP/1>BAD_REQUEST",
                "GET / HTTP/1.10>BAD_REQUEST",
                "GET / HTTP/11.1>BAD_REQUEST",
                "GET / HTTP/a.1>BAD_REQUEST",
                "GET / HTTP/1.a>BAD_REQUEST",
                "GET / HTTP/1,1>BAD_REQUEST",
                "GET / HTTP/2.0>VERSION_NOT_SUPPORTED",
                "GET / HTTP/3.0>VERSION_NOT_SUPPORTED",
                "GET / HTTP/0.9>VERSION_NOT_SUPPORTED",
                "PRI * HTTP/2.0>VERSION_NOT_SUPPORTED",
                "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFG / HTTP/1.1>NOT_IMPLEMENTED",
            })
    void refusesAnyOtherRequestLine(String line, String outcome) {
        assertFails(get(line), outcome);
    }

    private static void assertFails(String text, String outcome) {
        List<String> results = RequestFeed.of(text);
        assertThat(results).as(text).hasSize(1);
        assertThat(results.get(0)).as(text).startsWith(outcome + ": ");
        assertThat(RequestFeed.of(text, RequestFeed.everyByte(text.length()))).isEqualTo(results);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\026\003\001",
                "\000",
                "\001POST",
                "\177POST",
                " ",
                "\n",
                "\t",
                "\u0080",
                "{",
                "\r\r",
                "\r\n\r",
                "\rP"
            })
    void knowsByItsFirstBytesWhatIsNoHttp(String start) {
        assertFails(start, "BAD_REQUEST");
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                '\000', '\001', '\b', '\t', '\n', '\013', '\f', '\r', '\016', '\037', ' ', '\177', 0x80, 0xff, '(', '@'
            })
    void refusesAnyCharacterInAFieldNameThatDoesNotBelongThere(int character) {
        for (String name : List.of((char) character + "abc", "ab" + (char) character + "c", "abc" + (char) character)) {
            assertFails(post(name + ": d\r\n"), "BAD_REQUEST");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {'\000', '\001', '\b', '\n', '\013', '\f', '\r', '\016', '\037', '\177'})
    void refusesControlCharactersInAFieldValue(int character) {
        for (String value :
                List.of((char) character + "abc", "ab" + (char) character + "c", "abc" + (char) character)) {
            assertFails(post("X: " + value + "\r\n"), "BAD_REQUEST");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no colon",
                ": no name",
                " : no name",
                "space : before colon",
                " folded: line",
                "\tfolded: line",
                "Host: again",
                "Content-Length: 0",
                "Content-Length: 1",
                "Content-Length : 0",
                "Transfer-Encoding : chunked"
            })
    void refusesFieldLinesThatTwoParsersCouldReadDifferently(String line) {
        assertFails(post(line + "\r\n"), "BAD_REQUEST");
    }

    @Test
    void takesBlanksAroundAValueAndAnyCharacterBeyondAsciiInIt() {
        assertThat(RequestFeed.of(post("X:\u00e4\t\u00ff\r\nConnection:\t close \t\r\nEmpty:\r\nBlank: \r\n")))
                .containsExactly("POST / (root) 1.1 close NONE <>");
    }

    @Test
    void needsAHostInHttp11Only() {
        assertFails("GET / HTTP/1.1\r\nHosts: a\r\n\r\n", "BAD_REQUEST");
        assertThat(RequestFeed.of("GET / HTTP/1.0\r\n\r\n")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "A.b-c_d~:80", "127.0.0.1:20000", "[::1]", "[::ffff:192.0.2.1]:1", "a:", "xn--%C3"})
    void takesAHost(String host) {
        assertThat(RequestFeed.of("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n"))
                .containsExactly("GET / (root) 1.1 keep-alive NONE <>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", " ", "a b", "a,b@c", "a/b", "a?b", "a#b", ":80", "a:b", "a:80:80", "[::1", "[]", "[::1]a", "[x]",
                "a\u00e4"
            })
    void refusesAHostThatIsNone(String host) {
        assertFails("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n", "BAD_REQUEST");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            value = {
                "close > close",
                "Close > close",
                "keep-alive > keep-alive",
                "keep-alive, CLOSE > close",
                "closed > keep-alive",
                "close;x > keep-alive",
                "upgrade,\tclose\t,x > close",
                ",,, > keep-alive"
            })
    void closesWhenTheClientSaysSo(String value, String expected) {
        assertThat(RequestFeed.of(post("Connection: " + value + "\r\n")).get(0)).contains(" 1.1 " + expected + " ");
    }

    @Test
    void keepsAConnectionOfHttp10OnlyOnRequest() {
        assertThat(RequestFeed.of("GET / HTTP/1.0\r\n\r\n").get(0)).contains("close");
        assertThat(RequestFeed.of("GET / HTTP/1.0\r\nConnection: KEEP-alive\r\n\r\n")
                        .get(0))
                .contains("keep-alive");
        assertThat(RequestFeed.of("GET / HTTP/1.0\r\nConnection: keep-alive\r\nConnection: close\r\n\r\n")
                        .get(0))
                .contains("close");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            quoteCharacter = '\'',
            value = {
                "application/x-www-form-urlencoded > FORM",
                "Application/X-WWW-Form-Urlencoded > FORM",
                "application/x-www-form-urlencoded;charset=UTF-8 > FORM",
                "application/x-www-form-urlencoded ; Charset=\"utf-8\" ; > FORM",
                "application/x-www-form-urlencoded; a=\"b;charset=x\\\"\"; charset=utf-8 > FORM",
                "application/x-www-form-urlencoded; charset=ISO-8859-1 > OTHER",
                "application/x-www-form-urlencoded; charset=utf-8; charset=latin1 > OTHER",
                "application/x-www-form-urlencoded; charset=utf8 > OTHER",
                "application/x-www-form-urlencoded; charset > OTHER",
                "application/x-www-form-urlencoded; charset= > OTHER",
                "application/x-www-form-urlencoded; charset=\"utf-8 > OTHER",
                "application/x-www-form-urlencoded; charset=\" > OTHER",
                "application/x-www-form-urlencoded; charset=\"\" > OTHER",
                "application/x-www-form-urlencoded; charset=utf-8 x > OTHER",
                "application/x-www-form-urlencoded charset=utf-8 > OTHER",
                "application/x-www-form-urlencoded, application/json > OTHER",
                "application/json > JSON",
                "application/JSON;charset=utf-8 > JSON",
                "application/json5 > OTHER",
                "application/problem+json > OTHER",
                "multipart/form-data; boundary=x > OTHER",
                "; charset=utf-8 > OTHER",
                "'' > OTHER",
            })
    void classifiesTheContentType(String value, String expected) {
        assertThat(RequestFeed.of(post("Content-Type: " + value + "\r\n")))
                .containsExactly("POST / (root) 1.1 keep-alive " + expected + " <>");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "identity", ""})
    void noticesAnyContentEncoding(String value) {
        assertThat(RequestFeed.of(post("content-ENCODING: " + value + "\r\n")).get(0))
                .contains("encoded");
    }

    @ParameterizedTest
    @CsvSource({"1,1", "250,250", "007,7", "2147483647,2147483647", "99999999999999999999,2147483647"})
    void readsTheTimeout(String value, int expected) {
        assertThat(RequestFeed.of(post("x-request-timeout: " + value + "\r\n")).get(0))
                .contains(" timeout " + expected + " ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "000", "-1", "+1", "1.5", "1s", "1 2", "0x1", "1\r\nX-Request-Timeout: 1"})
    void marksAMalformedTimeout(String value) {
        assertThat(RequestFeed.of(post("X-Request-Timeout: " + value + "\r\n")).get(0))
                .contains(" timeout -1 ");
    }

    @Test
    void keepsTheFieldsThatNameAJsonCall() {
        assertThat(RequestFeed.of(
                        post("X-Dubbo-Parameter-Types: int,long\r\nx-dubbo-version: 1.0\r\nX-DUBBO-GROUP:\r\n")
                                + post("")))
                .containsExactly(
                        "POST / (root) 1.1 keep-alive NONE types int,long version 1.0 group  <>",
                        "POST / (root) 1.1 keep-alive NONE <>");
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Dubbo-Parameter-Types", "X-Dubbo-Version", "X-Dubbo-Group"})
    void rejectsWhatOnlyOneCanBeOf(String name) {
        assertThat(RequestFeed.of(post(name + ": a\r\n" + name + ": a\r\n") + FORM_CALL))
                .hasSize(2)
                .element(0)
                .asString()
                .contains("rejected BAD_REQUEST: " + name + " is given twice");
    }

    @Test
    void tellsThatTheContentTypeIsRepeated() {
        assertThat(RequestFeed.of(post("Content-Type: a\r\nContent-Type: a\r\n") + FORM_CALL))
                .containsExactly("POST / (root) 1.1 keep-alive REPEATED <>", FORM_RESULT);
    }

    @ParameterizedTest
    @CsvSource({"0,''", "00,''", "3,abc", "0003,abc", "00000000000000000000000000000003,abc"})
    void readsAContentLength(String length, String body) {
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
    void refusesUnclearFraming(String line, String outcome) {
        assertFails("POST / HTTP/1.1\r\nHost: a\r\n" + line + "\r\n\r\n0\r\n\r\n", outcome);
    }

    @Test
    void refusesTwoFramings() {
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
    void readsChunks(String coding) {
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
                "1 ;a\r\na\r\n",
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
    void refusesBrokenChunks(String chunks) {
        assertFails(CHUNKED_HEAD + chunks, "BAD_REQUEST");
    }

    @Test
    void refusesAHundredDigitsOfChunkSizeAndLongExtensions() {
        assertFails(CHUNKED_HEAD + "0".repeat(99) + "1\r\na\r\n", "BAD_REQUEST");
        assertFails(CHUNKED_HEAD + "1;" + "a".repeat(255) + "\r\na\r\n0\r\n\r\n", "BAD_REQUEST");
        assertThat(RequestFeed.of(CHUNKED_HEAD + "1;" + "a".repeat(254) + "\r\na\r\n0\r\n\r\n"))
                .hasSize(1);
        assertFails(CHUNKED_HEAD + "1;" + "a".repeat(64 << 10), "BAD_REQUEST");
        assertFails(CHUNKED_HEAD + ("1;" + "a".repeat(200) + "\r\na\r\n").repeat(50), "BAD_REQUEST");
    }

    @Test
    void boundsTheTrailersAsTheHead() {
        assertFails(CHUNKED_HEAD + "0\r\n" + "a: b\r\n".repeat(65) + "\r\n", "HEAD_TOO_LARGE");
        assertThat(RequestFeed.of(CHUNKED_HEAD + "0\r\n" + "a: b\r\n".repeat(64) + "\r\n"))
                .hasSize(1);
        assertFails(CHUNKED_HEAD + "0\r\na:" + "b".repeat(8192), "HEAD_TOO_LARGE");
    }

    @Test
    void boundsTheRequestLine() {
        String line = "GET /" + "a".repeat(4096 - "GET / HTTP/1.1".length()) + " HTTP/1.1";
        assertThat(RequestFeed.of(get(line))).hasSize(1);
        assertFails(get("GET /a" + line.substring(5)), "TARGET_TOO_LONG");
        assertFails("GET /" + "a".repeat(4092), "TARGET_TOO_LONG");
    }

    @Test
    void boundsTheHead() {
        String host = "Host: a\r\n";
        String start = "GET / HTTP/1.1\r\n" + host + "X: ";
        int rest = 8192 - host.length() - "X: \r\n\r\n".length();
        assertThat(RequestFeed.of(start + "a".repeat(rest) + "\r\n\r\n")).hasSize(1);
        assertFails(start + "a".repeat(rest + 1) + "\r\n\r\n", "HEAD_TOO_LARGE");
        assertFails(start + "a".repeat(rest + 3), "HEAD_TOO_LARGE");
    }

    @Test
    void boundsTheNumberOfFields() {
        assertThat(RequestFeed.of("GET / HTTP/1.1\r\nHost: a\r\n" + "a:\r\n".repeat(63) + "\r\n"))
                .hasSize(1);
        assertFails("GET / HTTP/1.1\r\nHost: a\r\n" + "a:\r\n".repeat(64) + "\r\n", "HEAD_TOO_LARGE");
    }

    @Test
    void boundsTheBodyBeforeReadingIt() {
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
    void asksForABodyThatWaitsForThat() {
        try (HttpRequestParser parser = RequestFeed.newParser(UnpooledByteBufAllocator.DEFAULT)) {
            String head = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\n";
            assertThat(parser.parse(Unpooled.wrappedBuffer(RequestFeed.bytes(head))))
                    .isEqualTo(Result.CONTINUE);
            assertThat(parser.parse(Unpooled.EMPTY_BUFFER)).isEqualTo(Result.NEED_DATA);
            assertThat(parser.parse(Unpooled.wrappedBuffer(RequestFeed.bytes("a"))))
                    .isEqualTo(Result.REQUEST);
            assertThat(parser.parse(Unpooled.wrappedBuffer(RequestFeed.bytes(head + "a"))))
                    .isEqualTo(Result.REQUEST);

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
    void asksForNoBodyWhereThereIsNone(String text) {
        try (HttpRequestParser parser = RequestFeed.newParser(UnpooledByteBufAllocator.DEFAULT)) {
            assertThat(parser.parse(Unpooled.wrappedBuffer(RequestFeed.bytes(text))))
                    .isEqualTo(Result.REQUEST);
        }
    }

    @Test
    void ignoresTheExpectationOfAnHttp10Client() {
        try (HttpRequestParser parser = RequestFeed.newParser(UnpooledByteBufAllocator.DEFAULT)) {
            String head = "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n";
            assertThat(parser.parse(Unpooled.wrappedBuffer(RequestFeed.bytes(head))))
                    .isEqualTo(Result.NEED_DATA);
        }
    }

    @Test
    void failsAnExpectationThatIsNotKnownUnlessTheFramingIsWorse() {
        assertFails(post("Expect: 200-ok\r\n"), "EXPECTATION_FAILED");
        assertFails(post("Expect: 100-continue, x\r\n"), "EXPECTATION_FAILED");
        assertFails(post("Expect:\r\n"), "EXPECTATION_FAILED");
        assertFails("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: x\r\n\r\n", "BAD_REQUEST");
        assertFails("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n", "LENGTH_REQUIRED");
    }

    @Test
    void readsABodyOfAnyMethod() {
        assertThat(RequestFeed.of("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nPOST " + FORM_CALL))
                .containsExactly("GET / (root) 1.1 keep-alive NONE <POST >", FORM_RESULT);
    }

    @Test
    void keepsNoLargeBufferBeyondARequest() {
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
