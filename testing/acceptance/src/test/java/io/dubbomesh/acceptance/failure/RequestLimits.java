package io.dubbomesh.acceptance.failure;

import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.Test;

import java.util.stream.IntStream;

/** The longest request line, head and body that are served. */
abstract class RequestLimits extends FailureTopic {
    @Test
    void aRequestLineAboveTheLimitIsRefused() throws Exception {
        String rest = HELLO.substring("POST /".length());
        int longest = MAX_LINE - "POST /? HTTP/1.1".length();
        HttpSocket.once(port, "POST /?" + "x".repeat(longest) + rest).assertHash("hello");
        assertAnsweredAndClosed("POST /?" + "x".repeat(longest + 1) + rest, 414, "TOO_LARGE");
        assertAnsweredAndClosed("GET /" + "x".repeat(MAX_LINE), 414, "TOO_LARGE");
    }

    @Test
    void aHeadAboveTheLimitIsRefused() throws Exception {
        String form = Form.hash("hello");
        assertAnsweredAndClosed(Form.post(form, "X-A: " + "x".repeat(MAX_HEAD)), 431, "TOO_LARGE");
        String[] headers = IntStream.range(0, 61).mapToObj(i -> "X-A: 1").toArray(String[]::new);
        HttpSocket.once(port, Form.post(form, headers)).assertHash("hello");
        headers = IntStream.range(0, 62).mapToObj(i -> "X-A: 1").toArray(String[]::new);
        assertAnsweredAndClosed(Form.post(form, headers), 431, "TOO_LARGE");
    }

    @Test
    void aBodyAboveTheLimitIsRefusedBeforeItIsRead() throws Exception {
        assertAnsweredAndClosed(withLength(MAX_BODY + 1), 413, "TOO_LARGE");
        assertAnsweredAndClosed(withLength(Long.MAX_VALUE), 413, "TOO_LARGE");
        assertAnsweredAndClosed(chunked(Integer.toHexString(MAX_BODY + 1) + "\r\n"), 413, "TOO_LARGE");
        String half = Integer.toHexString(MAX_BODY / 2) + "\r\n" + "x".repeat(MAX_BODY / 2) + "\r\n";
        assertAnsweredAndClosed(chunked(half + half + "1\r\n"), 413, "TOO_LARGE");
    }

    private static String withLength(long length) {
        return "POST / HTTP/1.1\r\n" + HOST + Form.CONTENT_TYPE + "\r\nContent-Length: " + length + "\r\n\r\n";
    }

    @Test
    void aBodyOfTheLargestSizeIsServed() throws Exception {
        String form = Form.hash("");
        String text = "x".repeat(MAX_BODY - form.length());
        HttpSocket.once(port, Form.post(Form.hash(text))).assertHash(text);
    }
}
