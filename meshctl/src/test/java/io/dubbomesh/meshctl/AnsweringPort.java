package io.dubbomesh.meshctl;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/** A port that answers each connection's request with the same bytes, and closes it. */
final class AnsweringPort implements AutoCloseable {
    private static final int LONGEST_REQUEST = 8192;

    private final ServerSocket socket = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());

    /** @param answer a character for each byte */
    AnsweringPort(String answer) throws IOException {
        Thread thread = new Thread(() -> serve(answer.getBytes(ISO_8859_1)), "answering-port");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return socket.getLocalPort();
    }

    private void serve(byte[] answer) {
        while (true) {
            try (Socket connection = socket.accept()) {
                if (connection.getInputStream().read(new byte[LONGEST_REQUEST]) > 0) {
                    connection.getOutputStream().write(answer);
                }
            } catch (IOException e) {
                if (socket.isClosed()) {
                    return;
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
