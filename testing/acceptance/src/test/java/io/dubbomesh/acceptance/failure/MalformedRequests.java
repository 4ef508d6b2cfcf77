package io.dubbomesh.acceptance.failure;

import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.Socket;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Bytes that are not a request, or one that two parsers might read differently. */
abstract class MalformedRequests extends FailureTopic {
    @ParameterizedTest(name = "{0}")
    @MethodSource("malformed")
    void aMalformedRequestIsAnsweredAndEndsTheConnection(String what, String request) throws Exception {
        assertAnsweredAndClosed(request, 400, "BAD_REQUEST");
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP/2.0, 505, VERSION_NOT_SUPPORTED",
        "HTTP/0.9, 505, VERSION_NOT_SUPPORTED",
        "HTTP/11, 400, BAD_REQUEST",
        "http/1.1, 400, BAD_REQUEST",
    })
    void otherVersionsAreRefused(String version, int status, String code) throws Exception {
        assertAnsweredAndClosed(HELLO.replace("HTTP/1.1", version), status, code);
    }

    @Test
    void aClientOfHttp2GetsAGoawayWithTheReason() throws Exception {
        byte[] answer;
        try (Socket client = new Socket("127.0.0.1", port)) {
            client.setSoTimeout(10_000);
            client.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
            answer = client.getInputStream().readAllBytes();
        }
        // SETTINGS, then GOAWAY: the last stream is 0, HTTP_1_1_REQUIRED, and debug data.
        assertThat(new String(answer, ISO_8859_1))
                .isEqualTo("\0\0\0\4\0\0\0\0\0" + "\0\0\161\7\0\0\0\0\0" + "\0\0\0\0" + "\0\0\0\15"
                        + "HTTP/2 with prior knowledge (expected: HTTP/1.1, as of curl --http1.1; HTTP/2 is not spoken at this"
                        + " port)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip, chunked", "gzip", "identity", "deflate", "xchunked"})
    void unknownTransferCodingsAreRefused(String codings) throws Exception {
        assertAnsweredAndClosed(withFraming("Transfer-Encoding: " + codings + "\r\n"), 501, "NOT_IMPLEMENTED");
    }

    @Test
    void aPostWithoutALengthIsRefused() throws Exception {
        assertAnsweredAndClosed(withFraming(""), 411, "LENGTH_REQUIRED");
    }

    @Test
    void unknownExpectationsAreRefused() throws Exception {
        assertAnsweredAndClosed(Form.post(Form.hash("x"), "Expect: the-unexpected"), 417, "EXPECTATION_FAILED");
    }

    @Test
    void aMalformedRequestEndsOnlyItsConnection() throws Exception {
        try (HttpSocket good = new HttpSocket(port);
                HttpSocket bad = new HttpSocket(port)) {
            good.call(HELLO).assertHash("hello");
            bad.call("nonsense\r\n\r\n").assertProblem(400, "BAD_REQUEST");
            bad.assertEnd();
            good.call(HELLO).assertHash("hello");
        }
    }

    static Stream<Arguments> malformed() {
        String form = Form.hash("x");
        String length = "Content-Length: " + form.length() + "\r\n";
        String chunked = "Transfer-Encoding: chunked\r\n";
        String chunk = Integer.toHexString(form.length()) + "\r\n" + form + "\r\n";
        return Stream.of(
                arguments("no host", HELLO.replace(HOST, "")),
                arguments("two hosts", HELLO.replace(HOST, HOST + HOST)),
                arguments("a bad host", HELLO.replace(HOST, "Host: a b\r\n")),
                arguments("no version", HELLO.replace(" HTTP/1.1", "")),
                arguments("two spaces", HELLO.replace("POST /", "POST  /")),
                arguments("a method in lower case", HELLO.replace("POST", "post")),
                arguments("a NUL before the request", "\0" + HELLO),
                arguments("two empty lines before the request", "\r\n\r\n" + HELLO),
                arguments("a TLS ClientHello", "\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00fc\u0003\u0003"),
                arguments("random bytes", "\u00ff\u0000\u0080\u0001\r\n\r\n"),
                arguments("a line feed without a carriage return", HELLO.replace("HTTP/1.1\r\n", "HTTP/1.1\n")),
                arguments("a space before the colon", withFraming("Content-Length : " + form.length() + "\r\n")),
                arguments("a header without a colon", withFraming(length + "nocolon\r\n")),
                arguments("a header without a name", withFraming(length + ": x\r\n")),
                arguments("a folded header", withFraming(length + "X-A: 1\r\n 2\r\n")),
                arguments("a control character in a name", withFraming(length + "X-\u0001: 1\r\n")),
                arguments("a control character in a value", withFraming(length + "X-A: a\u0000b\r\n")),
                arguments("two lengths", withFraming(length + "Content-Length: 5\r\n")),
                arguments("the same length twice", withFraming(length + length)),
                arguments("a list of lengths", withFraming("Content-Length: 5, 5\r\n")),
                arguments("a length with a sign", withFraming("Content-Length: +5\r\n")),
                arguments("a negative length", withFraming("Content-Length: -1\r\n")),
                arguments("a hexadecimal length", withFraming("Content-Length: 0x5\r\n")),
                arguments("a length with an underscore", withFraming("Content-Length: 5_0\r\n")),
                arguments("an empty length", withFraming("Content-Length:\r\n")),
                arguments("a length of 2^63", withFraming("Content-Length: 9223372036854775808\r\n")),
                arguments("length and chunks", withFraming(length + chunked)),
                arguments("chunks and length", withFraming(chunked + length)),
                arguments("chunked twice", withFraming("Transfer-Encoding: chunked, chunked\r\n")),
                arguments("chunked not last", withFraming("Transfer-Encoding: chunked, identity\r\n")),
                arguments("chunks in HTTP/1.0", withFraming(chunked).replace("HTTP/1.1", "HTTP/1.0")),
                arguments("a chunk size that is not a number", chunked("zz\r\n" + chunk + "0\r\n\r\n")),
                arguments("no chunk size", chunked("\r\n" + chunk + "0\r\n\r\n")),
                arguments("a chunk size of 17 digits", chunked("10000000000000001\r\nx\r\n0\r\n\r\n")),
                arguments("a chunk size with leading zeros", chunked("000000001\r\nx\r\n0\r\n\r\n")),
                arguments("a chunk longer than its size", chunked("1\r\nxx\r\n0\r\n\r\n")),
                arguments("a chunk that ends with a line feed", chunked("1\r\nx\n0\r\n\r\n")),
                arguments("a NUL in a chunk extension", chunked("1;a=\0\r\nx\r\n0\r\n\r\n")),
                arguments("a length as a trailer", chunked(chunk + "0\r\nContent-Length: 1\r\n\r\n")));
    }
}
