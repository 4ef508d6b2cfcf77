package io.dubbomesh.contest;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.UnaryOperator;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Reads one request after the other on each connection, keeps it, and answers as the test says; null closes the
 * connection.
 */
final class FakeAgent implements AutoCloseable {
    private static final String END_OF_HEAD = "\r\n\r\n";

    private final ServerSocket listener = new ServerSocket(0, 64, InetAddress.getByName("127.0.0.1"));
    private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
    private final UnaryOperator<String> answers;

    /** @param answers to a request's parameter */
    FakeAgent(UnaryOperator<String> answers) throws IOException {
        this.answers = answers;
        start(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + listener.getLocalPort();
    }

    String nextRequest() throws InterruptedException {
        return requests.take();
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                start(() -> serve(socket));
            }
        } catch (IOException e) {
            // Closed: the test has ended.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            String request;
            while ((request = read(socket.getInputStream())) != null) {
                requests.add(request);
                String answer = answers.apply(request.substring(request.lastIndexOf('=') + 1));
                if (answer == null) {
                    return;
                }
                String response = "HTTP/1.1 200 OK\r\ncontent-length: " + answer.length() + END_OF_HEAD + answer;
                socket.getOutputStream().write(response.getBytes(US_ASCII));
            }
        } catch (IOException e) {
            // The consumer closed the connection.
        }
    }

    /** Null at the end of the connection. */
    private static String read(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(US_ASCII).endsWith(END_OF_HEAD)) {
            int b = in.read();
            if (b < 0) {
                return null;
            }
            head.write(b);
        }
        String text = head.toString(US_ASCII);
        String length = text.toLowerCase(Locale.ROOT).replaceAll("(?s).*\r\ncontent-length: (\\d+)\r\n.*", "$1");
        return text + new String(in.readNBytes(Integer.parseInt(length)), US_ASCII);
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
