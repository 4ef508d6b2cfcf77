package io.dubbomesh.consumer.direct;

import io.dubbomesh.client.call.CallCounters;
import io.dubbomesh.client.call.LongAnswers;
import io.dubbomesh.client.call.PeerQueue;
import io.dubbomesh.client.call.ProviderCalls;
import io.dubbomesh.client.call.ServiceLimit;
import io.dubbomesh.client.connection.DubboSettings;
import io.dubbomesh.client.connection.DubboUpstream;
import io.dubbomesh.client.connection.ProviderProtocol;
import io.dubbomesh.client.connection.UpstreamListener;
import io.dubbomesh.client.method.ResolvedMethod;
import io.dubbomesh.client.request.RequestServer;
import io.dubbomesh.client.request.ResponseFrameWriter;
import io.dubbomesh.consumer.call.Route;
import io.dubbomesh.consumer.upstream.link.EndpointLink;
import io.dubbomesh.consumer.upstream.link.LinkConnector;
import io.dubbomesh.consumer.upstream.link.LinkListener;
import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.dubbo.DubboResponseReader;
import io.dubbomesh.protocol.mesh.CallTiming;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.protocol.mesh.RequestBody;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.address.EndpointId;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.tls.TlsConnector.Peer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.util.concurrent.Future;

import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * A Dubbo provider as one event loop calls it without a provider agent: what is written as a REQUEST is served at once,
 * and what is written as a RESPONSE is passed on at the end of the turn ({@link Answers}). The connection to the
 * provider is opened again whenever it is lost. Owned by the loop.
 * <pre>
 *   NEW --connect--> WAITING --the provider takes calls--> READY
 *                       ^                                    |
 *                       `--- lost, read-only or silent ------'
 *   NEW, WAITING, READY --close--> DRAINING --every call has ended and is written--> CLOSED
 *   each --end--> CLOSED
 * </pre>
 * In DRAINING it takes no calls. Those that the provider executes keep their permits until it answers; one-way calls,
 * whose clients are told already, are sent when they get a permit.
 */
final class DirectLink implements EndpointLink, LinkConnector, UpstreamListener {
    private static final String NOT_USED = "no longer used";
    /** The time between looks at what a provider that is closed has not read yet. */
    private static final long UNREAD_CHECK_MS = 20;
    /** Any: names need not stand in the bodies of requests. */
    private static final int METHOD_ID = 1;

    enum State {
        NEW,
        WAITING,
        READY,
        DRAINING,
        CLOSED
    }

    private final DirectLoop loop;
    private final EndpointId id;
    private final HostPort provider;
    private final LinkListener listener;
    private final ServiceLimit limit;
    private final PeerQueue queue;
    private final DubboUpstream upstream;
    private final ProviderCalls calls;
    private final ExportedMethods methods;
    private final RequestServer server;
    private final ResponseFrameWriter responses;
    private final Answers answers;
    private final WaitingRequests waiting;
    private final RequestBody body = new RequestBody();
    private final CallTiming timing = new CallTiming();
    /** The methods by route index; null where nothing is resolved. */
    private ResolvedMethod[] resolved = new ResolvedMethod[16];

    private State state = State.NEW;
    private boolean checkingUnread;
    /** Whether the provider has ever taken calls. */
    private boolean everReady;

    private int notifiedLimit;
    /** Whether the provider registers now that it has TLS. */
    private boolean registersTls;

    DirectLink(DirectLoop loop, Endpoint listed, LinkListener listener) {
        this.loop = loop;
        id = listed.id();
        registersTls = listed.registersTls();
        provider = id.address();
        this.listener = listener;
        DirectSettings settings = loop.settings();
        DubboSettings dubbo = settings.dubbo().of(provider);
        limit = loop.limits().open(provider);
        queue = limit.queue(0);
        ProviderProtocol protocol =
                id.protocol() == EndpointProtocol.TRIPLE ? ProviderProtocol.TRIPLE : ProviderProtocol.DUBBO;
        upstream = new DubboUpstream(loop.eventLoop(), this::open, loop.turn(), dubbo, loop.events(), protocol);
        DubboResponseReader reader = new DubboResponseReader(
                DubboResponseReader.MAX_DOCUMENT,
                settings.errorsStack(),
                dubbo.serialization(),
                "registered for this service (or set by dubbo.token or dubbo.token-file of the "
                        + settings.role().title() + ')');
        MemoryBudget memory = loop.turn().memory();
        calls = new ProviderCalls(
                loop.turn(),
                upstream,
                limit,
                memory,
                new LongAnswers(loop.longAnswers(), reader, memory),
                dubbo,
                loop.tracer(provider),
                () -> {});
        upstream.listen(calls, this);
        methods = new ExportedMethods(
                id,
                dubbo.serialization(),
                loop.types(),
                loop.tls(),
                loop.metrics(),
                loop.directory(),
                loop.tokens(),
                reader::redact);
        server = new RequestServer(methods, calls, settings.role());
        answers = new Answers(loop.turn(), memory, this, listener, queue, limit);
        responses = new ResponseFrameWriter(
                answers, reader.brief(loop.readingTime()), settings.maxFrame(), settings.role());
        waiting = new WaitingRequests(memory, server, responses, answers);
    }

    State state() {
        return state;
    }

    EndpointId id() {
        return id;
    }

    HostPort provider() {
        return provider;
    }

    ExportedMethods methods() {
        return methods;
    }

    void typesFound() {
        methods.typesFound();
        waiting.serveReady();
    }

    // --- connecting ---

    private Future<Void> open(InetSocketAddress address, ChannelHandler handler) {
        Peer peer = id.protocol() == EndpointProtocol.TRIPLE ? Peer.ofHttp2(provider) : Peer.at(provider);
        return loop.connect(address, handler, loop.tls().connector(registersTls), peer);
    }

    /** @param registered whether it registers that it has TLS; null if that has not changed */
    void registersTls(Boolean registered) {
        registersTls = registered == null ? registersTls : registered;
    }

    @Override
    public void connect() {
        state = State.WAITING;
        loop.opened(this);
        listener.opening(this);
        upstream.open();
    }

    /** Opens the connection again as soon as it is lost. */
    @Override
    public void connectLater() {}

    @Override
    public void connected() {}

    @Override
    public void close() {
        if (state == State.CLOSED) {
            return;
        }
        state = State.DRAINING;
        // From the last call on, none is begun, and the clients of these were told that they are sent.
        waiting.serveOneWay();
        answers.awaitLast();
        closeIfDrained();
    }

    @Override
    public void close(String reason) {
        close();
    }

    /** Called when every call so far has ended, or all answers so far are passed on. */
    void closeIfDrained() {
        if (state != State.DRAINING || answers.areAwaited()) {
            return;
        }
        if (upstream.flush()) {
            end(NOT_USED);
        } else if (!checkingUnread) {
            checkingUnread = true;
            loop.eventLoop().schedule(this::checkUnread, UNREAD_CHECK_MS, TimeUnit.MILLISECONDS);
        }
    }

    private void checkUnread() {
        checkingUnread = false;
        closeIfDrained();
    }

    /** Returns whether all that clients were told is sent. */
    boolean isQuiet() {
        return waiting.isEmpty() && calls.waiting() == 0 && upstream.flush();
    }

    void addTo(MetricSamples samples) {
        DirectMetrics.add(samples, id.protocol(), upstream, calls);
    }

    CallCounters counters() {
        return calls.counters();
    }

    /** Ends everything, answered or not. */
    void end(String reason) {
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        answers.close();
        waiting.drop();
        upstream.close();
        calls.end(reason);
        limit.linkClosed(0, queue);
        loop.limits().close(provider);
        loop.closed(this);
    }

    @Override
    public void stateChanged() {
        if (state == State.CLOSED) {
            return;
        }
        if (upstream.takesCalls()) {
            calls.resume();
            ready();
        } else {
            if (!upstream.isUndecided()) {
                calls.giveBackWaiting();
            }
            notReady();
        }
    }

    private void ready() {
        if (state == State.WAITING) {
            state = State.READY;
            if (everReady) {
                loop.types().connectedAgain(id);
            }
            everReady = true;
            notifiedLimit = limit();
            listener.ready(this, notifiedLimit);
        }
    }

    private void notReady() {
        if (state == State.READY) {
            state = State.WAITING;
            String loss = upstream.loss();
            listener.unavailable(
                    this,
                    loss == null ? upstream.unavailability() : "connection lost: " + loss,
                    upstream.isUndecided());
        }
        closeIfDrained();
    }

    @Override
    public void attemptFailed(boolean accepted, String how) {
        if (state == State.WAITING) {
            listener.notConnected(how);
        }
    }

    @Override
    public void silenceChanged() {
        stateChanged();
    }

    /** Called when the connection can be written to again: the calls that wait are tried within milliseconds. */
    @Override
    public void writabilityChanged() {}

    @Override
    public void maxCallsChanged() {
        notifyLimit();
    }

    /** Returns the limit of all event loops; what a provider takes on a connection is the share of one of them. */
    private int limit() {
        return (int) Math.min(limit.advertised(), (long) upstream.maxCalls() * loop.loops());
    }

    /** Notifies the listener if the learnt limit, or that of the provider, has changed. */
    void notifyLimit() {
        int now = limit();
        if (state == State.READY && now != notifiedLimit) {
            notifiedLimit = now;
            listener.limited(this, now);
        }
    }

    // --- calls ---

    @Override
    public boolean isReady() {
        return state == State.READY;
    }

    @Override
    public boolean isDraining() {
        return state == State.DRAINING;
    }

    @Override
    public boolean isWritable() {
        return !upstream.isOverfull();
    }

    @Override
    public int methodId(Route route) {
        return METHOD_ID;
    }

    @Override
    public int requestFlags(int wanted) {
        return wanted;
    }

    @Override
    public ByteBuf buffer(int frameBytes) {
        return loop.requestBuffer(frameBytes);
    }

    @Override
    public void requested(Route route, ByteBuf out, int frame, long nowNs) {
        try {
            body.locate(out, frame + MeshHeader.LENGTH, out.writerIndex(), false);
        } catch (MalformedFrameException e) {
            throw new AssertionError("a frame that was written here", e);
        }
        answers.receivedNs(nowNs);
        ResolvedMethod method = method(route);
        long requestId = MeshHeader.requestId(out, frame);
        int flags = MeshHeader.flags(out, frame);
        if (method.awaitsTypes()) {
            waiting.add(requestId, flags, method, body, nowNs);
        } else {
            server.serve(responses, requestId, flags, method, body);
        }
    }

    @Override
    public void consumed(long requestId, int bytes) {
        try {
            responses.streams().consumed(requestId, bytes);
        } catch (MalformedFrameException e) {
            throw new AssertionError("bytes of messages that were passed on here", e);
        }
    }

    @Override
    public void cancelStream(long requestId) {
        responses.streams().cancel(requestId);
    }

    @Override
    public String delayReason(Route route) {
        return method(route).awaitsTypes()
                ? "the types of service " + route.name().service() + " were still being looked for"
                : null;
    }

    private ResolvedMethod method(Route route) {
        int index = route.index();
        if (index == Route.NO_INDEX) {
            return new ResolvedMethod(route.name(), methods);
        }
        if (index >= resolved.length) {
            resolved = Arrays.copyOf(resolved, Math.max(index + 1, resolved.length * 2));
        }
        if (resolved[index] == null) {
            resolved[index] = new ResolvedMethod(route.name(), methods);
        }
        return resolved[index];
    }

    @Override
    public long readNs() {
        return answers.passedOnNs();
    }

    @Override
    public CallTiming timing() {
        return timing;
    }

    @Override
    public String toString() {
        return id.toString();
    }
}
