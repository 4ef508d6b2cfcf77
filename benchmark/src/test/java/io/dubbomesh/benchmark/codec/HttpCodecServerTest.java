package io.dubbomesh.benchmark.codec;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(30)
class HttpCodecServerTest {
    private HttpCodecServer server;
    private Socket socket;

    @BeforeEach
    void connect() throws IOException {
        server = HttpCodecServer.start(0, 1);
        socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(10_000);
    }

    @AfterEach
    void close() throws IOException {
        socket.close();
        server.close();
    }

    @Test
    void answersAFormWithTheHashOfItsParameter() throws Exception {
        send(form("interface=a&method=hash&parameter=hello"));
        assertThat(receive(answer("99162322").length())).isEqualTo(answer("99162322"));
    }

    @Test
    void decodesThePercentEncodingOfTheParameter() throws Exception {
        send(form("parameter=%C3%A9"));
        assertThat(receive(answer("233").length())).isEqualTo(answer("233"));
    }

    @Test
    void answersPipelinedRequestsInTheirOrder() throws Exception {
        StringBuilder requests = new StringBuilder();
        StringBuilder answers = new StringBuilder();
        for (int i = 0; i < 16; i++) {
            requests.append(form("parameter=" + i));
            answers.append(answer(Integer.toString(Integer.toString(i).hashCode())));
        }
        send(requests.toString());
        assertThat(receive(answers.length())).isEqualTo(answers.toString());
    }

    @Test
    void refusesAFormWithoutAParameter() throws Exception {
        send(form("interface=a"));
        assertThat(receive(24)).isEqualTo("HTTP/1.1 400 Bad Request");
    }

    @Test
    void refusesWhatIsNoHttpAndCloses() throws Exception {
        send("nonsense\r\n\r\n");
        assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII)).startsWith("HTTP/1.1 400 Bad Request");
    }

    @Test
    void saysWhichPortItCannotHave() {
        assertThatThrownBy(() -> HttpCodecServer.start(server.port(), 1))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("port " + server.port() + ": ");
    }

    private static String form(String body) {
        return "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body;
    }

    private static String answer(String body) {
        return "HTTP/1.1 200 OK\r\ncontent-type: text/plain;charset=UTF-8\r\ncontent-length: " + body.length()
                + "\r\n\r\n" + body;
    }

    private void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(US_ASCII));
    }

    private String receive(int length) throws IOException {
        InputStream in = socket.getInputStream();
        return new String(in.readNBytes(length), US_ASCII);
    }
}
