package io.dubbomesh.acceptance.failure;

import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.net.Socket;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Bytes that are not a request, or one that two parsers might read differently: the answers, each with one example. */
abstract class MalformedRequests extends FailureTopic {
    @ParameterizedTest(name = "{0}")
    @MethodSource("malformed")
    void aMalformedRequestIsAnsweredAndEndsTheConnection(String what, String request) throws Exception {
        assertAnsweredAndClosed(request, 400, "BAD_REQUEST");
    }

    @Test
    void otherVersionsAreRefused() throws Exception {
        assertAnsweredAndClosed(HELLO.replace("HTTP/1.1", "HTTP/2.0"), 505, "VERSION_NOT_SUPPORTED");
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

    @Test
    void unknownTransferCodingsAreRefused() throws Exception {
        assertAnsweredAndClosed(withFraming("Transfer-Encoding: gzip, chunked\r\n"), 501, "NOT_IMPLEMENTED");
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
        String length = "Content-Length: " + Form.hash("x").length() + "\r\n";
        return Stream.of(
                arguments("a TLS ClientHello", "\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00fc\u0003\u0003"),
                arguments("a header without a colon", withFraming(length + "nocolon\r\n")),
                arguments("length and chunks", withFraming(length + "Transfer-Encoding: chunked\r\n")),
                arguments("a chunk longer than its size", chunked("1\r\nxx\r\n0\r\n\r\n")));
    }
}
