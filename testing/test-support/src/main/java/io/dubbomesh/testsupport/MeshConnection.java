package io.dubbomesh.testsupport;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;

/**
 * One end of a mesh link, byte by byte; every wait ends after ten seconds. {@link #connect} plays the consumer agent.
 */
public final class MeshConnection implements Closeable {
    static final int TIMEOUT_MS = 10_000;

    private final Socket socket;
    private final DataInputStream in;

    MeshConnection(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MS);
        in = new DataInputStream(socket.getInputStream());
    }

    /** Connected to a provider agent, nothing sent. */
    public static MeshConnection connect(int port) throws IOException {
        return connect(port, 0);
    }

    /** With socket buffers so small that a test soon fills them; 0 leaves them as they are. */
    public static MeshConnection connect(int port, int socketBuffers) throws IOException {
        Socket socket = new Socket();
        if (socketBuffers > 0) {
            socket.setReceiveBufferSize(socketBuffers);
            socket.setSendBufferSize(socketBuffers);
        }
        // Without a timeout: with one, a reset that follows at once is an exception of connect.
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return new MeshConnection(socket);
    }

    /** Sends a consumer agent's HELLO and returns the provider agent's. */
    public MeshFrame exchangeHellos() throws IOException {
        send(MeshFrame.hello(0, 0));
        return read(MeshFrame.HELLO);
    }

    /** Answers the challenge of the provider agent's HELLO with this token. */
    public void answerChallenge(String token) throws IOException {
        long agentId = 7;
        String challenge = read(MeshFrame.HELLO).credentials();
        send(MeshFrame.helloWith(MeshFrame.answer(challenge, token, agentId), agentId));
    }

    /** The same, and returns when the provider agent has accepted the answer and granted calls. */
    public void prove(String token) throws IOException {
        answerChallenge(token);
        read(MeshFrame.LIMIT);
    }

    public MeshFrame read() throws IOException {
        byte[] head = in.readNBytes(8);
        if (head.length < 8) {
            throw new EOFException("the peer has closed");
        }
        int time = Short.toUnsignedInt(ByteBuffer.wrap(head).getShort(6));
        if (!Hex.of(head).startsWith(MeshFrame.MAGIC_AND_VERSION) || time != 0 && head[3] != MeshFrame.RESPONSE) {
            throw new IOException("no header: " + Hex.of(head));
        }
        long requestId = in.readLong();
        int methodId = in.readInt();
        byte[] body = new byte[in.readInt()];
        in.readFully(body);
        return new MeshFrame(head[3], head[4], head[5], time, requestId, methodId, Hex.of(body));
    }

    private MeshFrame read(int type) throws IOException {
        MeshFrame frame = read();
        if (frame.type() != type) {
            throw new IOException("type " + type + " expected: " + frame);
        }
        return frame;
    }

    /** The reason of the GOAWAY that comes next. */
    public String readGoAway() throws IOException {
        return read(MeshFrame.GOAWAY).bodyText();
    }

    /** Returns when the peer has read everything sent before. */
    public void settle() throws IOException {
        send(MeshFrame.ping());
        read(MeshFrame.PONG);
    }

    /** Whether nothing more comes, because the peer has closed. */
    public boolean isAtEnd() throws IOException {
        try {
            return in.read() < 0;
        } catch (SocketException reset) {
            return true;
        }
    }

    public synchronized void send(String hex) throws IOException {
        socket.getOutputStream().write(Hex.bytes(hex));
    }

    void waitForever() throws IOException {
        socket.setSoTimeout(0);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
