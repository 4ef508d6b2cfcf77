package io.dubbomesh.chaos.hostile;

import io.dubbomesh.testsupport.Hex;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/**
 * A provider of Triple that greets each connection as HTTP/2 demands, and answers the first call of it with an {@link
 * Attack}; the calls of a connection that is not attacked with 7.
 */
final class HostileHttp2Provider implements Closeable {
    private static final int PREFACE_LENGTH = 24;
    private static final int HEADERS = 1;
    private static final int SMALL_BUFFER = 16 * 1024;
    private static final int FLOOD_BYTES = 64 * 1024;

    private static final String GREETING = "000000 04 00 00000000";
    private static final String HEAD = "88 00 0c 'content-type' 16 'application/grpc+proto'";
    /** Hessian's 7 in the wrapper of a result. */
    private static final String SEVEN = "0a 08 'hessian2' 12 01 97";

    private static final String MESSAGE = "00 0000000d" + SEVEN;
    private static final String TRAILERS = "00 0b 'grpc-status' 01 '0'";

    private final ServerSocket listener = new ServerSocket();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicInteger attacked = new AtomicInteger();
    private volatile Attack attack;

    /**
     * What the first call of a connection is answered with.
     *
     * @param greeting  the first frames of the connection, which begin with SETTINGS
     * @param first     the frames behind it, by the id of the call's stream
     * @param others    sent again and again behind them, until the connection ends; null for silence
     */
    record Attack(String name, String greeting, IntFunction<String> first, IntFunction<String> others) {
        static Attack flood(String name, IntFunction<String> others) {
            return flood(name, stream -> "", others);
        }

        static Attack flood(String name, IntFunction<String> first, IntFunction<String> others) {
            return new Attack(name, GREETING, first, others);
        }

        static Attack once(String name, IntFunction<String> frames) {
            return new Attack(name, GREETING, frames, null);
        }

        /** Greets with these settings, and answers nothing. */
        static Attack silent(String name, String settings) {
            return new Attack(name, settings, stream -> "", null);
        }
    }

    HostileHttp2Provider() throws IOException {
        listener.setReceiveBufferSize(SMALL_BUFFER);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Attacks connections so from now on, and ends those that there are; null for none. */
    void attackWith(Attack next) throws IOException {
        attack = next;
        attacked.set(0);
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    /** Returns the number of connections that were attacked since {@link #attackWith}. */
    int attacked() {
        return attacked.get();
    }

    private static void start(Runnable action) {
        Thread thread = new Thread(action, "hostile");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                socket.setSendBufferSize(SMALL_BUFFER);
                sockets.add(socket);
                start(() -> serve(socket));
            }
        } catch (IOException e) {
            // It is closed.
        }
    }

    private void serve(Socket socket) {
        try (socket;
                DataInputStream in = new DataInputStream(socket.getInputStream())) {
            Attack with = attack;
            OutputStream out = socket.getOutputStream();
            out.write(Hex.bytes(with == null ? GREETING : with.greeting));
            in.skipNBytes(PREFACE_LENGTH);
            while (true) {
                int typeAndLength = in.readInt();
                in.readByte();
                int stream = in.readInt();
                in.skipNBytes(typeAndLength >>> 8);
                if ((typeAndLength & 0xff) == HEADERS) {
                    if (with != null) {
                        attacked.incrementAndGet();
                        attack(in, out, with, stream);
                        return;
                    }
                    out.write(
                            Hex.bytes(headers(stream, 4, HEAD) + data(stream, MESSAGE) + headers(stream, 5, TRAILERS)));
                }
            }
        } catch (IOException e) {
            // It is closed, by either side.
        } finally {
            sockets.remove(socket);
        }
    }

    private static void attack(DataInputStream in, OutputStream out, Attack with, int stream) throws IOException {
        out.write(Hex.bytes(with.first.apply(stream)));
        if (with.others == null) {
            in.transferTo(OutputStream.nullOutputStream());
            return;
        }
        byte[] frames = Hex.bytes(with.others.apply(stream));
        byte[] flood = new byte[Math.max(1, FLOOD_BYTES / frames.length) * frames.length];
        for (int at = 0; at < flood.length; at += frames.length) {
            System.arraycopy(frames, 0, flood, at, frames.length);
        }
        while (true) {
            out.write(flood);
        }
    }

    static String headers(int stream, int flags, String block) {
        return frame(HEADERS, flags, stream, block);
    }

    static String data(int stream, String content) {
        return frame(0, 0, stream, content);
    }

    static String frame(int type, int flags, int stream, String payload) {
        byte[] bytes = Hex.bytes(payload);
        return Hex.u32(bytes.length).substring(2) + Hex.u8(type) + Hex.u8(flags) + Hex.u32(stream) + Hex.of(bytes);
    }

    /** The beginning of an answer whose message is of this length. */
    static String begun(int stream, int messageLength) {
        return headers(stream, 4, HEAD) + data(stream, "00" + Hex.u32(messageLength));
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
