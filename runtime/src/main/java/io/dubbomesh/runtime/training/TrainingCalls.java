package io.dubbomesh.runtime.training;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/** Requests over HTTP/1.1, each answered before the next one on its connection. */
final class TrainingCalls {
    static final int OK = 200;

    private static final int CONNECTIONS = 8;
    /**
     * The number of form calls on each connection: together enough for the JVM to count what the methods of a request
     * do.
     */
    private static final int FORMS = 2500;

    private static final int DOCUMENTS = 25;
    private static final int LONGEST_TEXT = 512;

    private static final int FIRST_SECONDS = 30;
    private static final int TIMEOUT_MS = 10_000;
    private static final int POLL_MS = 20;

    private static final String LENGTH = "content-length: ";

    private TrainingCalls() {}

    /** Makes calls by the consumer agent at this port, from the first that is answered well. */
    static void make(int port) throws IOException, InterruptedException {
        awaitFirst(port);
        ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
        try {
            List<Future<?>> connections = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                connections.add(threads.submit(() -> {
                    callOften(port);
                    return null;
                }));
            }
            for (Future<?> connection : connections) {
                connection.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("calls failed: " + e.getCause(), e);
        } finally {
            threads.shutdownNow();
        }
    }

    private static void awaitFirst(int port) throws IOException, InterruptedException {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(FIRST_SECONDS);
        int status = request(port, form(0));
        while (status != OK) {
            if (System.nanoTime() - endNs > 0) {
                throw new IOException("the first call is answered with status " + status);
            }
            Thread.sleep(POLL_MS);
            status = request(port, form(0));
        }
    }

    private static void callOften(int port) throws IOException {
        try (Socket socket = connect(port)) {
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            for (int i = 0; i < FORMS + DOCUMENTS; i++) {
                int status = exchange(socket.getOutputStream(), in, i < FORMS ? form(i) : document(i));
                if (status != OK) {
                    throw new IOException("call " + i + " is answered with status " + status);
                }
            }
        }
    }

    /** Returns the status of the answer to a GET on a connection of its own; 0 if there is none. */
    static int get(int port, String path) {
        return request(port, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    }

    private static int request(int port, String request) {
        try (Socket socket = connect(port)) {
            return exchange(socket.getOutputStream(), new DataInputStream(socket.getInputStream()), request);
        } catch (IOException e) {
            return 0;
        }
    }

    private static Socket connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(TIMEOUT_MS);
        socket.setTcpNoDelay(true);
        return socket;
    }

    private static String form(int number) {
        String body = "interface=" + TrainingProvider.SERVICE + "&method=" + TrainingProvider.METHOD
                + "&parameterTypesString=Ljava%2Flang%2FString%3B&parameter=" + "x".repeat(number % LONGEST_TEXT);
        return "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                + "Content-Length: " + body.length() + "\r\n\r\n" + body;
    }

    private static String document(int number) {
        String body = "[\"" + "x".repeat(number % LONGEST_TEXT) + "\"]";
        return "POST /" + TrainingProvider.SERVICE + '/' + TrainingProvider.METHOD
                + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "X-Dubbo-Parameter-Types: java.lang.String\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    /** Sends a request, reads its answer and returns the status. */
    private static int exchange(OutputStream out, DataInputStream in, String request) throws IOException {
        out.write(request.getBytes(ISO_8859_1));
        String status = line(in);
        int length = 0;
        for (String field = line(in); !field.isEmpty(); field = line(in)) {
            if (field.regionMatches(true, 0, LENGTH, 0, LENGTH.length())) {
                length = Integer.parseInt(field.substring(LENGTH.length()).strip());
            }
        }
        in.readFully(new byte[length]);
        String[] parts = status.split(" ");
        if (parts.length < 2) {
            throw new IOException("not a status line: " + status);
        }
        return Integer.parseInt(parts[1]);
    }

    private static String line(DataInputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection was closed");
            }
            if (next != '\r') {
                line.write(next);
            }
        }
        return line.toString(ISO_8859_1);
    }
}
