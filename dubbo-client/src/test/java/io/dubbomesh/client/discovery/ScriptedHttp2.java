package io.dubbomesh.client.discovery;

import io.dubbomesh.testsupport.Hex;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import static io.dubbomesh.testsupport.Hex.text;
import static org.assertj.core.api.Assertions.assertThat;

/** A peer of HTTP/2 that answers each request of one connection by the next of the frames that it was given. */
final class ScriptedHttp2 {
    private static final String GRPC = "0f10 10" + text("application/grpc");
    /** {@code :status: 200}, of the static table, and the content type. */
    static final String STATUS_200 = "88" + GRPC;

    static final String STATUS_404 = "8d" + GRPC;

    private static final String SETTINGS = "000000 04 00 00000000";

    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final List<String> requests = new ArrayList<>();
    private final ServerSocket listener;
    private final Thread server;

    ScriptedHttp2() throws IOException {
        listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        server = new Thread(this::serve, "scripted-http2");
        server.start();
    }

    private void serve() {
        try (Socket socket = listener.accept()) {
            InputStream in = socket.getInputStream();
            String preface = Hex.of(in.readNBytes(24));
            assertThat(preface).isEqualTo(text("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));
            socket.getOutputStream().write(Hex.bytes(SETTINGS));
            String block = "";
            while (true) {
                byte[] header = in.readNBytes(9);
                if (header.length < 9) {
                    return;
                }
                String content =
                        Hex.of(in.readNBytes((header[0] & 255) << 16 | (header[1] & 255) << 8 | header[2] & 255));
                if (header[3] == 1) {
                    block = content;
                } else if (header[3] == 0) {
                    synchronized (requests) {
                        requests.add(block + '|' + content);
                    }
                    socket.getOutputStream().write(Hex.bytes(answers.take()));
                }
            }
        } catch (IOException | InterruptedException e) {
            // The connection has ended.
        }
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Returns the header block and the content of a request, in hex with a bar between them. */
    String request(int number) {
        synchronized (requests) {
            return requests.get(number);
        }
    }

    void add(String frames) {
        answers.add(frames);
    }

    void answer(int stream, String message) {
        String content = message.replace(" ", "");
        add(headers(stream, 4, STATUS_200)
                + String.format("%06x 00 00 %08x 00 %08x", 5 + content.length() / 2, stream, content.length() / 2)
                + content
                + trailers(stream, "0", ""));
    }

    void refuse(int stream, String status) {
        add(headers(stream, 4, STATUS_200) + trailers(stream, status, "no"));
    }

    static String trailers(int stream, String status, String message) {
        String block = field("grpc-status", status);
        return headers(stream, 5, message.isEmpty() ? block : block + field("grpc-message", message));
    }

    /** Returns a literal field with a new name and at most 16,383 bytes. */
    static String field(String name, String value) {
        String length = value.length() < 127
                ? String.format("%02x", value.length())
                : String.format("7f%02x%02x", value.length() - 127 & 127 | 128, value.length() - 127 >> 7);
        return "00" + String.format("%02x", name.length()) + text(name) + length + text(value);
    }

    static String headers(int stream, int flags, String block) {
        String bytes = block.replace(" ", "");
        return String.format("%06x 01 %02x %08x", bytes.length() / 2, flags, stream) + bytes;
    }

    void close() throws IOException, InterruptedException {
        listener.close();
        server.join();
    }
}
