package io.dubbomesh.consumer;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.FrameType;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.transport.call.DeadlineSweep;
import io.dubbomesh.transport.call.PendingCalls;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * The calls of one event loop, from the request to its answer: sent to an endpoint with room, or waiting for one; answered, sent again if
 * they were certainly not executed, or ended by their deadline. Owned by the loop.
 */
final class Calls {
    /** Calls kept for reuse; more than this are in flight only in an overload. */
    private static final int CALLS_KEPT = 4096;
    /** How often calls that wait are tried though no call has ended: an endpoint may have room again since time has passed. */
    private static final long QUEUE_POLL_MS = 10;

    private final EventLoop eventLoop;
    private final ConsumerSettings settings;
    private final Services services;
    private final Router router;
    private final CallReader reader;
    private final PendingCalls<HttpCall> pending;
    private final RetryBudget retryBudget;
    private final RequestWriter requests;
    private final CallQueue queue;
    private final DeadlineSweep sweep;
    private final ArrayDeque<HttpCall> freeCalls = new ArrayDeque<>();
    private boolean pollingQueue;
    private long lateAnswers;
    private long sentAgain;

    Calls(EventLoop eventLoop, ConsumerSettings settings, Services services) {
        this.eventLoop = eventLoop;
        this.settings = settings;
        this.services = services;
        long nowNs = System.nanoTime();
        router = new Router(settings.maxMethods());
        reader = new CallReader(router, settings.maxFormFields());
        requests = new RequestWriter(reader, settings.maxFrame());
        queue = new CallQueue(settings.queueSize(), settings.queueBytes(), requests);
        pending = new PendingCalls<>(nowNs);
        sweep = new DeadlineSweep(eventLoop, pending);
        retryBudget = new RetryBudget(nowNs);
    }

    int pendingCount() {
        return pending.size();
    }

    /** Answers that came when nobody waited for them any more. */
    long lateAnswers() {
        return lateAnswers;
    }

    /** Calls that were sent a second time. */
    long sentAgain() {
        return sentAgain;
    }

    HttpCall newCall() {
        HttpCall call = freeCalls.pollLast();
        return call != null ? call : new HttpCall(this);
    }

    void free(HttpCall call) {
        if (call.pool != null) {
            services.forgetUnlessKept(call.pool);
        }
        call.reset();
        if (freeCalls.size() < CALLS_KEPT) {
            freeCalls.addLast(call);
        }
    }

    /** Its client is gone: if it is on its way, it ends when its answer comes; otherwise now. */
    void abandon(HttpCall call) {
        if (call.id() != 0 && call.endpoint == null) {
            queue.leave(call);
            pending.remove(call);
        }
        if (call.id() == 0) {
            free(call);
        }
    }

    /**
     * Sends a request on its way: to an endpoint with room, or else, unless it is one-way, into the queue.
     *
     * @param receivedNs when the request's last byte was read, from which its deadline counts
     * @throws CallException if it goes neither way; the call is not pending then
     */
    void send(HttpCall call, HttpRequestParser request, long receivedNs, long nowNs) throws CallException {
        reader.read(call, request);
        EndpointPool pool = services.poolOf(call.route);
        call.pool = pool;
        long timeoutNs = request.timeoutMillis() > 0
                ? TimeUnit.MILLISECONDS.toNanos(request.timeoutMillis())
                : settings.requestTimeoutNs();
        long deadlineNs = receivedNs + timeoutNs;
        if (deadlineNs - nowNs <= 0) {
            throw new CallException(Outcome.TIMEOUT, "the deadline passed while the request waited for others");
        }
        ProviderEndpoint endpoint = pool.waiting.isEmpty() ? pool.pick(null, nowNs) : null;
        if (endpoint != null) {
            sendNow(call, request, endpoint, deadlineNs, nowNs);
        } else {
            enqueue(call, request, deadlineNs);
        }
        retryBudget.called(nowNs);
    }

    private void enqueue(HttpCall call, HttpRequestParser request, long deadlineNs) throws CallException {
        EndpointPool pool = call.pool;
        if (!pool.anyAlive()) {
            services.forgetUnlessKept(pool);
            throw new CallException(Outcome.NO_PROVIDER, nobodyServes(pool));
        }
        if (call.isOneWay()) {
            // Once accepted, it could fail where nobody would hear of it.
            throw new CallException(Outcome.OVERLOADED, "every endpoint is at its limit");
        }
        if (!queue.hasRoom(request.bodyLength())) {
            throw new CallException(Outcome.OVERLOADED, "every endpoint is at its limit and the queue is full");
        }
        ByteBuf body = requests.body(call, request);
        add(call, deadlineNs);
        queue.add(call, body);
        pollQueue();
    }

    private void add(HttpCall call, long deadlineNs) {
        pending.add(call, deadlineNs);
        sweep.added(deadlineNs);
    }

    private void pollQueue() {
        if (!pollingQueue) {
            pollingQueue = true;
            eventLoop.schedule(this::queuePolled, QUEUE_POLL_MS, TimeUnit.MILLISECONDS);
        }
    }

    private void queuePolled() {
        pollingQueue = false;
        try {
            roomMadeAnywhere();
        } finally {
            if (!queue.isEmpty()) {
                pollQueue();
            }
        }
    }

    private static String nobodyServes(EndpointPool pool) {
        return "nobody serves " + pool.service + " now";
    }

    private void sendNow(
            HttpCall call, HttpRequestParser request, ProviderEndpoint endpoint, long deadlineNs, long nowNs)
            throws CallException {
        add(call, deadlineNs);
        try {
            requests.send(call, request, endpoint, nowNs);
        } catch (CallException | RuntimeException e) {
            pending.remove(call);
            throw e;
        }
        if (call.isOneWay()) {
            pending.remove(call);
            call.accepted();
        }
    }

    /** A method was executed: it may have its place in the table. */
    void known(Route route) {
        if (!route.isKept()) {
            router.keep(route);
        }
    }

    /** A RESPONSE has come on {@code link}. */
    void answered(ProviderLink link, ByteBuf in, int offset, int end) throws MalformedFrameException {
        HttpCall call = pending.get(MeshHeader.requestId(in, offset));
        if (call == null || call.link != link) {
            lateAnswers++;
            return;
        }
        int status = MeshHeader.status(in, offset);
        long nowNs = System.nanoTime();
        if (status == Outcome.NOT_EXECUTED.number()) {
            call.endpoint.refused(nowNs);
            int attachments = offset + MeshHeader.LENGTH + Short.BYTES;
            int requestBody = attachments + in.getUnsignedShort(attachments - Short.BYTES);
            if (sendAgain(call, in, requestBody, end, nowNs)) {
                return;
            }
        }
        pending.remove(call);
        if (status == Outcome.OK.number() && nowNs - call.deadlineNs() > 0) {
            // The sweep is yet to come; a provider that counts the deadline down answers null when it has passed.
            call.failed(Outcome.TIMEOUT, "no answer before the deadline");
        } else {
            call.completed(in, offset);
        }
        roomMadeAnywhere();
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
        call.sentAgain = true;
        ProviderEndpoint first = call.endpoint;
        requests.resend(call, other, in, body, end, nowNs);
        first.ended();
        sentAgain++;
        return true;
    }

    /** Whatever may have given an endpoint room again: those who wait are sent as far as it goes. */
    void roomMadeAnywhere() {
        if (!queue.isEmpty()) {
            long nowNs = System.nanoTime();
            services.forEachPool(pool -> {
                if (!queue.send(pool, nowNs)) {
                    failWaiting(pool);
                }
            });
        }
    }

    private void failWaiting(EndpointPool pool) {
        HttpCall call;
        while ((call = pool.waiting.peekFirst()) != null) {
            pending.remove(call);
            call.failed(Outcome.NO_PROVIDER, nobodyServes(pool));
        }
    }

    /** A call that waited has ended otherwise. */
    void leftQueue(HttpCall call) {
        queue.leave(call);
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
        pending.forEach(call -> {
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
                HttpCall call = pending.get(MeshHeader.requestId(unsent, at));
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
}
