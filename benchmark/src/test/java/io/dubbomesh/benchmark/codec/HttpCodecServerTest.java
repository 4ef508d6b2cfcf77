package io.dubbomesh.benchmark.codec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetAddress;
import java.net.Socket;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class HttpCodecServerTest {
    @Test
    void pipelinedFormsAreAnsweredInTheirOrderWithTheHashOfTheirParameter() throws Exception {
        assertThat(answersTo(form("interface=a&parameter=hello") + form("parameter=%C3%A9") + "nonsense\r\n\r\n"))
                .startsWith(answer("99162322") + answer("233") + "HTTP/1.1 400 Bad Request");
    }

    @Test
    void aFormWithoutAParameterIsRefused() throws Exception {
        assertThat(answersTo(form("interface=a") + "nonsense\r\n\r\n")).startsWith("HTTP/1.1 400 Bad Request");
    }

    private static String form(String body) {
        return "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body;
    }

    private static String answer(String body) {
        return "HTTP/1.1 200 OK\r\ncontent-type: text/plain;charset=UTF-8\r\ncontent-length: " + body.length()
                + "\r\n\r\n" + body;
    }

    private static String answersTo(String requests) throws Exception {
        try (HttpCodecServer server = HttpCodecServer.start(0);
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(requests.getBytes(US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), US_ASCII);
        }
    }
}
