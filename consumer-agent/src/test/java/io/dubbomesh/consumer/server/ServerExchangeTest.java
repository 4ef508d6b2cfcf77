package io.dubbomesh.consumer.server;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

class ServerExchangeTest {
    private final ConnectionFeed feed = new ConnectionFeed();

    @AfterEach
    void close() {
        feed.close();
    }

    @Test
    void aClientOfHttp10IsAnsweredWhetherTheConnectionStaysOpen() {
        assertThat(answer("GET /a/b HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"))
                .contains("\r\nConnection: keep-alive\r\n")
                .endsWith(" goes on");
        assertThat(answer("GET /a/b HTTP/1.0\r\n\r\n"))
                .contains("\r\nConnection: close\r\n")
                .endsWith(" ended");
        assertThat(answer("GET /a/b HTTP/1.1\r\nHost: a\r\n\r\n"))
                .doesNotContain("Connection:")
                .endsWith(" goes on");
    }

    @Test
    void aHeadRequestIsAnsweredWithoutTheDocument() {
        assertThat(answer("HEAD /a/b/c HTTP/1.1\r\nHost: a\r\n\r\n"))
                .startsWith("HTTP/1.1 404 ")
                .endsWith("\r\n\r\n goes on");
    }

    /** Returns the client's answer and the end of its connection. */
    private String answer(String request) {
        List<String> happened = feed.of(ConnectionFeed.Answers.AT_ONCE, request.getBytes(ISO_8859_1));
        return String.join(" ", happened.subList(happened.size() - 2, happened.size()));
    }
}
