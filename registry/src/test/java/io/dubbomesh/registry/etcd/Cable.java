package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.Eventually;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The network between a client and a server of this machine, which can be cut without either of them noticing, or be slow. */
final class Cable implements AutoCloseable {
    private final ServerSocket listener;
    private final int target;
    private final Duration delay;
    private final Collection<Socket> sockets = new ConcurrentLinkedQueue<>();
    private boolean cut;

    Cable(int target) throws IOException {
        this(target, Duration.ZERO);
    }

    /** One that keeps back all that the server says for {@code delay}. */
    Cable(int target, Duration delay) throws IOException {
        this.target = target;
        this.delay = delay;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        run("cable", this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    synchronized void cut() {
        cut = true;
    }

    synchronized void heal() {
        cut = false;
        notifyAll();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listener.accept();
            sockets.add(client);
            Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
            sockets.add(server);
            run("cable-up", () -> pump(client, server, Duration.ZERO));
            run("cable-down", () -> pump(server, client, delay));
        }
    }

    private void pump(Socket from, Socket to, Duration delay) throws IOException, InterruptedException {
        byte[] bytes = new byte[8192];
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
                Thread.sleep(delay.toMillis());
                awaitHealed();
                out.write(bytes, 0, length);
            }
        }
    }

    private synchronized void awaitHealed() throws InterruptedException {
        while (cut) {
            wait();
        }
    }

    private static void run(String name, Eventually.Assertion work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.check();
                    } catch (Exception e) {
                        // One of the two has hung up, which ends this direction.
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        heal();
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
