package io.dubbomesh.consumer;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/** A client of one connection that shows every byte. */
public final class HttpClient implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;

    /** Header names in lower case. */
    record Answer(int status, Map<String, String> headers, String body) {}

    HttpClient(int port) throws IOException {
        this(port, 0);
    }

    /** @param receiveBuffer bytes, 0 for the system's choice; a small one keeps what is not read on the other side */
    HttpClient(int port, int receiveBuffer) throws IOException {
        socket = new Socket();
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setSoTimeout(10_000);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** A form request for {@code a.B.m(String)}. */
    static String form(String parameter, String... headers) {
        String body = "interface=a.B&method=m&parameterTypesString=Ljava%2Flang%2FString%3B&parameter=" + parameter;
        StringBuilder request = new StringBuilder("POST / HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: " + body.length() + "\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        return request.append("\r\n").append(body).toString();
    }

    /** A request with a body of ISO 8859-1 characters, each of which is a byte. */
    public static String request(String line, String body, String... headers) {
        StringBuilder request = new StringBuilder(line + " HTTP/1.1\r\nHost: localhost\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        return request.append("Content-Length: " + body.length() + "\r\n\r\n")
                .append(body)
                .toString();
    }

    /** A call in JSON. */
    static String json(String target, String body, String... headers) {
        String[] all = Arrays.copyOf(headers, headers.length + 1);
        all[headers.length] = "Content-Type: application/json";
        return request("POST " + target, body, all);
    }

    void send(String request) throws IOException {
        socket.getOutputStream().write(request.getBytes(ISO_8859_1));
    }

    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    Answer receive() throws IOException {
        return receiveBody(receiveHead());
    }

    /** The rest of an answer whose head was received before. */
    Answer receiveBody(Answer head) throws IOException {
        int length = Integer.parseInt(head.headers().getOrDefault("content-length", "0"));
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("the connection ended within a body");
        }
        return new Answer(head.status(), head.headers(), new String(body, ISO_8859_1));
    }

    /** An answer without its body. */
    Answer receiveHead() throws IOException {
        String statusLine = line();
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 2));
        }
        return new Answer(Integer.parseInt(statusLine.substring(9, 12)), headers, "");
    }

    boolean isAtEnd() throws IOException {
        return in.read() < 0;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the connection ended behind \"" + line + '"');
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
