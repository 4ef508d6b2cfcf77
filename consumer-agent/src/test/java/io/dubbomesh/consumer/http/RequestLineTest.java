package io.dubbomesh.consumer.http;

import io.dubbomesh.consumer.call.RequestFeed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class RequestLineTest extends ParserFixture {
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
                "BREW /-._~!$&'()*+,;=:@/?-._~!$&'()*+,;=:@/? HTTP/1.1 > "
                        + "BREW /-._~!$&'()*+,;=:@/?-._~!$&'()*+,;=:@/? 1.1 keep-alive",
                "GET /%41%2f%25%e4?%20 HTTP/1.1 > GET /%41%2f%25%e4?%20 1.1 keep-alive",
                "GET /a/...?/../. HTTP/1.1 > GET /a/...?/../. 1.1 keep-alive",
                "GET /.a/..b/a./%2ea HTTP/1.1 > GET /.a/..b/a./%2ea 1.1 keep-alive",
                "OPTIONS * HTTP/1.1 > OPTIONS * 1.1 keep-alive",
                "CONNECT a:443 HTTP/1.1 > CONNECT a:443 1.1 close",
                "CONNECT [::1]:65535 HTTP/1.1 > CONNECT [::1]:65535 1.1 close",
                "GET http://a%41b/.a HTTP/1.1 > GET /.a 1.1 keep-alive",
                "GET http://a.b:80/c?d HTTP/1.1 > GET /c?d 1.1 keep-alive",
                "GET HTTPS://a HTTP/1.1 > GET / (root) 1.1 keep-alive",
                "GET http://a?q HTTP/1.1 > GET /?q (root) 1.1 keep-alive",
                "GET http://[::1]/ HTTP/1.1 > GET / (root) 1.1 keep-alive",
            })
    void theRequestLineIsRead(String line, String expected) {
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
                "GET /a|b HTTP/1.1>BAD_REQUEST",
                "GET /a?a|b HTTP/1.1>BAD_REQUEST",
                "GET /{ HTTP/1.1>BAD_REQUEST",
                "GET /} HTTP/1.1>BAD_REQUEST",
                "GET /^ HTTP/1.1>BAD_REQUEST",
                "GET /` HTTP/1.1>BAD_REQUEST",
                "GET /\\ HTTP/1.1>BAD_REQUEST",
                "GET /< HTTP/1.1>BAD_REQUEST",
                "GET /\" HTTP/1.1>BAD_REQUEST",
                "GET /[ HTTP/1.1>BAD_REQUEST",
                "GET /?a[]=b HTTP/1.1>BAD_REQUEST",
                "GET http://[::1]/] HTTP/1.1>BAD_REQUEST",
                "GET /% HTTP/1.1>BAD_REQUEST",
                "GET /%4 HTTP/1.1>BAD_REQUEST",
                "GET /%zz HTTP/1.1>BAD_REQUEST",
                "GET /?%4g HTTP/1.1>BAD_REQUEST",
                "GET /%00 HTTP/1.1>BAD_REQUEST",
                "GET /%0d%0aa HTTP/1.1>BAD_REQUEST",
                "GET /a%7F HTTP/1.1>BAD_REQUEST",
                "GET /?a=%1f HTTP/1.1>BAD_REQUEST",
                "GET /. HTTP/1.1>BAD_REQUEST",
                "GET /.. HTTP/1.1>BAD_REQUEST",
                "GET /../a HTTP/1.1>BAD_REQUEST",
                "GET /a/./b HTTP/1.1>BAD_REQUEST",
                "GET /a/..?b HTTP/1.1>BAD_REQUEST",
                "GET /%2e HTTP/1.1>BAD_REQUEST",
                "GET /a/%2E%2e/b HTTP/1.1>BAD_REQUEST",
                "GET /.%2e HTTP/1.1>BAD_REQUEST",
                "GET http://a/../b HTTP/1.1>BAD_REQUEST",
                "GET http://a%zz/ HTTP/1.1>BAD_REQUEST",
                "GET http://[1]/ HTTP/1.1>BAD_REQUEST",
                "CONNECT a HTTP/1.1>BAD_REQUEST",
                "CONNECT a: HTTP/1.1>BAD_REQUEST",
                "CONNECT a:0 HTTP/1.1>BAD_REQUEST",
                "CONNECT a:65536 HTTP/1.1>BAD_REQUEST",
                "CONNECT [::1] HTTP/1.1>BAD_REQUEST",
                "CONNECT /a:1 HTTP/1.1>BAD_REQUEST",
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
    void anyOtherRequestLineFails(String line, String outcome) {
        assertFails(get(line), outcome);
    }

    @Test
    void anAngleInATargetFails() {
        assertFails(get("GET /a>b HTTP/1.1"), "BAD_REQUEST");
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
    void bytesThatAreNotHttpFailAtOnce(String start) {
        assertFails(start, "BAD_REQUEST");
    }

    @Test
    void aRequestLineAboveTheLimitFails() {
        String line = "GET /" + "a".repeat(4096 - "GET / HTTP/1.1".length()) + " HTTP/1.1";
        assertThat(RequestFeed.of(get(line))).hasSize(1);
        assertFails(get("GET /a" + line.substring(5)), "TARGET_TOO_LONG");
        assertFails("GET /" + "a".repeat(4092), "TARGET_TOO_LONG");
    }
}
