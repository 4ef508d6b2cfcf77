package io.dubbomesh.acceptance;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

/** A client's connection: sends the bytes it is given and takes nothing but answers as RFC 9112 has them. */
final class HttpSocket implements Closeable {
    private static final int PATIENCE_MS = 40_000;
    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.1 (\\d{3}) ([ -~]*)");
    private static final Pattern HEADER = Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?([ -~]*)");

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    HttpSocket(int port) throws IOException {
        socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MS);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MS);
        in = new BufferedInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    /** One request on a connection of its own. */
    static HttpAnswer once(int port, String request) throws IOException {
        try (HttpSocket socket = new HttpSocket(port)) {
            return socket.call(request);
        }
    }

    /** Each char of {@code text} is a byte. */
    HttpSocket send(String text) throws IOException {
        out.write(text.getBytes(ISO_8859_1));
        return this;
    }

    HttpAnswer call(String request) throws IOException {
        return send(request).answer();
    }

    /** Half-closes: no more will be sent, answers are still expected. */
    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    /** Makes the close a reset. */
    void closeByReset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /** The next answer to a request that is no HEAD; an interim one (1xx) counts. */
    HttpAnswer answer() throws IOException {
        return answer(true);
    }

    HttpAnswer answerToHead() throws IOException {
        return answer(false);
    }

    private HttpAnswer answer(boolean hasBody) throws IOException {
        Matcher statusLine = STATUS_LINE.matcher(line());
        assertThat(statusLine.matches()).as(statusLine.toString()).isTrue();
        int status = Integer.parseInt(statusLine.group(1));
        Map<String, String> headers = new LinkedHashMap<>();
        String line;
        while (!(line = line()).isEmpty()) {
            Matcher header = HEADER.matcher(line);
            assertThat(header.matches()).as(line).isTrue();
            String name = header.group(1).toLowerCase(Locale.ROOT);
            assertThat(headers.put(name, header.group(2))).as(line).isNull();
        }
        if (status < 200) {
            assertThat(headers).as("the headers of an interim answer").isEmpty();
            return new HttpAnswer(status, statusLine.group(2), headers, new byte[0]);
        }
        assertThat(headers).containsKeys("content-length", "date").doesNotContainKey("transfer-encoding");
        byte[] body = new byte[hasBody ? Integer.parseInt(headers.get("content-length")) : 0];
        if (in.readNBytes(body, 0, body.length) < body.length) {
            throw new EOFException("within the body of an answer");
        }
        return new HttpAnswer(status, statusLine.group(2), headers, body);
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        while (true) {
            int b = in.read();
            if (b < 0) {
                throw new EOFException(line.isEmpty() ? "instead of an answer" : "after: " + line);
            }
            if (b == '\r') {
                assertThat(in.read()).as("what follows CR after: " + line).isEqualTo('\n');
                return line.toString();
            }
            assertThat(b).as("a line's byte after: " + line).isNotEqualTo('\n');
            line.append((char) b);
        }
    }

    /** Asserts that nothing more comes and that the connection ends in peace. */
    void assertEnd() throws IOException {
        assertThat(in.read()).as("a byte behind the last answer").isEqualTo(-1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
