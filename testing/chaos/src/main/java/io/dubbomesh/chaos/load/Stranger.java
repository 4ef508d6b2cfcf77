package io.dubbomesh.chaos.load;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/**
 * A client that reaches a port of the mesh without belonging to it: sends bytes, and reads until the other side has
 * closed.
 */
public final class Stranger {
    private static final int MAX_WAIT_MS = 10_000;
    private static final int SMALL_BUFFER = 16 * 1024;
    private static final int RECORD_HEADER = 5;
    /** The header of a record: handshake, TLS 1.0, as all ClientHellos have it, and the length. */
    private static final byte[] HANDSHAKE_OF_ONE_BYTE = {22, 3, 1, 0, 1};

    private Stranger() {}

    /**
     * Returns the seconds until the other side closes the connection after these bytes; infinity if it does not within
     * ten seconds.
     */
    public static double secondsUntilClosed(InetSocketAddress target, byte[] sent) throws IOException {
        long startNs = System.nanoTime();
        try (Socket socket = new Socket(target.getAddress(), target.getPort())) {
            return secondsUntilClosed(socket, sent, startNs);
        }
    }

    /** The longest time that any of so many connections, opened one after the other, is open after these bytes. */
    public static double secondsUntilAllAreClosed(InetSocketAddress target, byte[] sent, int count) throws IOException {
        List<Socket> sockets = new ArrayList<>();
        long[] openedNs = new long[count];
        double longest = 0;
        try {
            for (int i = 0; i < count; i++) {
                openedNs[i] = System.nanoTime();
                Socket socket = new Socket(target.getAddress(), target.getPort());
                sockets.add(socket);
                socket.getOutputStream().write(sent);
            }
            for (int i = 0; i < count; i++) {
                longest = Math.max(longest, secondsUntilClosed(sockets.get(i), new byte[0], openedNs[i]));
            }
            return longest;
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    /** The same with TLS, without a certificate, for any certificate of the other side. */
    public static double secondsUntilClosedWithTls(InetSocketAddress target, byte[] sent) throws IOException {
        long startNs = System.nanoTime();
        try (Socket plain = new Socket(target.getAddress(), target.getPort());
                SSLSocket socket = (SSLSocket) trusting()
                        .getSocketFactory()
                        .createSocket(plain, target.getHostString(), target.getPort(), true)) {
            return secondsUntilClosed(socket, sent, startNs);
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    /** Sends these bytes, and then others again and again, and never reads, until it is cut off or closed. */
    public static Closeable flood(InetSocketAddress target, byte[] first, byte[] others) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(SMALL_BUFFER);
        socket.setSendBufferSize(SMALL_BUFFER);
        socket.connect(target);
        Thread thread = new Thread(() -> flood(socket, first, others), "flood");
        thread.setDaemon(true);
        thread.start();
        return socket;
    }

    private static void flood(Socket socket, byte[] first, byte[] others) {
        try (socket) {
            socket.getOutputStream().write(first);
            while (true) {
                socket.getOutputStream().write(others);
            }
        } catch (IOException e) {
            // It is cut off, or closed.
        }
    }

    private static double secondsUntilClosed(Socket socket, byte[] sent, long startNs) {
        try {
            socket.setSoTimeout(MAX_WAIT_MS);
            socket.getOutputStream().write(sent);
            socket.getInputStream().readAllBytes();
        } catch (SocketTimeoutException e) {
            return Double.POSITIVE_INFINITY;
        } catch (IOException refused) {
            // Reset, or told so by TLS: it is closed.
        }
        return (System.nanoTime() - startNs) / 1e9;
    }

    /** The bytes with which a TLS client begins, each in a record of its own. */
    public static byte[] clientHelloInRecordsOfOneByte() throws GeneralSecurityException, IOException {
        SSLEngine engine = trusting().createSSLEngine();
        engine.setUseClientMode(true);
        ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), record);
        record.flip().position(RECORD_HEADER);
        ByteBuffer pieces = ByteBuffer.allocate(record.remaining() * (RECORD_HEADER + 1));
        while (record.hasRemaining()) {
            pieces.put(HANDSHAKE_OF_ONE_BYTE).put(record.get());
        }
        return pieces.array();
    }

    private static SSLContext trusting() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Trusting()}, null);
        return context;
    }

    private static final class Trusting implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
