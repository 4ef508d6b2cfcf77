package io.dubbomesh.registry.etcd.client;

import io.dubbomesh.runtime.HostPort;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A server that answers its one connection by frames of HTTP/2 that a script names, in hexadecimal digits. */
public final class ScriptedPeer implements AutoCloseable {
    public static final int DATA = 0;
    public static final int HEADERS = 1;
    public static final int RST_STREAM = 3;
    public static final int PING = 6;

    public static final int END_STREAM = 1;
    public static final int END_HEADERS = 4;

    public static final int FIRST = 1;

    public static final String SETTINGS = frame(4, 0, 0, "");
    /** {@code :status: 200}, of the static table, and {@code content-type: application/grpc}, the type by its index. */
    public static final String GRPC = "88" + "0f10" + "10" + hex("application/grpc");

    private static final HexFormat HEX = HexFormat.of();

    private final ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    private final Thread thread;

    /** What the server does; an {@link IOException} may mean that the client has closed its end. */
    public interface Script {
        void run(Connection connection) throws IOException, InterruptedException;
    }

    public ScriptedPeer(Script script) throws IOException {
        thread = new Thread(() -> serve(script), "scripted-peer");
        thread.setDaemon(true);
        thread.start();
    }

    private void serve(Script script) {
        try (Socket socket = listener.accept()) {
            script.run(new Connection(socket));
        } catch (IOException | InterruptedException e) {
            // The test sees it by what is missing.
            Thread.currentThread().interrupt();
        }
    }

    public HostPort address() {
        return new HostPort("127.0.0.1", listener.getLocalPort());
    }

    /** Returns when the script has ended. */
    public void awaitEnd() throws InterruptedException {
        thread.join(10_000);
    }

    public static String frame(int type, int flags, int stream, String payload) {
        return String.format("%06x%02x%02x%08x%s", payload.length() / 2, type, flags, stream, payload);
    }

    /** Returns a message of gRPC with its prefix. */
    public static String message(String message) {
        return String.format("00%08x%s", message.length() / 2, message);
    }

    public static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(UTF_8));
    }

    /** The connection, for the script. */
    public static final class Connection {
        private static final int PREFACE_LENGTH = 24;

        private final Socket socket;
        private final DataInputStream in;
        private final OutputStream out;
        private final List<String> frames = new ArrayList<>();

        Connection(Socket socket) throws IOException {
            this.socket = socket;
            in = new DataInputStream(socket.getInputStream());
            out = socket.getOutputStream();
        }

        public void send(String... frames) throws IOException {
            out.write(HEX.parseHex(String.join("", frames)));
        }

        public void awaitPreface() throws IOException {
            in.readFully(new byte[PREFACE_LENGTH]);
        }

        /** Reads until a frame of this type has come, behind the preface, and returns it. */
        public String awaitFrame(int type) throws IOException {
            while (true) {
                byte[] header = new byte[9];
                in.readFully(header);
                String head = HEX.formatHex(header);
                byte[] payload = new byte[Integer.parseInt(head.substring(0, 6), 16)];
                in.readFully(payload);
                frames.add(head + HEX.formatHex(payload));
                if (header[3] == type) {
                    return frames.get(frames.size() - 1);
                }
            }
        }

        /** Returns how many frames of this type have been read. */
        public long count(int type) {
            return frames.stream()
                    .filter(frame -> Integer.parseInt(frame.substring(6, 8), 16) == type)
                    .count();
        }

        /** Sends the end of the connection, and nothing more. */
        public void end() throws IOException {
            socket.shutdownOutput();
        }

        /** Reads until the client closes its end. */
        public void awaitClosed() throws IOException {
            in.readAllBytes();
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        thread.interrupt();
    }
}
