package io.dubbomesh.consumer;

import io.dubbomesh.loadbalance.LoadBalancer;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.protocol.mesh.FrameType;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.protocol.mesh.RequestBody;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.transport.EventLoops;
import io.dubbomesh.transport.PendingCalls;
import io.dubbomesh.transport.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * All that one event loop of the consumer agent owns: its connections, one link to each provider agent, the calls that are pending or
 * wait, the routes. Nothing of it is shared with another loop, and everything runs on this one.
 */
final class LoopState {
    private static final long HOUSEKEEPING_MS = 500;
    /** Calls kept for reuse; more than this are in flight only in an overload. */
    private static final int CALLS_KEPT = 4096;

    private final EventLoop eventLoop;
    private final EventLoops loops;
    private final ConsumerSettings settings;
    private final IntFunction<LoadBalancer> newBalancer;
    private final Turn turn;
    private final PendingCalls pending;
    private final Router router;
    private final RetryBudget retryBudget;
    private final HttpAnswers answers = new HttpAnswers();
    private final FormRequest form;
    private final RequestBody requestBody = new RequestBody();
    private final ByteBuf scratch = PooledByteBufAllocator.DEFAULT.directBuffer(1024);
    private final ArrayDeque<HttpCall> freeCalls = new ArrayDeque<>();
    private final Set<HttpConnection> connections = new LinkedHashSet<>();

    private final Map<String, ProviderEndpoint> endpoints = new HashMap<>();
    private final Map<String, List<EndpointPool>> pools = new HashMap<>();
    private Directory directory;
    private int waiting;
    private boolean sweeping;
    private boolean draining;
    private long lastRequestNs;
    private final Counters counters = new Counters();

    LoopState(EventLoop eventLoop, EventLoops loops, ConsumerSettings settings, IntFunction<LoadBalancer> newBalancer) {
        this.eventLoop = eventLoop;
        this.loops = loops;
        this.settings = settings;
        this.newBalancer = newBalancer;
        long nowNs = System.nanoTime();
        turn = new Turn(eventLoop);
        pending = new PendingCalls(nowNs);
        router = new Router(settings.maxMethods());
        retryBudget = new RetryBudget(nowNs);
        form = new FormRequest(settings.maxFormFields());
        lastRequestNs = nowNs;
        eventLoop.scheduleWithFixedDelay(this::keepHouse, HOUSEKEEPING_MS, HOUSEKEEPING_MS, TimeUnit.MILLISECONDS);
    }

    EventLoop eventLoop() {
        return eventLoop;
    }

    ConsumerSettings settings() {
        return settings;
    }

    Turn turn() {
        return turn;
    }

    Router router() {
        return router;
    }

    HttpAnswers answers() {
        return answers;
    }

    FormRequest form() {
        return form;
    }

    Counters counters() {
        return counters;
    }

    /** For documents that are made here; cleared by whoever uses it. */
    ByteBuf scratch() {
        return scratch;
    }

    int loopCount() {
        return loops.loops().size();
    }

    ChannelFuture connect(InetSocketAddress address, ChannelHandler handler) {
        return loops.connect(eventLoop, address, settings.linkSockets(), handler);
    }

    // --- the registry's list ---

    /** Takes a new list of endpoints: opens what is new, keeps what stays, lets go what has left. */
    void update(Directory changed) {
        assert eventLoop.inEventLoop();
        directory = changed;
        Set<String> listed = new HashSet<>();
        for (Endpoint endpoint : changed.all()) {
            listed.add(endpoint.address());
            endpoints.computeIfAbsent(endpoint.address(), address -> connect(endpoint));
        }
        pools.values().forEach(variants -> variants.forEach(this::fill));
        endpoints.values().removeIf(endpoint -> {
            boolean left = !listed.contains(endpoint.toString());
            if (left) {
                endpoint.retire();
            }
            return left;
        });
        roomMadeAnywhere();
    }

    private ProviderEndpoint connect(Endpoint listed) {
        ProviderEndpoint endpoint = new ProviderEndpoint(listed.host(), listed.port(), this);
        endpoint.connect();
        return endpoint;
    }

    private void fill(EndpointPool pool) {
        List<ProviderEndpoint> members = new ArrayList<>();
        List<Endpoint> listed = directory.endpoints(pool.service);
        int[] weights = new int[listed == null ? 0 : listed.size()];
        for (int i = 0; listed != null && i < listed.size(); i++) {
            Endpoint endpoint = listed.get(i);
            if (endpoint.serves(pool.version, pool.group)) {
                weights[members.size()] = endpoint.weight();
                members.add(endpoints.get(endpoint.address()));
            }
        }
        pool.update(members, weights);
    }

    /** Whether the list is loaded and every endpoint on it has been tried. */
    boolean isReady() {
        return directory != null && endpoints.values().stream().allMatch(ProviderEndpoint::wasAttempted);
    }

    private EndpointPool poolOf(Route route) throws CallException {
        if (directory == null) {
            throw new CallException(Outcome.NO_PROVIDER, "the list of providers is not loaded yet");
        }
        String service = route.name.service();
        List<Endpoint> listed = directory.endpoints(service);
        if (listed == null) {
            throw new CallException(Outcome.SERVICE_NOT_FOUND, "service " + service + " was never registered");
        }
        if (listed.isEmpty()) {
            throw new CallException(Outcome.NO_PROVIDER, "nobody serves " + service + " now");
        }
        if (route.pool != null) {
            return route.pool;
        }
        EndpointPool pool = findPool(route);
        if (route.isKept()) {
            pool.kept = true;
            route.pool = pool;
        }
        return pool;
    }

    /** Lets a pool go that no known method uses: a client may invent services where the registry serves any. */
    void forgetUnlessKept(EndpointPool pool) {
        if (!pool.kept && pool.waiting.isEmpty()) {
            List<EndpointPool> variants = pools.get(pool.service);
            if (variants != null && variants.remove(pool) && variants.isEmpty()) {
                pools.remove(pool.service);
            }
        }
    }

    private EndpointPool findPool(Route route) throws CallException {
        String service = route.name.service();
        String version = route.name.version();
        String group = route.name.group();
        List<EndpointPool> variants = pools.get(service);
        if (variants != null) {
            for (EndpointPool pool : variants) {
                if (pool.version.equals(version) && pool.group.equals(group)) {
                    return pool;
                }
            }
        }
        EndpointPool pool = new EndpointPool(service, version, group, newBalancer);
        fill(pool);
        if (pool.isEmpty()) {
            // Not kept: a client may invent versions and groups.
            throw new CallException(
                    Outcome.METHOD_NOT_FOUND,
                    "nobody serves " + service + " with version \"" + version + "\" and group \"" + group + '"');
        }
        pools.computeIfAbsent(service, name -> new ArrayList<>()).add(pool);
        return pool;
    }

    // --- calls ---

    HttpCall newCall() {
        HttpCall call = freeCalls.pollLast();
        return call != null ? call : new HttpCall(this);
    }

    void free(HttpCall call) {
        if (call.pool != null) {
            forgetUnlessKept(call.pool);
        }
        call.reset();
        if (freeCalls.size() < CALLS_KEPT) {
            freeCalls.addLast(call);
        }
    }

    /** Its client is gone: if it is on its way, it ends when its answer comes; otherwise now. */
    void abandon(HttpCall call) {
        if (call.id() != 0 && call.endpoint == null) {
            leftQueue(call);
            pending.remove(call);
        }
        if (call.id() == 0) {
            free(call);
        }
    }

    /**
     * Sends a form request on its way: to an endpoint with room, or else into the queue.
     *
     * @throws CallException if it goes neither way; the call is not pending then
     */
    void send(HttpCall call, HttpRequestParser request, long nowNs) throws CallException {
        lastRequestNs = nowNs;
        form.parse(request.body(), request.bodyOffset(), request.bodyLength());
        Route route = router.find(form);
        if (form.parameterCount() != route.parameterCount) {
            throw new CallException(
                    Outcome.BAD_REQUEST,
                    "parameter: " + form.parameterCount() + " of them (expected: " + route.parameterCount
                            + ", as in parameterTypesString)");
        }
        EndpointPool pool = poolOf(route);
        call.route = route;
        call.pool = pool;
        ProviderEndpoint endpoint = pool.waiting.isEmpty() ? pool.pick(null, nowNs) : null;
        long timeoutNs = request.timeoutMillis() > 0
                ? TimeUnit.MILLISECONDS.toNanos(request.timeoutMillis())
                : settings.requestTimeoutNs();
        if (endpoint != null) {
            sendForm(call, request, endpoint, nowNs, timeoutNs);
        } else if (!pool.anyAlive()) {
            forgetUnlessKept(pool);
            throw new CallException(Outcome.NO_PROVIDER, "nobody serves " + route.name.service() + " now");
        } else if (waiting >= settings.queueSize()) {
            throw new CallException(Outcome.OVERLOADED, "every endpoint is at its limit and the queue is full");
        } else {
            enqueueForm(call, request, nowNs, timeoutNs);
        }
        retryBudget.called(nowNs);
    }

    private void sendForm(
            HttpCall call, HttpRequestParser request, ProviderEndpoint endpoint, long nowNs, long timeoutNs)
            throws CallException {
        ProviderLink link = endpoint.link();
        Route route = call.route;
        int methodId = link.methodId(route);
        ByteBuf out = link.batch().buffer();
        int frame = out.writerIndex();
        long id = pending.add(call, nowNs + timeoutNs);
        try {
            MeshHeader.write(out, FrameType.REQUEST, 0, Flags.TEXT, id, methodId);
            writeBody(out, request, methodId == 0 ? route : null, (int) (timeoutNs / 1_000_000));
            checkLength(out.writerIndex() - frame);
        } catch (CallException | RuntimeException e) {
            out.writerIndex(frame);
            pending.remove(call);
            throw e;
        }
        MeshHeader.endFrame(out, frame);
        call.namesInBody = methodId == 0;
        call.endpoint = endpoint;
        call.link = link;
        endpoint.sent();
        startSweeping();
    }

    private void enqueueForm(HttpCall call, HttpRequestParser request, long nowNs, long timeoutNs)
            throws CallException {
        ByteBuf body = PooledByteBufAllocator.DEFAULT.directBuffer(request.bodyLength() + 64);
        try {
            writeBody(body, request, null, 0);
            checkLength(MeshHeader.LENGTH + body.readableBytes() + call.route.encodedNames.length);
        } catch (CallException | RuntimeException e) {
            body.release();
            throw e;
        }
        call.body = body;
        pending.add(call, nowNs + timeoutNs);
        call.pool.waiting.addLast(call);
        waiting++;
        startSweeping();
    }

    private void checkLength(int frameLength) throws CallException {
        if (frameLength > settings.maxFrame()) {
            throw new CallException(
                    Outcome.BODY_TOO_LARGE,
                    "a request of " + frameLength + " bytes (expected: at most " + settings.maxFrame() + ")");
        }
    }

    private void writeBody(ByteBuf out, HttpRequestParser request, Route named, int timeLeftMs) throws CallException {
        out.writeInt(timeLeftMs);
        ByteBuf attachments = request.attachments();
        out.writeShort(attachments.readableBytes()).writeBytes(attachments, 0, attachments.readableBytes());
        if (named != null) {
            out.writeBytes(named.encodedNames);
        }
        form.writeArguments(out);
    }

    /** A RESPONSE has come on {@code link}. */
    void answered(ProviderLink link, ByteBuf in, int offset, int end) throws MalformedFrameException {
        HttpCall call = (HttpCall) pending.get(MeshHeader.requestId(in, offset));
        if (call == null || call.link != link) {
            counters.lateAnswers++;
            return;
        }
        if (MeshHeader.status(in, offset) == Outcome.NOT_EXECUTED.number()) {
            long nowNs = System.nanoTime();
            call.endpoint.refused(nowNs);
            int attachments = offset + MeshHeader.LENGTH + Short.BYTES;
            int requestBody = attachments + in.getUnsignedShort(attachments - Short.BYTES);
            if (sendAgain(call, in, requestBody, end, nowNs)) {
                return;
            }
        }
        pending.remove(call);
        call.completed(in, offset);
        if (waiting > 0) {
            roomMadeAnywhere();
        }
    }

    /**
     * Sends a call that was not executed to another endpoint, once, if the budget allows it.
     *
     * @param body where the body of its REQUEST starts in {@code in}
     */
    private boolean sendAgain(HttpCall call, ByteBuf in, int body, int end, long nowNs) throws MalformedFrameException {
        if (call.sentAgain) {
            return false;
        }
        ProviderEndpoint other = call.pool.pick(call.endpoint, nowNs);
        if (other == null || !retryBudget.tryRetry(nowNs)) {
            return false;
        }
        requestBody.locate(in, body, end, call.namesInBody);
        call.sentAgain = true;
        call.endpoint.ended();
        resend(call, other, in, nowNs);
        counters.retries++;
        return true;
    }

    private void resend(HttpCall call, ProviderEndpoint endpoint, ByteBuf in, long nowNs) {
        ProviderLink link = endpoint.link();
        int methodId = link.methodId(call.route);
        ByteBuf out = link.batch().buffer();
        int frame = out.writerIndex();
        long leftMs = Math.max(1, (call.deadlineNs() - nowNs) / 1_000_000);
        MeshHeader.write(out, FrameType.REQUEST, 0, Flags.TEXT, call.id(), methodId);
        out.writeInt((int) leftMs);
        out.writeShort(requestBody.attachmentsLength());
        out.writeBytes(in, requestBody.attachmentsOffset(), requestBody.attachmentsLength());
        call.namesInBody = methodId == 0;
        if (call.namesInBody) {
            out.writeBytes(call.route.encodedNames);
        }
        out.writeBytes(in, requestBody.argumentsOffset(), requestBody.argumentsLength());
        MeshHeader.endFrame(out, frame);
        call.endpoint = endpoint;
        call.link = link;
        endpoint.sent();
    }

    /** Whatever may have given an endpoint room again: those who wait are sent as far as it goes. */
    void roomMadeAnywhere() {
        if (waiting == 0) {
            return;
        }
        long nowNs = System.nanoTime();
        for (List<EndpointPool> variants : pools.values()) {
            for (EndpointPool pool : variants) {
                sendWaiting(pool, nowNs);
            }
        }
    }

    private void sendWaiting(EndpointPool pool, long nowNs) {
        while (!pool.waiting.isEmpty()) {
            ProviderEndpoint endpoint = pool.pick(null, nowNs);
            if (endpoint == null) {
                if (!pool.anyAlive()) {
                    failWaiting(pool);
                }
                return;
            }
            HttpCall call = pool.waiting.pollFirst();
            waiting--;
            ByteBuf body = call.body;
            call.body = null;
            try {
                requestBody.locate(body, 0, body.writerIndex(), false);
                resend(call, endpoint, body, nowNs);
            } catch (MalformedFrameException e) {
                throw new AssertionError("a body that was written here", e);
            } finally {
                body.release();
            }
        }
    }

    private void failWaiting(EndpointPool pool) {
        HttpCall call;
        while ((call = pool.waiting.peekFirst()) != null) {
            pending.remove(call);
            call.failed(Outcome.NO_PROVIDER, "nobody serves " + pool.service + " now");
        }
    }

    /** A call that waited has ended otherwise. */
    void leftQueue(HttpCall call) {
        if (call.pool.waiting.remove(call)) {
            waiting--;
        }
    }

    /**
     * Ends what was in flight on a link that is gone. What had not been handed to the channel was certainly not executed and may go elsewhere.
     *
     * @param unsent whole frames, or null; not released here
     */
    void linkLost(ProviderLink link, String reason, ByteBuf unsent) {
        if (unsent != null) {
            sendElsewhere(link, unsent);
        }
        pending.forEach(promise -> {
            HttpCall call = (HttpCall) promise;
            if (call.link == link) {
                pending.remove(call);
                call.failed(Outcome.PROVIDER_ERROR, "connection to " + link.endpoint() + " lost: " + reason);
            }
        });
        roomMadeAnywhere();
    }

    private void sendElsewhere(ProviderLink link, ByteBuf unsent) {
        long nowNs = System.nanoTime();
        int at = unsent.readerIndex();
        while (at < unsent.writerIndex()) {
            int end = at + MeshHeader.LENGTH + MeshHeader.bodyLength(unsent, at);
            if (MeshHeader.type(unsent, at) == FrameType.REQUEST) {
                HttpCall call = (HttpCall) pending.get(MeshHeader.requestId(unsent, at));
                if (call != null && call.link == link) {
                    try {
                        sendAgain(call, unsent, at + MeshHeader.LENGTH, end, nowNs);
                    } catch (MalformedFrameException e) {
                        throw new AssertionError("a frame that was written here", e);
                    }
                }
            }
            at = end;
        }
    }

    // --- time ---

    private void startSweeping() {
        if (!sweeping) {
            sweeping = true;
            scheduleSweep();
        }
    }

    private void scheduleSweep() {
        eventLoop.schedule(this::sweep, PendingCalls.TICK_NS, TimeUnit.NANOSECONDS);
    }

    private void sweep() {
        pending.sweep(System.nanoTime());
        if (pending.size() > 0) {
            scheduleSweep();
        } else {
            sweeping = false;
        }
        roomMadeAnywhere();
    }

    private void keepHouse() {
        answers.tick(System.currentTimeMillis());
        long nowNs = System.nanoTime();
        for (HttpConnection connection : List.copyOf(connections)) {
            connection.check(nowNs);
        }
    }

    // --- connections ---

    boolean add(HttpConnection connection) {
        if (connections.size() >= settings.maxConnections() / loopCount()) {
            return false;
        }
        return connections.add(connection);
    }

    void remove(HttpConnection connection) {
        connections.remove(connection);
    }

    boolean isDraining() {
        return draining;
    }

    /** From now on answers end their connections. */
    void drain() {
        draining = true;
    }

    /** Whether nothing is in flight and nobody has asked for anything for a while. */
    boolean isQuiet(long quietNs) {
        return pending.size() == 0 && (connections.isEmpty() || System.nanoTime() - lastRequestNs > quietNs);
    }

    void close() {
        for (HttpConnection connection : List.copyOf(connections)) {
            connection.close();
        }
        for (ProviderEndpoint endpoint : endpoints.values()) {
            endpoint.retire();
        }
        scratch.release();
    }

    /** What happened and is worth counting. */
    static final class Counters {
        long lateAnswers;
        long retries;
    }
}
