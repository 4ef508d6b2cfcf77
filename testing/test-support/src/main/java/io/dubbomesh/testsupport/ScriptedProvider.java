package io.dubbomesh.testsupport;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A Dubbo provider that does what a test says, well or badly. The test either takes each connection itself, by
 * {@link #accept}, or leaves them to a script, by {@link #serve}.
 */
public final class ScriptedProvider implements Closeable {
    private static final int TIMEOUT_MS = 40_000;
    private static final int RECEIVE_BUFFER = 32 * 1024;

    private final int port;
    private final List<DubboConnection> connections = new CopyOnWriteArrayList<>();
    private final List<DubboFrame> calls = new CopyOnWriteArrayList<>();
    private final AtomicInteger accepted = new AtomicInteger();
    private ServerSocket listener;

    /** The handling of a call: called on the thread of its connection, which reads on when the script returns. */
    @FunctionalInterface
    public interface Script {
        /** @throws IOException closes the connection */
        void handle(DubboConnection connection, DubboFrame call) throws IOException;
    }

    public ScriptedProvider() throws IOException {
        this(0);
    }

    public ScriptedProvider(int port) throws IOException {
        this.port = listen(port);
    }

    public int port() {
        return port;
    }

    /** The next connection, for a test that reads and answers itself. */
    public DubboConnection accept() throws IOException {
        return accept(TIMEOUT_MS);
    }

    private DubboConnection accept(int timeoutMs) throws IOException {
        DubboConnection connection = new DubboConnection(listener.accept(), timeoutMs);
        connections.add(connection);
        accepted.incrementAndGet();
        return connection;
    }

    /** Answers heartbeats from now on, and hands each call to the script. */
    public ScriptedProvider serve(Script script) throws IOException {
        listener.setSoTimeout(0);
        Threads.start("scripted-provider", () -> {
            while (true) {
                DubboConnection connection = accept(0);
                Threads.start("scripted-provider-connection", () -> serve(connection, script));
            }
        });
        return this;
    }

    private void serve(DubboConnection connection, Script script) throws IOException {
        try (connection) {
            while (true) {
                DubboFrame frame = connection.read();
                if (frame.isEvent()) {
                    connection.send(DubboFrame.heartbeatAnswer(frame.id()));
                } else {
                    calls.add(frame);
                    script.handle(connection, frame);
                }
            }
        } finally {
            connections.remove(connection);
        }
    }

    /** The connections that were ever accepted. */
    public int accepted() {
        return accepted.get();
    }

    /** The calls that the script was given so far. */
    public List<DubboFrame> calls() {
        return calls;
    }

    /** Refuses connections from now on. */
    public void stopListening() throws IOException {
        listener.close();
    }

    /** Accepts connections again, on the same port. */
    public void listenAgain() throws IOException {
        listen(port);
    }

    private int listen(int wanted) throws IOException {
        listener = new ServerSocket();
        listener.setReuseAddress(true);
        // Its connections inherit it: so small that a test soon fills it.
        listener.setReceiveBufferSize(RECEIVE_BUFFER);
        listener.setSoTimeout(TIMEOUT_MS);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted));
        return listener.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (DubboConnection connection : connections) {
            connection.close();
        }
    }
}
