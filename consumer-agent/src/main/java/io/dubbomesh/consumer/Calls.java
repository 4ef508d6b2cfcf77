package io.dubbomesh.consumer;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.protocol.mesh.FrameType;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.protocol.mesh.RequestBody;
import io.dubbomesh.transport.PendingCalls;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
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

    private final EventLoop eventLoop;
    private final ConsumerSettings settings;
    private final Services services;
    private final Router router;
    private final FormRequest form;
    private final PendingCalls pending;
    private final RetryBudget retryBudget;
    private final RequestBody requestBody = new RequestBody();
    private final ArrayDeque<HttpCall> freeCalls = new ArrayDeque<>();
    private int waiting;
    private boolean sweeping;
    private long lateAnswers;
    private long sentAgain;

    Calls(EventLoop eventLoop, ConsumerSettings settings, Services services) {
        this.eventLoop = eventLoop;
        this.settings = settings;
        this.services = services;
        long nowNs = System.nanoTime();
        router = new Router(settings.maxMethods());
        form = new FormRequest(settings.maxFormFields());
        pending = new PendingCalls(nowNs);
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
        form.parse(request.body(), request.bodyOffset(), request.bodyLength());
        Route route = router.find(form);
        if (form.parameterCount() != route.parameterCount) {
            throw new CallException(
                    Outcome.BAD_REQUEST,
                    "parameter: " + form.parameterCount() + " of them (expected: " + route.parameterCount
                            + ", as in parameterTypesString)");
        }
        EndpointPool pool = services.poolOf(route);
        call.route = route;
        call.pool = pool;
        ProviderEndpoint endpoint = pool.waiting.isEmpty() ? pool.pick(null, nowNs) : null;
        long timeoutNs = request.timeoutMillis() > 0
                ? TimeUnit.MILLISECONDS.toNanos(request.timeoutMillis())
                : settings.requestTimeoutNs();
        if (endpoint != null) {
            sendForm(call, request, endpoint, nowNs, timeoutNs);
        } else if (!pool.anyAlive()) {
            services.forgetUnlessKept(pool);
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

    /** A method was answered other than by "not found": it may have its place in the table. */
    void known(Route route) {
        if (!route.isKept()) {
            router.keep(route);
        }
    }

    /** A RESPONSE has come on {@code link}. */
    void answered(ProviderLink link, ByteBuf in, int offset, int end) throws MalformedFrameException {
        HttpCall call = (HttpCall) pending.get(MeshHeader.requestId(in, offset));
        if (call == null || call.link != link) {
            lateAnswers++;
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
        sentAgain++;
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
        services.forEachPool(pool -> sendWaiting(pool, nowNs));
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
}
