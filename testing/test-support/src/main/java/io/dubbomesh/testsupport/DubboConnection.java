package io.dubbomesh.testsupport;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;

import static io.dubbomesh.testsupport.Hex.u32;

/** The provider's end of a Dubbo connection, byte by byte; every wait ends after ten seconds. */
public final class DubboConnection implements Closeable {
    private final Socket socket;
    private final DataInputStream in;

    DubboConnection(Socket socket, int timeoutMs) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(timeoutMs);
        in = new DataInputStream(socket.getInputStream());
    }

    public DubboFrame read() throws IOException {
        byte[] header = in.readNBytes(4);
        if (header.length < 4) {
            throw new EOFException("the agent has closed");
        }
        long id = in.readLong();
        byte[] body = new byte[in.readInt()];
        in.readFully(body);
        return new DubboFrame(Hex.of(header), id, Hex.of(body));
    }

    /** Part of a frame, for a test that reads slowly. */
    public byte[] readBytes(int length) throws IOException {
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return bytes;
    }

    /** Text up to the end of a line, without it. */
    public String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        while (line.indexOf("\r\n") < 0) {
            line.append((char) in.readByte());
        }
        return line.substring(0, line.length() - 2);
    }

    /** Whether nothing more comes, because the agent has closed. */
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

    /** An answer in Hessian. */
    public void answer(long id, int status, String body) throws IOException {
        send(DubboFrame.answer(id, status, body));
    }

    /** An int with an attachment, as Dubbo 3 answers. */
    public void answerInt(long id, int value) throws IOException {
        answer(id, DubboFrame.OK, "94 49" + u32(value) + "48 05'dubbo' 05'3.2.0' 5a");
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
