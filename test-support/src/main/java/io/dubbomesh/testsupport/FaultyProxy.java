package io.dubbomesh.testsupport;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The network between a client and a server of this machine: it can stall unnoticed, reset its connections, be slow, and slice what it carries. */
public final class FaultyProxy implements Closeable {
    private static final int BUFFER = 8192;

    private final ServerSocket listener;
    private final int targetPort;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile int sliceLength = BUFFER;
    private volatile long answerDelayNs;
    private boolean stalled;
    private boolean closed;

    public FaultyProxy(int targetPort) throws IOException {
        this.targetPort = targetPort;
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Threads.start("faulty-proxy", this::accept);
    }

    /** Where clients connect. */
    public int port() {
        return listener.getLocalPort();
    }

    /** From now on nothing comes through, and neither end notices. */
    public synchronized void stall() {
        stalled = true;
    }

    /** What was kept back while it was stalled comes through now. */
    public synchronized void resume() {
        stalled = false;
        notifyAll();
    }

    /** Resets all present connections at both ends; new ones are accepted. */
    public void cut() throws IOException {
        for (Socket socket : sockets) {
            try {
                socket.setSoLinger(true, 0);
            } catch (SocketException e) {
                // One of the ends has closed it just now.
            }
            socket.close();
        }
    }

    /** From now on each write has at most so many bytes. */
    public void slice(int bytes) {
        sliceLength = bytes;
    }

    /** From now on what the server sends waits so long. */
    public void delayAnswers(Duration delay) {
        answerDelayNs = delay.toNanos();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = open(listener.accept());
            Socket server = open(new Socket(InetAddress.getLoopbackAddress(), targetPort));
            Threads.start("faulty-proxy-requests", () -> pump(client, server, false));
            Threads.start("faulty-proxy-answers", () -> pump(server, client, true));
        }
    }

    private Socket open(Socket socket) throws IOException {
        sockets.add(socket);
        socket.setTcpNoDelay(true);
        return socket;
    }

    private void pump(Socket from, Socket to, boolean answers) throws IOException, InterruptedException {
        byte[] bytes = new byte[BUFFER];
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
                if (answers) {
                    TimeUnit.NANOSECONDS.sleep(answerDelayNs);
                }
                for (int at = 0; at < length; ) {
                    awaitResumed();
                    int slice = Math.min(sliceLength, length - at);
                    out.write(bytes, at, slice);
                    at += slice;
                }
            }
        } finally {
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private synchronized void awaitResumed() throws InterruptedException {
        while (stalled && !closed) {
            wait();
        }
    }

    @Override
    public void close() throws IOException {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
