package io.dubbomesh.consumer.http;

import io.dubbomesh.consumer.call.RequestFeed;
import org.junit.jupiter.api.Timeout;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Requests, and what the parser makes of them. */
@Timeout(120)
abstract class ParserFixture {
    static final String FORM_CALL = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n"
            + "Content-Type: application/x-www-form-urlencoded\r\n\r\na=b";
    static final String CHUNKED_HEAD = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    static final String FORM_RESULT = "POST / (root) 1.1 keep-alive FORM <a=b>";

    /** With the given header lines, each with its CRLF, and no body. */
    static String post(String fields) {
        return "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n" + fields + "\r\n";
    }

    static String get(String requestLine) {
        return requestLine + "\r\nHost: a\r\n\r\n";
    }

    static void assertFails(String text, String outcome) {
        List<String> results = RequestFeed.of(text);
        assertThat(results).as(text).hasSize(1);
        assertThat(results.get(0)).as(text).startsWith(outcome + ": ");
        assertThat(RequestFeed.of(text, RequestFeed.everyByte(text.length()))).isEqualTo(results);
    }
}
