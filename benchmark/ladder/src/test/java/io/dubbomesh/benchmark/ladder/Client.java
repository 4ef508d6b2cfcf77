package io.dubbomesh.benchmark.ladder;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A connection of the program that calls. */
final class Client implements AutoCloseable {
    private static final String NAMES =
            "interface=com.example.Greeter&method=hash" + "&parameterTypesString=Ljava%2Flang%2FString%3B&parameter=";

    private final Socket socket;
    private final InputStream in;

    record Response(int status, String body) {}

    Client(LadderAgent agent) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), agent.port());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(20_000);
        in = new BufferedInputStream(socket.getInputStream());
    }

    static String call(String argument) {
        return post(NAMES + URLEncoder.encode(argument, UTF_8));
    }

    static String post(String form) {
        return "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: "
                + form.length() + "\r\n\r\n" + form;
    }

    void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(UTF_8));
    }

    Response receive() throws IOException {
        int status = Integer.parseInt(line().split(" ")[1]);
        int length = -1;
        for (String line = line(); !line.isEmpty(); line = line()) {
            String[] field = line.split(": ?", 2);
            if (field[0].equalsIgnoreCase("content-length")) {
                length = Integer.parseInt(field[1]);
            }
        }
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new IOException("the body ended after " + body.length + " of " + length + " bytes");
        }
        return new Response(status, new String(body, UTF_8));
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the connection ended within a line: " + line);
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    int read() throws IOException {
        return in.read();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
