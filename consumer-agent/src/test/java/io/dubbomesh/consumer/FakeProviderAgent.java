package io.dubbomesh.consumer;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.FrameType;
import io.dubbomesh.protocol.mesh.FrameWriter;
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
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The other end of a mesh link, played by a test: what comes is handed over, what goes is up to the test. */
final class FakeProviderAgent implements AutoCloseable {
    private final ServerSocket listener;
    private final int limit;
    private final int tableSize;
    private final BlockingQueue<Frame> frames = new LinkedBlockingQueue<>();
    private final List<Socket> links = new CopyOnWriteArrayList<>();

    /** A DEFINE, REQUEST or GOAWAY that has come on {@code link}; {@code hex} is the body. */
    record Frame(Socket link, int type, int flags, long requestId, int methodId, String hex) {}

    FakeProviderAgent(int limit, int tableSize) throws IOException {
        this.limit = limit;
        this.tableSize = tableSize;
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::acceptLinks);
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "fake-provider-agent");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return listener.getLocalPort();
    }

    private void acceptLinks() {
        try {
            while (true) {
                Socket link = listener.accept();
                links.add(link);
                start(() -> serve(link));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void serve(Socket link) {
        try (link) {
            read(link);
        } catch (IOException e) {
            // The link was closed.
        } finally {
            links.remove(link);
        }
    }

    private void read(Socket link) throws IOException {
        DataInputStream in = new DataInputStream(link.getInputStream());
        ByteBuf hello = Unpooled.buffer();
        FrameWriter.hello(hello, new Hello(MeshHeader.VERSION, limit, tableSize, ""));
        send(link, hello);
        while (true) {
            byte[] header = new byte[MeshHeader.LENGTH];
            in.readFully(header);
            ByteBuf head = Unpooled.wrappedBuffer(header);
            byte[] body = new byte[MeshHeader.bodyLength(head, 0)];
            in.readFully(body);
            int type = MeshHeader.type(head, 0);
            if (type == FrameType.PING) {
                ByteBuf pong = Unpooled.buffer();
                FrameWriter.pong(pong);
                send(link, pong);
            } else if (type == FrameType.DEFINE || type == FrameType.REQUEST || type == FrameType.GOAWAY) {
                frames.add(new Frame(
                        link,
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
        send(
                request.link(),
                response(
                        status,
                        flags,
                        request.requestId(),
                        String.format("%04x", attachmentsHex.length() / 2)
                                + attachmentsHex
                                + ByteBufUtil.hexDump(text.getBytes(UTF_8))));
    }

    /** Gives the request back, as a provider agent at its limit does. */
    void refuse(Frame request) throws IOException {
        send(request.link(), response(1, 0, request.requestId(), "0000" + request.hex()));
    }

    void goAway(String reason) throws IOException {
        ByteBuf frame = Unpooled.buffer();
        FrameWriter.goAway(frame, reason);
        for (Socket link : links) {
            send(link, frame);
        }
    }

    void closeLinks() throws IOException {
        for (Socket link : links) {
            link.close();
        }
    }

    /** Any status, also such as no agent sends. */
    private static ByteBuf response(int status, int flags, long requestId, String bodyHex) {
        ByteBuf out = Unpooled.buffer();
        int frame = FrameWriter.beginResponse(out, requestId);
        out.writeBytes(ByteBufUtil.decodeHexDump(bodyHex));
        FrameWriter.endResponse(out, frame, Outcome.OK, flags);
        MeshHeader.status(out, frame, status);
        return out;
    }

    private synchronized void send(Socket link, ByteBuf frame) throws IOException {
        link.getOutputStream().write(frame.array(), 0, frame.writerIndex());
    }

    @Override
    public void close() throws IOException {
        listener.close();
        closeLinks();
    }
}
