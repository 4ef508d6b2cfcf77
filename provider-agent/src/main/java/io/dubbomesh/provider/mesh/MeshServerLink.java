package io.dubbomesh.provider.mesh;

import io.dubbomesh.client.call.PeerQueue;
import io.dubbomesh.client.call.ServiceLimit;
import io.dubbomesh.client.request.Requester;
import io.dubbomesh.client.request.ResponseFrameWriter;
import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.DubboResponseReader;
import io.dubbomesh.protocol.mesh.FrameType;
import io.dubbomesh.protocol.mesh.FrameWriter;
import io.dubbomesh.protocol.mesh.Hello;
import io.dubbomesh.protocol.mesh.HelloCredentials;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.mesh.MeshLink;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.TimeUnit;

/**
 * The provider agent's end of a connection from a consumer agent, with the method ids that were defined on it. Owned by
 * its event loop.
 * <pre>
 *   STRANGER --HELLO, and a place for it--> ADMITTED --drain, pause--> DRAINING
 *   STRANGER --drain----------------------> LEAVING  --HELLO, and a place for it--> DRAINING
 *   STRANGER, LEAVING --HELLO, and no place for it--> the link is closed
 *   DRAINING, LEAVING --idle for long-----> the link is closed
 * </pre>
 * Requests are served in ADMITTED, given back in DRAINING, and not taken before the HELLO.
 */
public final class MeshServerLink extends MeshLink implements Requester {
    private static final Logger LOG = LoggerFactory.getLogger(MeshServerLink.class);

    private static final long ROOM_POLL_MS = 10;

    enum State {
        STRANGER,
        LEAVING,
        ADMITTED,
        DRAINING
    }

    private final MeshLinks links;
    private final MemoryBudget memory;
    private final RequestReader requests;
    private final MethodTable methods;
    private final ResponseFrameWriter responses;
    /** Whether a large request has begun for which there is no room. */
    private boolean awaitsRoom;

    /** The challenge of this connection, until its peer has answered it; empty if it needs no answer. */
    private HelloCredentials challenge = HelloCredentials.NONE;

    /** Whether the peer has not proven to have a token that is demanded: the reason by which the refusal is counted. */
    private boolean tokenRefused;

    private State state = State.STRANGER;
    private int callsInService;
    /** The HELLO of the peer; null until it is {@linkplain #isAdmitted admitted}, as is the queue. */
    private Hello peer;

    private PeerQueue queue;
    /** Null for a peer that does not take it. */
    private ServiceLimit reportedLoad;
    /** In LEAVING and DRAINING. */
    private long idleSinceNs;

    /** @param results reads the provider's answers; used by all links of the loop */
    public MeshServerLink(
            MeshLinks links, MeshSettings settings, Turn turn, RequestReader requests, DubboResponseReader results) {
        super(
                turn,
                Use.ANSWERS,
                settings.maxFrame(),
                settings.heartbeatMs(),
                settings.writeTimeoutMs(),
                links.metrics());
        this.links = links;
        memory = turn.memory();
        this.requests = requests;
        methods = new MethodTable(settings.tableSize(), requests.defined());
        responses = new ResponseFrameWriter(this, results, settings.maxFrame(), AgentRole.PROVIDER);
    }

    @Override
    protected Hello hello() {
        links.opened(this);
        Hello hello = links.hello();
        challenge = hello.credentials();
        return hello;
    }

    @Override
    protected Hello answer(Hello peer) throws MalformedFrameException {
        if (!links.hasToken(peer, challenge)) {
            tokenRefused = true;
            throw new MalformedFrameException(links.logRefusedToken(channel(), peer));
        }
        challenge = HelloCredentials.NONE;
        return null;
    }

    @Override
    protected void ready(Hello hello) {
        if (links.admit(this)) {
            state = state == State.LEAVING ? State.DRAINING : State.ADMITTED;
            peer = hello;
            queue = requests.limit().queue(peer.agentId());
            reportedLoad = (peer.features() & Hello.TAKES_LOAD) != 0 ? requests.limit() : null;
            links.ready(this);
            followBackPressure();
            log("connected");
        }
    }

    @Override
    protected void frame(int type, ByteBuf in, int offset, int end) throws MalformedFrameException {
        switch (type) {
            case FrameType.REQUEST -> requests.request(this, in, offset, end);
            case FrameType.DEFINE -> {
                requests.define(methods, in, offset, end);
                if (requests.defined().areTooMany()) {
                    links.endThoseWithMostNames(requests.defined());
                }
            }
            case FrameType.CREDIT ->
                responses.streams().consumed(MeshHeader.requestId(in, offset), MeshHeader.creditedBytes(in, offset));
            case FrameType.CANCEL -> responses.streams().cancel(MeshHeader.requestId(in, offset));
            default -> throw new MalformedFrameException("frame type " + type + " from a consumer agent");
        }
    }

    @Override
    public PeerQueue queue() {
        return queue;
    }

    /** Sends the peer the limit in force, if it takes that. */
    void sendLimit(int calls) {
        if (isReady() && isAdmitted() && takesLimit()) {
            FrameWriter.limit(batch().buffer(), calls);
        }
    }

    /** A peer that can prove to have a token takes limits behind its proof. */
    private boolean takesLimit() {
        return links.demandsToken() || (peer.features() & Hello.TAKES_LIMIT) != 0;
    }

    State serverState() {
        return state;
    }

    private boolean isAdmitted() {
        return state == State.ADMITTED || state == State.DRAINING;
    }

    MethodTable methods() {
        return methods;
    }

    /** Ends the link since there is no room for the names of its methods. */
    void endForNames(String reason) {
        goAway(reason);
        close(reason);
        methods.clear();
    }

    ResponseFrameWriter responses() {
        return responses;
    }

    /**
     * Reads on or stops, as the provider and this link's peer read what is written to them. The HELLO, before which
     * nothing else is taken, is always read: the peer gives the link up if it is not answered. While the peer does not
     * read, the rest of what was read from it waits too: an answer may be a thousand times as long as its request. So
     * does what came with the HELLO until it is known whether the provider takes calls; on a draining link nothing
     * waits for the provider, which gets none of it.
     */
    public void followBackPressure() {
        boolean takesAll = isClosing() || !isAdmitted();
        boolean givesBack = state == State.DRAINING;
        boolean takesRequests = takesAll || channel().isWritable() && (givesBack || !links.isUndecided());
        holdFrames(!takesRequests);
        boolean isPaused = awaitsRoom || !givesBack && links.isPaused();
        channel().config().setAutoRead(takesAll || takesRequests && !isPaused);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        batch().countUnwritten();
        followBackPressure();
    }

    /** Called when a large request has begun for which there is no room yet: the link is not read before there is. */
    @Override
    protected void awaitRoom(ByteBuf in, int offset) {
        pauseForRoom();
    }

    private void pauseForRoom() {
        awaitsRoom = true;
        followBackPressure();
        channel().eventLoop().schedule(this::readOnIfRoom, ROOM_POLL_MS, TimeUnit.MILLISECONDS);
    }

    private void readOnIfRoom() {
        if (isClosed() || tryReserve()) {
            awaitsRoom = false;
            followBackPressure();
        } else {
            pauseForRoom();
        }
    }

    @Override
    public ByteBuf buffer(int frameBytes) {
        return batch().buffer(frameBytes);
    }

    @Override
    public boolean hasRoom(int answerBytes) {
        return memory.hasRoom(Use.ANSWERS, answerBytes);
    }

    /** Flushes at once, so that the next long answer counts what the peer has not read of this one. */
    @Override
    public void flush() {
        batch().flush();
    }

    @Override
    public void fail() {
        channel().close();
    }

    @Override
    public long receivedNs() {
        return readNs();
    }

    @Override
    public void callBegins() {
        callsInService++;
    }

    @Override
    public void callEnded() {
        callsInService--;
        if (state == State.DRAINING) {
            idleSinceNs = System.nanoTime();
        }
    }

    @Override
    public boolean takesRequests() {
        return state == State.ADMITTED;
    }

    @Override
    public boolean takesStreams() {
        return (peer.features() & Hello.TAKES_STREAMS) != 0;
    }

    @Override
    public boolean hasRoomForStream() {
        return memory.hasRoomForStream();
    }

    @Override
    public void streamBegins() {
        memory.streamBegins();
    }

    @Override
    public void streamEnded() {
        memory.streamEnded();
    }

    /** Drains, unless it does already, or its HELLO has not come: then the peer gets its GOAWAY behind that. */
    void pause(String reason) {
        if (state == State.ADMITTED) {
            drain(reason);
        }
    }

    @Override
    public boolean takesUnserved() {
        return (peer.features() & Hello.TAKES_UNSERVED) != 0;
    }

    @Override
    public ServiceLimit reportedLoad() {
        return reportedLoad;
    }

    /** Ends the link; the peer gets the ends of its streams. */
    void end(String reason) {
        if (responses.streams().size() == 0) {
            channel().close();
            return;
        }
        responses.streams().failAll(Outcome.NO_PROVIDER, "the provider agent is " + reason);
        close(reason);
    }

    /** Takes no more requests; a peer that goes on sending gets them back. */
    public void drain(String reason) {
        state = isAdmitted() ? State.DRAINING : State.LEAVING;
        idleSinceNs = System.nanoTime();
        goAway(reason);
        followBackPressure();
    }

    /**
     * Closes a draining link that has been idle for {@code lingerNs}. Usually the peer closes it, since only the peer
     * knows that nothing more is on the way.
     */
    void closeIfIdle(long nowNs, long lingerNs) {
        boolean isLeaving = state == State.LEAVING || state == State.DRAINING;
        if (isLeaving && callsInService == 0 && nowNs - idleSinceNs > lingerNs) {
            close("shutting down");
        }
    }

    /**
     * Logs an event once for all links of a consumer agent, which has one for each of its event loops. Agents without
     * an id are not told apart, so each of their links counts.
     */
    private void log(String event) {
        boolean isNews = !isAdmitted() || peer.agentId() == 0 || links.isNews(peer.agentId(), event);
        if (isNews && links.linkLines().admits(System.nanoTime())) {
            String others = links.linkLines().leftOut();
            LOG.info("consumer agent {}: {}{}", channel().remoteAddress(), event, others);
        }
    }

    @Override
    protected void goingAway(String reason) {
        log("going away: " + reason);
    }

    @Override
    protected void closed(String reason) {
        // Connections without a HELLO would fill the log.
        if (isAdmitted()) {
            log("connection ended: " + reason);
            requests.limit().linkClosed(peer.agentId(), queue);
        } else if (refusal() != null) {
            links.countRefusal(refusalReason());
        }
        methods.clear();
        responses.streams().cancelAll();
        links.closed(this, isAdmitted());
    }

    private RefusedLinks.Reason refusalReason() {
        if (tokenRefused) {
            return RefusedLinks.Reason.TOKEN;
        }
        return refusal() == Refusal.SILENCE ? RefusedLinks.Reason.NO_HELLO : RefusedLinks.Reason.PROTOCOL;
    }
}
