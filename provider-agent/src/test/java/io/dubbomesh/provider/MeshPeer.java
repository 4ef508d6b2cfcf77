package io.dubbomesh.provider;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

import static io.dubbomesh.provider.Hex.text;
import static io.dubbomesh.provider.Hex.u16;
import static io.dubbomesh.provider.Hex.u32;
import static io.dubbomesh.provider.Hex.u64;

/** The consumer agent's end of the wire, byte by byte; every wait ends after ten seconds. */
final class MeshPeer implements Closeable {
    static final String HELLO = "d3e50101 00000000 0000000000000000 00000000 0000000c 0101 00000000 00000000 0000";
    static final String PING = "d3e50105 00000000 0000000000000000 00000000 00000000";
    static final String HASHER = "com.example.Hasher";
    static final String STRING = "Ljava/lang/String;";

    private final Socket socket = new Socket();
    private final DataInputStream in;

    /** A stranger: connected and nothing said. */
    MeshPeer(int port, int socketBuffers) throws IOException {
        if (socketBuffers > 0) {
            socket.setReceiveBufferSize(socketBuffers);
            socket.setSendBufferSize(socketBuffers);
        }
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(10_000);
        in = new DataInputStream(socket.getInputStream());
    }

    /** Connected, greeted both ways. */
    static MeshPeer greeted(int port) throws IOException {
        MeshPeer peer = new MeshPeer(port, 0);
        peer.greet();
        return peer;
    }

    Frame greet() throws IOException {
        send(HELLO);
        return read();
    }

    /** A frame that has come. */
    record Frame(int type, int status, int flags, long id, String body) {
        /** What stands behind the attachments, as text. */
        String document() {
            return new String(Hex.bytes(body.substring(4 + 2 * attachmentsLength())), StandardCharsets.UTF_8);
        }

        private int attachmentsLength() {
            return Integer.parseInt(body.substring(0, 4), 16);
        }
    }

    Frame read() throws IOException {
        byte[] head = in.readNBytes(8);
        if (head.length < 8) {
            throw new EOFException("the agent has closed");
        }
        if (!Hex.of(head).startsWith("d3e501") || head[6] != 0 || head[7] != 0) {
            throw new IOException("no header: " + Hex.of(head));
        }
        long id = in.readLong();
        if (in.readInt() != 0) {
            throw new IOException("a method id");
        }
        byte[] body = new byte[in.readInt()];
        in.readFully(body);
        return new Frame(head[3], head[4], head[5], id, Hex.of(body));
    }

    /** The reason of the GOAWAY that comes next. */
    String readFarewell() throws IOException {
        Frame frame = read();
        if (frame.type() != 7) {
            throw new IOException("no GOAWAY: " + frame);
        }
        return new String(Hex.bytes(frame.body()), StandardCharsets.UTF_8);
    }

    boolean isAtEnd() throws IOException {
        try {
            return in.read() < 0;
        } catch (java.net.SocketException reset) {
            return true;
        }
    }

    void send(String hex) throws IOException {
        socket.getOutputStream().write(Hex.bytes(hex));
    }

    /** Until an answer to a PING has come, everything sent before was read. */
    void settle() throws IOException {
        send(PING);
        Frame frame = read();
        if (frame.type() != 6) {
            throw new IOException("no PONG: " + frame);
        }
    }

    static String names(String service, String method, String descriptor, String version, String group) {
        StringBuilder hex = new StringBuilder();
        for (String name : new String[] {service, method, descriptor, version, group}) {
            hex.append(u16(name.length())).append(text(name));
        }
        return hex.toString();
    }

    static String define(int methodId, String names) {
        return "d3e50102 00000000 0000000000000000" + u32(methodId) + u32(names.length() / 2) + names;
    }

    /** Method id 1 is {@code int hash(String)}. */
    static String defineHash() {
        return define(1, names(HASHER, "hash", STRING, "", ""));
    }

    static String body(int timeLeftMs, String argument) {
        return u32(timeLeftMs) + "0000" + u32(argument.length()) + text(argument);
    }

    static String request(long id, int methodId, int flags, String body) {
        return "d3e50103 00" + String.format("%02x", flags) + "0000" + u64(id) + u32(methodId) + u32(body.length() / 2)
                + body;
    }

    /** Calls {@code hash} with five seconds left. */
    static String hash(long id, String argument) {
        return request(id, 1, 0x01, body(5000, argument));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
