package io.dubbomesh.provider;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

import static io.dubbomesh.provider.Hex.u32;
import static io.dubbomesh.provider.Hex.u64;

/** The provider's end of the wire, byte by byte; every wait ends after ten seconds. */
public final class StubProvider implements Closeable {
    private static final int PATIENCE_MS = 10_000;
    private static final int RECEIVE_BUFFER = 32 * 1024;

    private final int port;
    private ServerSocket listener;

    public StubProvider() throws IOException {
        port = listen(0);
    }

    public int port() {
        return port;
    }

    public Connection accept() throws IOException {
        Socket socket = listener.accept();
        socket.setSoTimeout(PATIENCE_MS);
        socket.setTcpNoDelay(true);
        return new Connection(socket);
    }

    /** Refuses connections from now on. */
    public void stopListening() throws IOException {
        listener.close();
    }

    public void listenAgain() throws IOException {
        listen(port);
    }

    private int listen(int wanted) throws IOException {
        listener = new ServerSocket();
        listener.setReuseAddress(true);
        // Of its connections: so small that a test soon fills it.
        listener.setReceiveBufferSize(RECEIVE_BUFFER);
        listener.setSoTimeout(PATIENCE_MS);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted));
        return listener.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    /** A frame that has come. */
    public record Frame(String header, long id, String body) {}

    public static final class Connection implements Closeable {
        private final Socket socket;
        private final DataInputStream in;

        Connection(Socket socket) throws IOException {
            this.socket = socket;
            in = new DataInputStream(socket.getInputStream());
        }

        public Frame read() throws IOException {
            byte[] head = in.readNBytes(4);
            if (head.length < 4) {
                throw new EOFException("the agent has closed");
            }
            long id = in.readLong();
            byte[] body = new byte[in.readInt()];
            in.readFully(body);
            return new Frame(Hex.of(head), id, Hex.of(body));
        }

        /** Text up to the end of a line, without it. */
        public String readLine() throws IOException {
            StringBuilder line = new StringBuilder();
            while (line.indexOf("\r\n") < 0) {
                line.append((char) in.readByte());
            }
            return line.substring(0, line.length() - 2);
        }

        /** Whether nothing more comes and the agent has closed. */
        public boolean isAtEnd() throws IOException {
            try {
                return in.read() < 0;
            } catch (java.net.SocketException reset) {
                return true;
            }
        }

        public void send(String hex) throws IOException {
            socket.getOutputStream().write(Hex.bytes(hex));
        }

        /** An answer with this status, in Hessian. */
        public void answer(long id, int status, String body) throws IOException {
            send(frame(0x02, status, id, body));
        }

        /** The integer of the 2018 benchmark's service, as Dubbo 3 answers. */
        public void answerInt(long id, int value) throws IOException {
            answer(id, 20, "94 49" + u32(value) + "48 05 6475 62626f 05 322e302e32 5a");
        }

        /** Closes by a reset, as the kernel does for a process that was killed with unread bytes. */
        public void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    public static String frame(int flags, int status, long id, String body) {
        String packed = body.replace(" ", "");
        return "dabb" + String.format("%02x%02x", flags, status) + u64(id) + u32(packed.length() / 2) + packed;
    }
}
