package io.dubbomesh.consumer.http;

import io.dubbomesh.consumer.call.RequestFeed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class HeaderFieldsTest extends ParserFixture {
    @ParameterizedTest
    @ValueSource(
            ints = {
                '\000', '\001', '\b', '\t', '\n', '\013', '\f', '\r', '\016', '\037', ' ', '\177', 0x80, 0xff, '(', '@'
            })
    void aCharacterThatIsNotATokenFailsInAFieldName(int character) {
        for (String name : List.of((char) character + "abc", "ab" + (char) character + "c", "abc" + (char) character)) {
            assertFails(post(name + ": d\r\n"), "BAD_REQUEST");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {'\000', '\001', '\b', '\n', '\013', '\f', '\r', '\016', '\037', '\177'})
    void aControlCharacterFailsInAFieldValue(int character) {
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
    void fieldLinesThatTwoParsersCouldReadDifferentlyFail(String line) {
        assertFails(post(line + "\r\n"), "BAD_REQUEST");
    }

    @Test
    void aValueMayHaveBlanksAroundItAndCharactersBeyondAscii() {
        assertThat(RequestFeed.of(post("X:\u00e4\t\u00ff\r\nConnection:\t close \t\r\nEmpty:\r\nBlank: \r\n")))
                .containsExactly("POST / (root) 1.1 close NONE <>");
    }

    @Test
    void aHostIsRequiredInHttp11Only() {
        assertFails("GET / HTTP/1.1\r\nHosts: a\r\n\r\n", "BAD_REQUEST");
        assertThat(RequestFeed.of("GET / HTTP/1.0\r\n\r\n")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "A.b-c_d~:80", "127.0.0.1:20000", "[::1]", "[::ffff:192.0.2.1]:1", "a:", "xn--%C3"})
    void everyFormOfAHostIsAccepted(String host) {
        assertThat(RequestFeed.of("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n"))
                .containsExactly("GET / (root) 1.1 keep-alive NONE <>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "::",
                "1::",
                "::1",
                "1:2:3:4:5:6:7::",
                "::2:3:4:5:6:7:8",
                "1:2:3::5:6:7:8",
                "2001:DB8:0:0:8:800:200C:417A",
                "::192.0.2.1",
                "64:ff9b::192.0.2.33",
                "::ffff:0:192.0.2.1",
                "1::6:192.0.2.1",
                "1:2:3:4:5:6:192.0.2.1"
            })
    void everyFormOfAnIpV6AddressIsAccepted(String address) {
        assertThat(RequestFeed.of("GET / HTTP/1.1\r\nHost: [" + address + "]\r\n\r\n"))
                .containsExactly("GET / (root) 1.1 keep-alive NONE <>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ":",
                ":1",
                "1:",
                "1::2:",
                ":1::2",
                "1:::2",
                "12345::",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1::3:4:5:6:7:8:9",
                "1:2:3:4::5:6:7:8",
                "1:2:3:4:5:6:7:192.0.2.1",
                "1:2:3:4:5::7:192.0.2.1",
                "192.0.2.1",
                "192.0.2.1::",
                "::192.0.2.1:1",
                "::192.0.2",
                "::192.0.2.1.1",
                "::192.0.2.",
                "::.0.2.1",
                "::192..2.1",
                "::192.0.2.256",
                "::192.0.2.01",
                "::192.0.2.1000",
                "::192.0.2.a"
            })
    void aMalformedIpV6AddressFails(String address) {
        assertFails("GET / HTTP/1.1\r\nHost: [" + address + "]\r\n\r\n", "BAD_REQUEST");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "a,b@c",
                "a/b",
                "a?b",
                "a#b",
                ":80",
                "a:b",
                "a:80:80",
                "[::1",
                "[]",
                "[::1]a",
                "[x]",
                "a\u00e4",
                "%",
                "a%4",
                "a%zz",
                "%%41",
                "[1]",
                "[1::2::3]",
                "[:::]",
                "[fe80::1%25lo]",
                "[v1.a]"
            })
    void aMalformedHostFails(String host) {
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
    void aConnectionEndsWhenTheClientAsksForIt(String value, String expected) {
        assertThat(RequestFeed.of(post("Connection: " + value + "\r\n")).get(0)).contains(" 1.1 " + expected + " ");
    }

    @Test
    void aConnectionOfHttp10StaysOpenOnlyOnRequest() {
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
                "application/problem+json > JSON",
                "Application/vnd.example.v1+JSON; charset=utf-8 > JSON",
                "application/+json > OTHER",
                "application/a b+json > OTHER",
                "application/json+xml > OTHER",
                "text/a+json > OTHER",
                "multipart/form-data; boundary=x > OTHER",
                "; charset=utf-8 > OTHER",
                "'' > OTHER",
            })
    void theContentTypeIsClassified(String value, String expected) {
        assertThat(RequestFeed.of(post("Content-Type: " + value + "\r\n")))
                .containsExactly("POST / (root) 1.1 keep-alive " + expected + " <>");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "identity", ""})
    void anyContentEncodingIsMarked(String value) {
        assertThat(RequestFeed.of(post("content-ENCODING: " + value + "\r\n")).get(0))
                .contains("encoded");
    }

    @ParameterizedTest
    @CsvSource({"1,1", "250,250", "007,7", "2147483647,2147483647", "99999999999999999999,2147483647"})
    void theTimeoutIsRead(String value, int expected) {
        assertThat(RequestFeed.of(post("x-request-timeout: " + value + "\r\n")).get(0))
                .contains(" timeout " + expected + " ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "000", "-1", "+1", "1.5", "1s", "1 2", "0x1", "1\r\nX-Request-Timeout: 1"})
    void aMalformedTimeoutIsMarked(String value) {
        assertThat(RequestFeed.of(post("X-Request-Timeout: " + value + "\r\n")).get(0))
                .contains(" timeout -1 ");
    }

    @Test
    void theFieldsThatNameAJsonCallAreKept() {
        assertThat(RequestFeed.of(
                        post("X-Dubbo-Parameter-Types: int,long\r\nx-dubbo-version: 1.0\r\nX-DUBBO-GROUP:\r\n")
                                + post("")))
                .containsExactly(
                        "POST / (root) 1.1 keep-alive NONE types int,long version 1.0 group  <>",
                        "POST / (root) 1.1 keep-alive NONE <>");
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Dubbo-Parameter-Types", "X-Dubbo-Version", "X-Dubbo-Group"})
    void aFieldThatMayComeOnceIsRejectedTheSecondTime(String name) {
        assertThat(RequestFeed.of(post(name + ": a\r\n" + name + ": a\r\n") + FORM_CALL))
                .hasSize(2)
                .element(0)
                .asString()
                .contains("rejected BAD_REQUEST: " + name + " is given twice");
    }

    @Test
    void aRepeatedContentTypeIsMarked() {
        assertThat(RequestFeed.of(post("Content-Type: a\r\nContent-Type: a\r\n") + FORM_CALL))
                .containsExactly("POST / (root) 1.1 keep-alive REPEATED <>", FORM_RESULT);
    }

    @Test
    void aHeadAboveTheLimitFails() {
        String host = "Host: a\r\n";
        String start = "GET / HTTP/1.1\r\n" + host + "X: ";
        int rest = 8192 - host.length() - "X: \r\n\r\n".length();
        assertThat(RequestFeed.of(start + "a".repeat(rest) + "\r\n\r\n")).hasSize(1);
        assertFails(start + "a".repeat(rest + 1) + "\r\n\r\n", "HEAD_TOO_LARGE");
        assertFails(start + "a".repeat(rest + 3), "HEAD_TOO_LARGE");
    }

    @Test
    void moreThan64FieldsFail() {
        assertThat(RequestFeed.of("GET / HTTP/1.1\r\nHost: a\r\n" + "a:\r\n".repeat(63) + "\r\n"))
                .hasSize(1);
        assertFails("GET / HTTP/1.1\r\nHost: a\r\n" + "a:\r\n".repeat(64) + "\r\n", "HEAD_TOO_LARGE");
    }
}
