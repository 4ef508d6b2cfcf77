package io.dubbomesh.provider;

import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.protocol.mesh.FrameType;
import io.dubbomesh.protocol.mesh.Hello;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.protocol.mesh.MethodNames;
import io.dubbomesh.protocol.mesh.RequestBody;
import io.dubbomesh.transport.mesh.MeshLink;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The provider agent's end of a connection from a consumer agent, with the method ids that were defined on it. Owned by its event loop. */
final class MeshServerLink extends MeshLink {
    private static final Logger LOG = LoggerFactory.getLogger(MeshServerLink.class);

    private final LoopState loop;
    private final MethodTable methods;
    private final RequestBody parts;
    private final ResponseWriter responses;
    private int inService;
    private boolean greeted;
    private boolean draining;
    private long idleSinceNs;

    MeshServerLink(LoopState loop) {
        super(loop.turn(), loop.settings().maxFrame(), loop.settings().heartbeatMs());
        this.loop = loop;
        methods = new MethodTable(loop.settings().tableSize());
        parts = loop.requestBody();
        responses = new ResponseWriter(this, loop.reader(), loop.settings().maxFrame());
    }

    @Override
    protected Hello hello() {
        loop.linkOpened(this);
        return new Hello(
                MeshHeader.VERSION, loop.settings().limit(), loop.settings().tableSize(), "");
    }

    @Override
    protected void ready(Hello peer) {
        greeted = true;
        LOG.info("consumer agent {}: connected", channel().remoteAddress());
    }

    @Override
    protected void frame(int type, ByteBuf in, int offset, int end) throws MalformedFrameException {
        switch (type) {
            case FrameType.REQUEST -> request(in, offset, end);
            case FrameType.DEFINE -> define(in, offset, end);
            default -> throw new MalformedFrameException("frame type " + type + " from a consumer agent");
        }
    }

    private void define(ByteBuf in, int offset, int end) throws MalformedFrameException {
        int names = offset + MeshHeader.LENGTH;
        if (MethodNames.length(in, names, end) != end - names) {
            throw new MalformedFrameException("DEFINE: bytes behind the names");
        }
        Method method = new Method(MethodNames.read(in, names, end), loop);
        methods.define(MeshHeader.methodId(in, offset), method, end - names);
    }

    private void request(ByteBuf in, int offset, int end) throws MalformedFrameException {
        int body = offset + MeshHeader.LENGTH;
        int flags = MeshHeader.flags(in, offset);
        int form = flags & (Flags.TEXT | Flags.JSON);
        if (form != Flags.TEXT && form != Flags.JSON) {
            throw new MalformedFrameException(
                    String.format("REQUEST: flags 0x%02x (expected: either FORM or JSON)", flags));
        }
        int methodId = MeshHeader.methodId(in, offset);
        parts.locate(in, body, end, methodId == 0);
        Method method = methodId == 0 ? namedIn(in) : methods.method(methodId);

        long requestId = MeshHeader.requestId(in, offset);
        try {
            serve(requestId, flags, method, in, body, end);
        } catch (RuntimeException | Error e) {
            loop.counters().refused++;
            if ((flags & Flags.ONE_WAY) == 0) {
                responses.failed(requestId, e);
            }
        }
    }

    private void serve(long requestId, int flags, Method method, ByteBuf in, int body, int end) {
        boolean oneWay = (flags & Flags.ONE_WAY) != 0;
        if (parts.timeLeftMs() == 0) {
            loop.counters().expired++;
            return;
        }
        if (method.refusal() != null) {
            loop.counters().refused++;
            if (!oneWay) {
                responses.problem(
                        requestId, method.refusal().outcome(), method.refusal().getMessage());
            }
            return;
        }
        if (method.isDescription()) {
            describe(requestId, oneWay, method.name());
            return;
        }
        DubboConnection provider = draining ? null : loop.provider().connection();
        if (provider != null && begin(provider, requestId, flags, method, in, body, end)) {
            return;
        }
        if (!oneWay) {
            loop.counters().notExecuted++;
            responses.notExecuted(requestId, in, body, end);
        }
    }

    /** Sends a request on, or has it wait for a place; false if there is room for neither. */
    private boolean begin(
            DubboConnection provider, long requestId, int flags, Method method, ByteBuf in, int body, int end) {
        ServiceLimit limit = loop.limit();
        if (limit.isFull()) {
            return false;
        }
        // Before a permit is taken, since it can fail.
        ProviderCall call = loop.newCall();
        call.take(this, requestId, flags, method.request(), in, body, end, parts);
        if (limit.tryAcquire()) {
            call.send(provider);
            return true;
        }
        return call.await(limit);
    }

    private Method namedIn(ByteBuf in) throws MalformedFrameException {
        MethodName name = MethodNames.read(in, parts.namesOffset(), parts.argumentsOffset());
        return new Method(name, loop);
    }

    private void describe(long requestId, boolean oneWay, MethodName name) {
        ServiceDefinition definition = loop.definitions().definition(name);
        if (oneWay) {
            return;
        }
        if (definition == null) {
            responses.problem(
                    requestId,
                    Outcome.NOT_FOUND,
                    "the provider of " + name.service() + " does not tell what methods it has");
            return;
        }
        responses.description(requestId, name, definition);
    }

    /** To answer this link's requests. */
    ResponseWriter responses() {
        return responses;
    }

    /** Reads on or stops, as the provider's side and this link's peer take what is written. */
    void followBackPressure() {
        channel().config().setAutoRead(!loop.isPaused() && channel().isWritable());
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        followBackPressure();
    }

    /** A call of this link has begun. */
    void began() {
        inService++;
    }

    /** A call of this link has ended, and its answer, if there is one, is written. */
    void ended() {
        inService--;
        if (draining) {
            idleSinceNs = System.nanoTime();
        }
    }

    /** No more requests are taken; a peer that goes on sending gets them back. */
    void drain(String reason) {
        draining = true;
        idleSinceNs = System.nanoTime();
        goAway(reason);
    }

    /**
     * Closes a draining link whose peer has had time to hear so and still keeps it. Usually the peer closes, since only it
     * knows that it has nothing more on the way.
     */
    void closeIfIdle(long nowNs, long lingerNs) {
        if (draining && inService == 0 && nowNs - idleSinceNs > lingerNs) {
            close("shutting down");
        }
    }

    boolean isGone() {
        return state() == State.CLOSED;
    }

    @Override
    protected void goingAway(String reason) {
        LOG.info("consumer agent {}: going away: {}", channel().remoteAddress(), reason);
    }

    @Override
    protected void closed(String reason) {
        // Strangers are not worth a line each.
        if (greeted) {
            LOG.info("consumer agent {}: connection ended: {}", channel().remoteAddress(), reason);
        }
        loop.linkClosed(this);
    }
}
