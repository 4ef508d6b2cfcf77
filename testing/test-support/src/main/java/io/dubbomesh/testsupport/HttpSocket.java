package io.dubbomesh.testsupport;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

/** A client's connection: sends the bytes it is given and accepts only answers that follow RFC 9112 to the letter. */
public final class HttpSocket implements Closeable {
    private static final int TIMEOUT_MS = 40_000;
    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.1 (\\d{3}) ([ -~]*)");
    private static final Pattern HEADER = Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?([ -~]*)");

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    public HttpSocket(int port) throws IOException {
        this(port, 0);
    }

    /** With a receive buffer so small that a test soon fills it; 0 leaves it as it is. */
    public HttpSocket(int port, int receiveBuffer) throws IOException {
        socket = new Socket();
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MS);
        // Without a timeout: with one, a reset that follows at once is an exception of connect.
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        in = new BufferedInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    /** On an open connection, which is closed with this. */
    public HttpSocket(Socket connected) throws IOException {
        socket = connected;
        socket.setSoTimeout(TIMEOUT_MS);
        in = new BufferedInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    /** One request on a connection of its own. */
    public static HttpAnswer once(int port, String request) throws IOException {
        try (HttpSocket socket = new HttpSocket(port)) {
            return socket.call(request);
        }
    }

    /** A request with the length of its body, each char of which is a byte. */
    public static String request(String methodAndTarget, String body, String... headers) {
        StringBuilder request = new StringBuilder(methodAndTarget).append(" HTTP/1.1\r\nHost: localhost\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        return request.append("Content-Length: ")
                .append(body.length())
                .append("\r\n\r\n")
                .append(body)
                .toString();
    }

    /** Each char of {@code text} is a byte. */
    public HttpSocket send(String text) throws IOException {
        out.write(text.getBytes(ISO_8859_1));
        return this;
    }

    public HttpAnswer call(String request) throws IOException {
        return send(request).answer();
    }

    /** Half-closes: nothing more will be sent, answers are still expected. */
    public void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    public void closeByReset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /** The next answer to a request other than HEAD; an interim one (1xx) counts. */
    public HttpAnswer answer() throws IOException {
        return answerBody(answerHead());
    }

    /**
     * The next answer without its body: all there is where the request was a HEAD, otherwise to be followed by
     * {@link #answerBody}.
     */
    public HttpAnswer answerHead() throws IOException {
        String first = line();
        Matcher statusLine = STATUS_LINE.matcher(first);
        assertThat(statusLine.matches()).as(first).isTrue();
        int status = Integer.parseInt(statusLine.group(1));
        Map<String, String> headers = new TreeMap<>();
        String line;
        while (!(line = line()).isEmpty()) {
            Matcher header = HEADER.matcher(line);
            assertThat(header.matches()).as(line).isTrue();
            String name = header.group(1).toLowerCase(Locale.ROOT);
            assertThat(headers.put(name, header.group(2))).as(line).isNull();
        }
        if (status < 200) {
            assertThat(headers).as("the headers of an interim answer").isEmpty();
        } else {
            assertThat(headers).containsKey("date").doesNotContainKey("transfer-encoding");
            assertThat(headers.containsKey("content-length")).as("a length").isEqualTo(status != 204);
        }
        return new HttpAnswer(status, statusLine.group(2), headers, new byte[0]);
    }

    /** The whole answer with this head. */
    public HttpAnswer answerBody(HttpAnswer head) throws IOException {
        byte[] body = new byte[Integer.parseInt(head.headers().getOrDefault("content-length", "0"))];
        if (in.readNBytes(body, 0, body.length) < body.length) {
            throw new EOFException("within the body of an answer");
        }
        return new HttpAnswer(head.status(), head.reason(), head.headers(), body);
    }

    /** The next answer, of which not more than so many bytes are read at once, with a pause in between. */
    public HttpAnswer answerSlowly(int bytes, long pauseMs) throws IOException {
        HttpAnswer head = answerHead();
        byte[] body = new byte[Integer.parseInt(head.headers().getOrDefault("content-length", "0"))];
        for (int at = 0; at < body.length; ) {
            int read = in.readNBytes(body, at, Math.min(bytes, body.length - at));
            if (read == 0) {
                throw new EOFException("after " + at + " bytes of the body of an answer");
            }
            at += read;
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pauseMs));
        }
        return new HttpAnswer(head.status(), head.reason(), head.headers(), body);
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

    /** Asserts that nothing more comes and that the connection was closed, not reset. */
    public void assertEnd() throws IOException {
        assertThat(in.read()).as("a byte behind the last answer").isEqualTo(-1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
