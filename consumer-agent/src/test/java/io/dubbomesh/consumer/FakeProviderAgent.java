package io.dubbomesh.consumer;

import io.dubbomesh.protocol.mesh.FrameType;
import io.dubbomesh.protocol.mesh.Hello;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The other end of a mesh link, played by a test: what comes is handed over, what goes is up to the test. */
final class FakeProviderAgent implements AutoCloseable {
    private final ServerSocket listener;
    private final int limit;
    private final int tableSize;
    private final BlockingQueue<Frame> frames = new LinkedBlockingQueue<>();
    private volatile Socket link;

    /** A DEFINE, REQUEST or GOAWAY that has come; {@code hex} is the body. */
    record Frame(int type, int flags, long requestId, int methodId, String hex) {}

    FakeProviderAgent(int limit, int tableSize) throws IOException {
        this.limit = limit;
        this.tableSize = tableSize;
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(this::acceptLinks, "fake-provider-agent");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return listener.getLocalPort();
    }

    private void acceptLinks() {
        while (!listener.isClosed()) {
            try {
                Socket accepted = listener.accept();
                link = accepted;
                read(new DataInputStream(accepted.getInputStream()));
            } catch (IOException e) {
                // The link or the listener was closed: the next round finds out which.
                continue;
            }
        }
    }

    private void read(DataInputStream in) throws IOException {
        ByteBuf hello = Unpooled.buffer();
        new Hello(MeshHeader.VERSION, limit, tableSize, "").write(hello);
        send(hello);
        while (true) {
            byte[] header = new byte[MeshHeader.LENGTH];
            in.readFully(header);
            ByteBuf head = Unpooled.wrappedBuffer(header);
            byte[] body = new byte[MeshHeader.bodyLength(head, 0)];
            in.readFully(body);
            int type = MeshHeader.type(head, 0);
            if (type == FrameType.PING) {
                send(frame(FrameType.PONG, 0, 0, 0, ""));
            } else if (type == FrameType.DEFINE || type == FrameType.REQUEST || type == FrameType.GOAWAY) {
                frames.add(new Frame(
                        type,
                        MeshHeader.flags(head, 0),
                        MeshHeader.requestId(head, 0),
                        MeshHeader.methodId(head, 0),
                        ByteBufUtil.hexDump(body)));
            }
        }
    }

    /** The next frame that comes, heartbeats apart. */
    Frame next() throws InterruptedException {
        Frame frame = frames.poll(10, TimeUnit.SECONDS);
        if (frame == null) {
            throw new AssertionError("no frame came within 10 s");
        }
        return frame;
    }

    /** The next REQUEST, whatever is DEFINEd before it. */
    Frame nextRequest() throws InterruptedException {
        Frame frame = next();
        while (frame.type() == FrameType.DEFINE) {
            frame = next();
        }
        return frame;
    }

    boolean hasNone() {
        return frames.isEmpty();
    }

    void answer(Frame request, int status, int flags, String text) throws IOException {
        answer(request, status, flags, "", text);
    }

    void answer(Frame request, int status, int flags, String attachmentsHex, String text) throws IOException {
        send(frame(
                FrameType.RESPONSE,
                status,
                flags,
                request.requestId(),
                String.format("%04x", attachmentsHex.length() / 2)
                        + attachmentsHex
                        + ByteBufUtil.hexDump(text.getBytes(UTF_8))));
    }

    /** Gives the request back, as a provider agent at its limit does. */
    void refuse(Frame request) throws IOException {
        send(frame(FrameType.RESPONSE, 1, 0, request.requestId(), "0000" + request.hex()));
    }

    void goAway(String reason) throws IOException {
        send(frame(FrameType.GOAWAY, 0, 0, 0, ByteBufUtil.hexDump(reason.getBytes(UTF_8))));
    }

    void closeLink() throws IOException {
        link.close();
    }

    private static ByteBuf frame(int type, int status, int flags, long requestId, String bodyHex) {
        ByteBuf out = Unpooled.buffer();
        MeshHeader.write(out, type, status, flags, requestId, 0);
        out.writeBytes(ByteBufUtil.decodeHexDump(bodyHex));
        MeshHeader.endFrame(out, 0);
        return out;
    }

    private synchronized void send(ByteBuf frame) throws IOException {
        link.getOutputStream().write(frame.array(), 0, frame.writerIndex());
    }

    @Override
    public void close() throws IOException {
        listener.close();
        if (link != null) {
            link.close();
        }
    }
}
