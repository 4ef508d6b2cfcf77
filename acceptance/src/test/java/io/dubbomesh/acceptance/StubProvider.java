package io.dubbomesh.acceptance;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * What a Dubbo provider does to its callers on bad days, on order: the method's name says what becomes of the call.
 * <ul>
 *   <li>{@code hash}: the answer is 7, at once; {@code slow}: the same after {@link #SLOW_MS}
 *   <li>{@code silent}: there is no answer
 *   <li>{@code die}: the connection is closed; {@code garbage}: it is answered by what is no frame
 *   <li>{@code throwing}: the service throws an exception
 *   <li>{@code status31} and so on: the answer has this status and a text
 * </ul>
 */
final class StubProvider implements Closeable {
    static final long SLOW_MS = 1500;

    private static final int HEADER = 16;
    private static final int EVENT = 0x20;
    private static final int HESSIAN = 2;
    private static final int STATUS_OK = 20;
    private static final int STATUS_SERVICE_NOT_FOUND = 60;
    /** Type 1, a value: the int 7. */
    private static final byte[] SEVEN = {(byte) 0x91, (byte) 0x97};

    private final ServerSocket listener = new ServerSocket();
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
    private final AtomicInteger executed = new AtomicInteger();

    StubProvider() throws IOException {
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), Ports.free()));
        start("stub provider", this::accept);
    }

    private static void start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Requests that have come, whatever became of them. */
    int executed() {
        return executed.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = listener.accept();
                connections.add(connection);
                start("connection of the stub provider", () -> serve(connection));
            }
        } catch (IOException e) {
            // Closed: nobody is served any more.
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            DataInputStream in = new DataInputStream(connection.getInputStream());
            while (true) {
                ByteBuffer header = ByteBuffer.wrap(in.readNBytes(HEADER));
                if (header.remaining() < HEADER) {
                    return;
                }
                ByteBuffer body = ByteBuffer.wrap(in.readNBytes(header.getInt(12)));
                if ((header.get(2) & EVENT) != 0) {
                    answer(connection, header.getLong(4), EVENT, STATUS_OK, new byte[] {'N'});
                } else if (!execute(connection, header.getLong(4), body)) {
                    return;
                }
            }
        } catch (IOException e) {
            // The caller is gone, or this provider is closed.
        } finally {
            connections.remove(connection);
        }
    }

    /** Returns whether the connection goes on. */
    private boolean execute(Socket connection, long id, ByteBuffer body) throws IOException {
        executed.incrementAndGet();
        string(body); // protocol version
        string(body); // path
        string(body); // service version
        String method = string(body);
        switch (method) {
            case "hash" -> answer(connection, id, 0, STATUS_OK, SEVEN);
            case "slow" ->
                later.schedule(
                        () -> {
                            answer(connection, id, 0, STATUS_OK, SEVEN);
                            return null;
                        },
                        SLOW_MS,
                        TimeUnit.MILLISECONDS);
            case "silent" -> {}
            case "die" -> {
                return false;
            }
            case "garbage" -> connection.getOutputStream().write("no Dubbo frame is like this one".getBytes(UTF_8));
            // What the agent asks a provider before it announces it: nothing is known here.
            case "$echo" -> answer(connection, id, 0, STATUS_SERVICE_NOT_FOUND, string("the stub tells nothing"));
            case "throwing" -> answer(connection, id, 0, STATUS_OK, exception());
            default -> {
                int status = Integer.parseInt(method.substring("status".length()));
                answer(connection, id, 0, status, string("the stub says " + status));
            }
        }
        return true;
    }

    private static void answer(Socket connection, long id, int event, int status, byte[] body) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(HEADER + body.length)
                .putShort((short) 0xdabb)
                .put((byte) (event | HESSIAN))
                .put((byte) status)
                .putLong(id)
                .putInt(body.length)
                .put(body);
        synchronized (connection) {
            connection.getOutputStream().write(frame.array());
        }
    }

    /** Type 0, an exception: an IllegalStateException whose one field is its message. */
    private static byte[] exception() {
        HexFormat hex = HexFormat.of();
        return hex.parseHex("90" + "43" + hex.formatHex(string("java.lang.IllegalStateException")) + "91"
                + hex.formatHex(string("detailMessage")) + "60" + hex.formatHex(string("no\r\nway")));
    }

    /** Hessian's strings of less than 32 characters. */
    private static byte[] string(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return ByteBuffer.allocate(1 + bytes.length)
                .put((byte) bytes.length)
                .put(bytes)
                .array();
    }

    /** Hessian's strings of less than 1,024 characters, all of them ASCII. */
    private static String string(ByteBuffer in) throws IOException {
        int tag = in.get() & 0xff;
        int length;
        if (tag < 0x20) {
            length = tag;
        } else if (tag >= 0x30 && tag <= 0x33) {
            length = (tag - 0x30) << 8 | in.get() & 0xff;
        } else {
            throw new IOException("no short string: tag " + tag);
        }
        byte[] text = new byte[length];
        in.get(text);
        return new String(text, UTF_8);
    }

    @Override
    public void close() throws IOException {
        later.shutdownNow();
        listener.close();
        for (Socket connection : connections) {
            connection.close();
        }
    }
}
