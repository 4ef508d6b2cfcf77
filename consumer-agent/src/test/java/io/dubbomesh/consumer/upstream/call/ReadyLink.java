package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.call.Route;
import io.dubbomesh.consumer.upstream.UpstreamFixture;
import io.dubbomesh.consumer.upstream.link.EndpointLink;
import io.dubbomesh.consumer.upstream.link.LinkConnector;
import io.dubbomesh.consumer.upstream.link.LinkListener;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.CallTiming;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.MeshFrame;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import java.util.List;
import java.util.Map;

/**
 * The link of the one provider of {@code a.B}, which is ready at once and takes one call at a time. A test sends its
 * answers.
 */
abstract class ReadyLink implements EndpointLink, LinkConnector {
    private static final int LIMIT = 1;
    private static final Endpoint PROVIDER = new Endpoint(
            "192.0.2.1",
            20880,
            100,
            180,
            List.of(Variant.NONE),
            List.of(new DubboExport(Variant.NONE, "", "", "", "", Map.of())));

    private final CallTiming timing = new CallTiming();
    private final ByteBuf out = Unpooled.buffer();
    private LinkListener listener;

    /** Makes the upstream that uses this link, on the loop of the fixture. */
    final Upstream upstream(UpstreamFixture fixture) {
        return fixture.newUpstream(
                UpstreamFixture.pools(600_000_000_000L),
                (listed, itsListener) -> {
                    listener = itsListener;
                    return this;
                },
                route -> {});
    }

    static Directory directory() {
        return Directory.of(Map.of("a.B", List.of(PROVIDER)));
    }

    /** Called with each request, on the loop. */
    abstract void sent(long requestId);

    /** Answers a request; the document of a stream's message is one of several. */
    final void answer(long requestId, Outcome outcome, int flags, String document, int windowBytes) throws Exception {
        String frame = MeshFrame.response(requestId, outcome.number(), flags, "", document);
        ByteBuf in = Unpooled.wrappedBuffer(Hex.bytes(frame));
        MeshHeader.windowBytes(in, 0, windowBytes);
        listener.responded(this, in, 0, in.writerIndex());
    }

    @Override
    public void connect() {
        listener.opening(this);
        listener.ready(this, LIMIT);
    }

    @Override
    public void requested(Route route, ByteBuf written, int frame, long nowNs) {
        sent(MeshHeader.requestId(written, frame));
    }

    @Override
    public ByteBuf buffer(int frameBytes) {
        return out;
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public boolean isDraining() {
        return false;
    }

    @Override
    public boolean isWritable() {
        return true;
    }

    @Override
    public int methodId(Route route) {
        return 1;
    }

    @Override
    public int requestFlags(int wanted) {
        return wanted;
    }

    @Override
    public long readNs() {
        return System.nanoTime();
    }

    @Override
    public CallTiming timing() {
        return timing;
    }

    @Override
    public void connectLater() {}

    @Override
    public void connected() {}

    @Override
    public void close() {}

    @Override
    public void close(String reason) {}
}
