package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.call.ParsedCall;
import io.dubbomesh.consumer.call.Route;
import io.dubbomesh.consumer.call.TimeoutSource;
import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.http.response.ResponseStream;
import io.dubbomesh.consumer.http.response.StreamFormat;
import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.consumer.upstream.link.EndpointLink;
import io.dubbomesh.consumer.upstream.link.ProviderEndpoint;
import io.dubbomesh.consumer.upstream.pool.EndpointPool;
import io.dubbomesh.consumer.upstream.pool.PoolMember;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.transport.call.PendingCall;
import io.netty.buffer.ByteBuf;

/**
 * A call that waits in the queue or is in flight on an endpoint. {@link CallDispatcher} changes and ends it; it calls
 * nothing but the counters of its endpoint. Reused.
 * <pre>
 *   FREE      to IN_FLIGHT when it is sent, to WAITING when it is queued
 *   WAITING   to IN_FLIGHT when an endpoint has room
 *             to FREE with its deadline, when its client leaves, or when no endpoint is left
 *   IN_FLIGHT to IN_FLIGHT, once, when it was given back and is sent to another endpoint
 *             to STREAMING with the beginning of a stream
 *             to FREE with its response, its deadline, or the loss of its link
 *   STREAMING to FREE likewise, and when its client leaves; from the first message on it does not count at its endpoint
 * </pre>
 */
final class UpstreamCall extends PendingCall implements ResponseStream.Source {
    /** Gets what the client of a call does. */
    interface Listener {
        /** Called when the client has left before the response. */
        void cancelled(UpstreamCall call);

        /** Called when the client of a stream takes more. */
        void resumed(UpstreamCall call);
    }

    private final Listener listener;
    /** Null once the client has left or is being answered. */
    private Responder responder;

    private int flags;
    private long key;
    private Route route;
    private EndpointPool pool;
    private TimeoutSource timeoutSource;
    /** The endpoint that it was sent to; null while it waits. */
    private PoolMember member;
    /** The form in which the client takes a stream; null for none. */
    private StreamFormat streamFormat;
    /** Null but in STREAMING. */
    private StreamedAnswer stream;
    /** Whether it does not count at its endpoint any more. */
    private boolean counted;

    private EndpointLink link;
    /** The time at which the last byte of its request was read. */
    private long receivedNs;

    private long firstSentNs;
    private long lastSentNs;
    /** The queue that it waits in; null for none. */
    private PoolQueue queue;
    /** The body of its REQUEST while it waits, else null; released with the call. */
    private ByteBuf queuedBody;
    /** Whether its method was {@linkplain Route#isUnproven unproven} when it was sent. */
    private boolean unproven;

    private boolean namesInBody;
    /** The length of the body that was sent; one that comes back has to be as long. */
    private int bodyLength;
    /** The number of times it was sent. */
    private int attempts;
    /**
     * The reason for which it was not sent to another endpoint when it was given back; null if it was not given back
     * for good.
     */
    private String keptReason;

    UpstreamCall(Listener listener) {
        this.listener = listener;
    }

    void begin(Responder to, ParsedCall parsed, EndpointPool endpoints, long requestReceivedNs) {
        receivedNs = requestReceivedNs;
        timeoutSource = parsed.timeoutSource();
        responder = to;
        route = parsed.route();
        pool = endpoints;
        flags = parsed.flags();
        streamFormat = parsed.streamFormat();
        key = parsed.key();
        pool.callBegun();
    }

    /** Loads this into the processor's cache; returns a number of no meaning. */
    int touch() {
        return (int) (id() + receivedNs) + bodyLength + attempts + (namesInBody ? 1 : 0);
    }

    /** Loads what its answer goes to, see {@link Responder#touch}. */
    int touch(int level) {
        return responder == null ? 0 : responder.touch(level);
    }

    @Override
    public void cancelled() {
        listener.cancelled(this);
    }

    @Override
    public void resumed() {
        listener.resumed(this);
    }

    /** Returns whether its client takes a stream. */
    boolean takesStream() {
        return streamFormat != null;
    }

    /** Begins a response in pieces; its client must wait. */
    ResponseStream openStream() {
        return responder.stream(streamFormat, this);
    }

    StreamedAnswer streamedAs(StreamedAnswer opened) {
        stream = opened;
        return opened;
    }

    /** Returns the answer that comes in pieces; null if none has begun. */
    StreamedAnswer stream() {
        return stream;
    }

    /** Returns whether its endpoint has begun to answer, so that it was not refused and its time does not count. */
    boolean hasBegunStream() {
        return stream != null && stream.hasBegun();
    }

    /** Called with the first message of a stream. */
    void leaveEndpoint() {
        counted = false;
        leaveMember();
        link.streamBegun();
    }

    /** Returns the responder, which is not used again; null if the client has left. */
    Responder takeResponder() {
        Responder taken = responder;
        responder = null;
        return taken;
    }

    /** Returns what is noted of the request; null if nothing is, or if the client has left. */
    CallRecord record() {
        return responder == null ? null : responder.record();
    }

    /** Returns whether its client waits for a response. */
    boolean isAwaited() {
        return responder != null;
    }

    /**
     * Makes room for its answer, if that has turned out to be large while it waited.
     *
     * @throws CallException if there is no room
     */
    void expectAnswer() throws CallException {
        if (responder != null) {
            responder.expectAgain();
        }
    }

    int flags() {
        return flags;
    }

    /** Returns the key by which each of its endpoints is chosen. */
    long key() {
        return key;
    }

    Route route() {
        return route;
    }

    EndpointPool pool() {
        return pool;
    }

    TimeoutSource timeoutSource() {
        return timeoutSource;
    }

    /** Returns the member of the pool that it was sent to last; null while it waits. */
    PoolMember member() {
        return member;
    }

    ProviderEndpoint endpoint() {
        return member.endpoint();
    }

    EndpointLink link() {
        return link;
    }

    boolean isOneWay() {
        return (flags & Flags.ONE_WAY) != 0;
    }

    boolean isWaiting() {
        return member == null;
    }

    boolean isOn(EndpointLink candidate) {
        return link == candidate;
    }

    /** Returns whether its REQUEST has the names, because there is no method id. */
    boolean namesInBody() {
        return namesInBody;
    }

    int bodyLength() {
        return bodyLength;
    }

    int attempts() {
        return attempts;
    }

    /** Returns whether it may be sent to another endpoint; once is enough. */
    boolean maySendAgain() {
        return attempts <= 1;
    }

    long receivedNs() {
        return receivedNs;
    }

    long firstSentNs() {
        return firstSentNs;
    }

    long lastSentNs() {
        return lastSentNs;
    }

    void waitIn(PoolQueue of, ByteBuf body) {
        queue = of;
        queuedBody = body;
    }

    /** Returns the queue that it waits in; null for none. */
    PoolQueue queue() {
        return queue;
    }

    void leaveQueue() {
        queue = null;
    }

    ByteBuf queuedBody() {
        return queuedBody;
    }

    void releaseQueuedBody() {
        queuedBody.release();
        queuedBody = null;
    }

    /** Records that its REQUEST is in the batch of this member's link, which may be its second one. */
    void sentTo(PoolMember to, EndpointLink on, boolean withNames, int sentBodyLength, long nowNs) {
        attempts++;
        if (member != null) {
            leaveMember();
        } else {
            pool.callSent();
            firstSentNs = nowNs;
        }
        unproven = route.isUnproven();
        if (unproven) {
            to.endpoint().unprovenSent();
            pool.unprovenSent();
        }
        member = to;
        counted = true;
        link = on;
        if (stream != null) {
            stream.sentTo(on);
        }
        namesInBody = withNames;
        bodyLength = sentBodyLength;
        lastSentNs = nowNs;
        to.sent(nowNs);
        if (!isOneWay()) {
            to.endpoint().load().sent();
        }
    }

    private void leaveMember() {
        if (unproven) {
            member.endpoint().unprovenEnded();
            pool.unprovenEnded();
        }
        member.ended();
    }

    /** Records why it is not sent to another endpoint, though it was given back. */
    void keep(String reason) {
        keptReason = reason;
    }

    String keptReason() {
        return keptReason;
    }

    /** Ends it at its endpoint and makes it ready for the next call. */
    void reset() {
        assert id() == 0 : "still pending";
        if (counted) {
            counted = false;
            leaveMember();
        } else if (member != null) {
            link.streamOver();
        }
        pool.callEnded(member != null);
        if (queuedBody != null) {
            releaseQueuedBody();
        }
        responder = null;
        route = null;
        pool = null;
        member = null;
        stream = null;
        streamFormat = null;
        link = null;
        namesInBody = false;
        unproven = false;
        attempts = 0;
        keptReason = null;
    }
}
