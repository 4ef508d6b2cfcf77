package io.dubbomesh.runtime.training;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Listens at a free port of loopback, with a thread for each connection. */
abstract class TrainingServer {
    private final ServerSocket listener;

    TrainingServer() throws IOException {
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    final int port() {
        return listener.getLocalPort();
    }

    /** Serves a connection until it ends, which is an exception. */
    abstract void serve(DataInputStream in, DataOutputStream out) throws IOException;

    /** Accepts connections until the process ends. */
    final void listen() {
        startThread(() -> {
            while (true) {
                accept();
            }
        });
    }

    private void accept() {
        try {
            Socket socket = listener.accept();
            socket.setTcpNoDelay(true);
            startThread(() -> serve(socket));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            serve(
                    new DataInputStream(new BufferedInputStream(socket.getInputStream())),
                    new DataOutputStream(socket.getOutputStream()));
        } catch (IOException e) {
            // The agent has closed it.
        }
    }

    private static void startThread(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    }
}
