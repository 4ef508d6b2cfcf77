package io.dubbomesh.benchmark.client;

import io.dubbomesh.benchmark.ledger.Executions;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** A consumer agent and a provider in one, which do with each request what the test says. */
final class ScriptedAgent implements AutoCloseable {
    /** Called by the thread of the connection. */
    interface Script {
        void serve(Exchange exchange) throws IOException, InterruptedException;
    }

    /** @param index of the request, from 0, over all connections */
    record Exchange(int index, String head, String parameter, Socket socket, List<Integer> executed) {
        /** Executes a call of the service. */
        int execute() {
            synchronized (executed) {
                executed.add(parameter.hashCode());
            }
            return parameter.hashCode();
        }

        void answer(int status, String headers, Object body) throws IOException {
            String text = body.toString();
            OutputStream out = socket.getOutputStream();
            out.write(
                    ("HTTP/1.1 " + status + " X\r\n" + headers + "Content-Length: " + text.length() + "\r\n\r\n" + text)
                            .getBytes(US_ASCII));
        }

        void answer(Object body) throws IOException {
            answer(200, "", body);
        }
    }

    private final ServerSocket listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    private final List<Socket> sockets = new ArrayList<>();
    private final List<Integer> executed = new ArrayList<>();
    private final AtomicInteger requests = new AtomicInteger();
    private final Script script;
    private boolean closed;

    ScriptedAgent(Script script) throws IOException {
        this.script = script;
        new Thread(this::accept, "accept").start();
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    Executions executions() {
        synchronized (executed) {
            return Executions.of(executed.stream().mapToInt(Integer::intValue).toArray());
        }
    }

    /** Returns the number of connections that were made. */
    int connections() {
        synchronized (sockets) {
            return sockets.size();
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                socket.setTcpNoDelay(true);
                synchronized (sockets) {
                    sockets.add(socket);
                    // The kernel may let one more in while the listener is closed.
                    if (closed) {
                        socket.close();
                        return;
                    }
                }
                new Thread(() -> serve(socket), "connection").start();
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            // What is buffered behind a request whose answer closed the connection is not executed.
            for (String head = head(in); !head.isEmpty() && !socket.isClosed(); head = head(in)) {
                int length = Integer.parseInt(head.replaceFirst("(?s).*content-length: (\\d+).*", "$1"));
                String body = new String(in.readNBytes(length), US_ASCII);
                String parameter = body.startsWith("\"")
                        ? body.substring(1, body.length() - 1)
                        : body.substring(body.lastIndexOf('=') + 1);
                script.serve(new Exchange(requests.getAndIncrement(), head, parameter, socket, executed));
            }
        } catch (IOException | InterruptedException e) {
            // The connection ends.
        }
    }

    /** In small letters; empty at the end. */
    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                return "";
            }
            head.append((char) next);
        }
        return head.toString().toLowerCase(Locale.ROOT);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        synchronized (sockets) {
            closed = true;
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }
}
