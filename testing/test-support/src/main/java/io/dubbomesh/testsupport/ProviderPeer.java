package io.dubbomesh.testsupport;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Plays the provider agent to which consumer agents connect: it sends its HELLO and answers heartbeats; what else comes
 * is up to the test.
 */
public final class ProviderPeer implements Closeable {
    private final ServerSocket listener;
    private static final String CHALLENGE = "5a".repeat(32);
    private static final int LIMIT = 180;

    private final String hello;
    /** Null if it demands none. */
    private final String token;
    /** Told in a LIMIT; 0 if it stands in the HELLO. */
    private final int limitWhenProven;

    /** The reason for which each consumer agent that connects is told to go away; null if it is not. */
    private volatile String draining;

    private final BlockingQueue<Received> frames = new LinkedBlockingQueue<>();
    private final List<MeshConnection> links = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();

    /** A frame and the link that it has come on. */
    public record Received(MeshConnection link, MeshFrame frame) {
        public int type() {
            return frame.type();
        }

        public int flags() {
            return frame.flags();
        }

        public long requestId() {
            return frame.requestId();
        }

        public int methodId() {
            return frame.methodId();
        }

        public String body() {
            return frame.body();
        }
    }

    /** Grants {@code limit} calls and {@code tableSize} method ids in its HELLO. */
    public ProviderPeer(int limit, int tableSize) throws IOException {
        this(limit, tableSize, 0);
    }

    /** @param port 0 for any free one */
    public ProviderPeer(int limit, int tableSize, int port) throws IOException {
        this(MeshFrame.hello(limit, tableSize), null, 0, port);
    }

    /** With any HELLO, at any free port. */
    public ProviderPeer(String hello) throws IOException {
        this(hello, null, 0, 0);
    }

    private ProviderPeer(String hello, String token, int limitWhenProven, int port) throws IOException {
        this.hello = hello;
        this.token = token;
        this.limitWhenProven = limitWhenProven;
        listener = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        Threads.start("provider-peer", this::accept);
    }

    /** Refuses peers that do not prove to have this token. */
    public static ProviderPeer demanding(String token) throws IOException {
        return new ProviderPeer(MeshFrame.challenge(0, 4096, CHALLENGE), token, LIMIT, 0);
    }

    /** The same, with the limit in its HELLO and in no LIMIT. */
    public static ProviderPeer demandingWithLimitInHello(String token) throws IOException {
        return new ProviderPeer(MeshFrame.challenge(LIMIT, 4096, CHALLENGE), token, 0, 0);
    }

    public int port() {
        return listener.getLocalPort();
    }

    private void accept() throws IOException {
        while (true) {
            MeshConnection link = new MeshConnection(listener.accept());
            links.add(link);
            connections.incrementAndGet();
            Threads.start("provider-peer-link", () -> read(link));
        }
    }

    private void read(MeshConnection link) throws IOException {
        try (link) {
            link.waitForever();
            link.send(hello);
            while (true) {
                MeshFrame frame = link.read();
                switch (frame.type()) {
                    case MeshFrame.HELLO -> helloReceived(link, frame);
                    case MeshFrame.PING -> link.send(MeshFrame.frame(MeshFrame.PONG, 0, 0, 0, 0, ""));
                    case MeshFrame.DEFINE, MeshFrame.REQUEST, MeshFrame.GOAWAY, MeshFrame.CREDIT, MeshFrame.CANCEL ->
                        frames.add(new Received(link, frame));
                    default -> {}
                }
            }
        } finally {
            links.remove(link);
        }
    }

    private void helloReceived(MeshConnection link, MeshFrame peerHello) throws IOException {
        if (draining != null) {
            link.send(MeshFrame.goAway(draining));
        }
        if (token == null) {
            return;
        }
        if (!peerHello.credentials().equals(MeshFrame.answer(CHALLENGE, token, peerHello.agentId()))) {
            link.send(MeshFrame.goAway("wrong token"));
            link.close();
        } else if (limitWhenProven > 0) {
            link.send(MeshFrame.limit(limitWhenProven));
        }
    }

    /** Returns the number of connections that were ever accepted. */
    public int connections() {
        return connections.get();
    }

    public int openLinks() {
        return links.size();
    }

    /** The next DEFINE, REQUEST, GOAWAY, CREDIT or CANCEL. */
    public Received next() throws InterruptedException {
        return Await.next(frames, "a frame comes");
    }

    /** The same, however long it takes to come. */
    public Received take() throws InterruptedException {
        return frames.take();
    }

    /** The next REQUEST; the DEFINEs before it are dropped. */
    public Received nextRequest() throws InterruptedException {
        Received frame = next();
        while (frame.type() == MeshFrame.DEFINE) {
            frame = next();
        }
        return frame;
    }

    /** Whether all that has come was taken by {@link #next}. */
    public boolean hasNone() {
        return frames.isEmpty();
    }

    public void answer(Received request, int status, int flags, String document) throws IOException {
        answer(request, status, flags, "", document);
    }

    /** @param attachments their digits */
    public void answer(Received request, int status, int flags, String attachments, String document)
            throws IOException {
        request.link().send(MeshFrame.response(request.requestId(), status, flags, attachments, document));
    }

    /** Gives the request back, as a provider agent at its limit does. */
    public void refuse(Received request) throws IOException {
        giveBack(request, Hex.u16(0));
    }

    /** Gives the request back, as a provider agent without a provider does. */
    public void refuse(Received request, String unavailability) throws IOException {
        giveBack(request, MeshFrame.attachments(":unavailable", unavailability));
    }

    /** Gives the request back, as a provider agent that does not serve its service does. */
    public void refuseUnserved(Received request, String detail) throws IOException {
        giveBack(request, MeshFrame.attachments(":unserved", detail));
    }

    private static void giveBack(Received request, String attachments) throws IOException {
        request.link()
                .send(MeshFrame.frame(
                        MeshFrame.RESPONSE,
                        MeshFrame.NOT_EXECUTED,
                        0,
                        request.requestId(),
                        0,
                        attachments + request.body()));
    }

    public void goAway(String reason) throws IOException {
        send(MeshFrame.goAway(reason));
    }

    /** On each link, and on those that are opened from now on. */
    public void drain(String reason) throws IOException {
        draining = reason;
        goAway(reason);
    }

    /** These bytes on each link. */
    public void send(String hex) throws IOException {
        for (MeshConnection link : links) {
            link.send(hex);
        }
    }

    public void closeLinks() throws IOException {
        for (MeshConnection link : links) {
            link.close();
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        closeLinks();
    }
}
