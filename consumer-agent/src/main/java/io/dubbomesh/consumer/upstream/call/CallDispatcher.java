package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.call.ParsedCall;
import io.dubbomesh.consumer.call.Route;
import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.upstream.call.StreamCounters.End;
import io.dubbomesh.consumer.upstream.link.Elapsed;
import io.dubbomesh.consumer.upstream.link.EndpointLink;
import io.dubbomesh.consumer.upstream.link.EndpointListener;
import io.dubbomesh.consumer.upstream.link.ProviderEndpoint;
import io.dubbomesh.consumer.upstream.pool.EndpointPool;
import io.dubbomesh.consumer.upstream.pool.PoolMember;
import io.dubbomesh.consumer.upstream.pool.PoolReport;
import io.dubbomesh.consumer.upstream.pool.Services;
import io.dubbomesh.protocol.Attachments;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.protocol.mesh.FrameType;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.runtime.metrics.Metric;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.dubbomesh.transport.call.DeadlineSweep;
import io.dubbomesh.transport.call.PendingCalls;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The calls of one event loop: sent to an endpoint with room or queued until one has room; answered, sent again if they
 * were certainly not executed, or ended by their deadline. Owned by the loop.
 */
final class CallDispatcher implements EndpointListener, UpstreamCall.Listener {
    private static final Metric IN_FLIGHT =
            Metric.gauge("dubbomesh_consumer_requests_in_flight", "Calls that were sent and are not answered yet.");
    private static final Metric WAITING =
            Metric.gauge("dubbomesh_consumer_requests_waiting", "Calls that wait until an endpoint has room.");
    private static final Metric GIVEN_BACK = Metric.counter(
            "dubbomesh_consumer_requests_given_back_total", "Calls that a provider agent gave back (NOT_EXECUTED).");
    private static final Metric RETRIED = Metric.counter(
            "dubbomesh_consumer_requests_retried_total", "Calls that were sent to a second endpoint after that.");
    private static final Metric LATE =
            Metric.counter("dubbomesh_consumer_responses_late_total", "Responses to calls that had ended before.");

    /** Calls kept for reuse; more than this are in flight only in an overload. */
    private static final int CALLS_KEPT = 4096;
    /**
     * The time between attempts to send queued calls though no call has ended: an endpoint may have room again just
     * because time has passed.
     */
    private static final long QUEUE_POLL_MS = 10;

    private final Turn turn;
    private final Services services;
    private final Consumer<Route> executed;
    private final CallResponses responses;
    private final PendingCalls<UpstreamCall> pending;
    private final ExpectedCalls expected;
    private final DeadlineSweep sweep;
    private final RetryBudget retryBudget;
    private final RequestWriter requests;
    private final CallQueue queue;
    private final StreamedCalls streams;
    private final ArrayDeque<UpstreamCall> freeCalls = new ArrayDeque<>();
    private final Runnable drain = this::drainQueue;
    private boolean pollingQueue;
    /** Responses to calls that had ended before. */
    private long lateResponses;
    /** Calls that were sent a second time. */
    private long sentAgain;

    private long givenBack;

    CallDispatcher(
            Turn turn,
            QueueSettings settings,
            StreamSettings streamSettings,
            int maxFrame,
            Services services,
            Consumer<Route> executed,
            Response response) {
        this.turn = turn;
        this.services = services;
        this.executed = executed;
        responses = new CallResponses(response);
        long nowNs = System.nanoTime();
        requests = new RequestWriter(maxFrame);
        pending = new PendingCalls<>(nowNs, this::expired);
        expected = new ExpectedCalls(pending);
        queue = new CallQueue(settings, turn, requests, this::acceptLate, this::refuseLate);
        sweep = new DeadlineSweep(turn.eventLoop(), pending);
        streams = new StreamedCalls(streamSettings, turn, pending, sweep);
        retryBudget = new RetryBudget(nowNs);
    }

    int pendingCount() {
        return pending.size();
    }

    void addTo(MetricSamples samples) {
        samples.add(IN_FLIGHT, pending.size() - queue.size());
        samples.add(WAITING, queue.size());
        samples.add(GIVEN_BACK, givenBack);
        samples.add(RETRIED, sentAgain);
        samples.add(LATE, lateResponses);
        streams.addTo(samples);
    }

    /** Returns the number of queued calls. */
    int waitingCount() {
        return queue.size();
    }

    private UpstreamCall newCall() {
        UpstreamCall call = freeCalls.pollLast();
        return call != null ? call : new UpstreamCall(this);
    }

    /** Takes back a call that has ended and is not pending any more. */
    private void free(UpstreamCall call) {
        if (call.isWaiting()) {
            queue.remove(call);
        } else {
            queue.callEnded(call.endpoint());
        }
        streams.ended(call);
        call.reset();
        if (freeCalls.size() < CALLS_KEPT) {
            freeCalls.addLast(call);
        }
    }

    /** What is in flight ends with its RESPONSE, what waits and a stream end now. */
    @Override
    public void cancelled(UpstreamCall call) {
        responses.abandon(call);
        if (call.stream() != null) {
            cancelStream(call);
        } else if (call.isWaiting()) {
            pending.remove(call);
            free(call);
        }
    }

    private void cancelStream(UpstreamCall call) {
        pending.remove(call);
        try {
            StreamedCalls.cancel(call, End.CLIENT);
        } finally {
            free(call);
        }
    }

    @Override
    public void resumed(UpstreamCall call) {
        streams.resumed(call);
    }

    /** Called when the deadline of a call has passed, which is not pending any more. */
    private void expired(UpstreamCall call) {
        long nowNs = System.nanoTime();
        if (call.stream() != null) {
            endStream(call, Outcome.TIMEOUT, streams.timeout(call));
            return;
        }
        if (!call.isWaiting()) {
            call.member().timedOut(call.lastSentNs(), nowNs);
        }
        try {
            responses.timeOut(call, nowNs);
        } finally {
            free(call);
        }
    }

    /** Ends a stream that is not pending any more, at both ends. */
    private void endStream(UpstreamCall call, Outcome outcome, String detail) {
        try {
            StreamedCalls.cancel(call, outcome == Outcome.TIMEOUT ? End.TIMEOUT : End.OVERLOAD);
        } finally {
            try {
                responses.fail(call, outcome, detail);
            } finally {
                free(call);
            }
        }
    }

    /**
     * Sends a call to an endpoint with room, or else, unless it is one-way, queues it.
     *
     * @throws CallException if it can be neither sent nor queued; the responder is not used then
     */
    void dispatch(ParsedCall parsed, Responder responder, long receivedNs, long nowNs) throws CallException {
        EndpointPool pool = services.poolOf(parsed.route(), parsed.attachments());
        long providersTimeoutMs = pool.timeoutMs(parsed.route().name().method());
        if (providersTimeoutMs > 0) {
            parsed.useTimeout(providersTimeoutMs);
        }
        long deadlineNs = receivedNs + parsed.timeoutNs();
        if (deadlineNs - nowNs <= 0) {
            throw new CallException(Outcome.TIMEOUT, "the deadline passed while the request waited behind others");
        }
        if (parsed.streamFormat() != null && !turn.memory().hasRoomForStream()) {
            // The provider may send a whole window of it before it is known that its client is slow.
            throw new CallException(Outcome.OVERLOADED, "no room for another stream (memory.budget)");
        }
        PoolMember member = queue.pick(pool, parsed.route(), parsed.key(), nowNs);
        if (member == null) {
            requireQueueable(parsed, pool, deadlineNs - nowNs, nowNs);
        }
        UpstreamCall call = newCall();
        call.begin(responder, parsed, pool, receivedNs);
        streams.begins(call);
        pending.add(call, deadlineNs);
        boolean sent = false;
        try {
            if (member != null) {
                requests.send(call, parsed, member, nowNs);
            } else {
                queue.add(call, requests.body(call, parsed), nowNs);
            }
            sent = true;
        } finally {
            if (!sent) {
                pending.remove(call);
                free(call);
            }
        }
        responder.onCancel(call);
        sweep.added(deadlineNs);
        retryBudget.called(nowNs);
        if (member == null) {
            pollQueue();
        } else if (parsed.isOneWay()) {
            accept(call);
        }
    }

    private void accept(UpstreamCall call) {
        pending.remove(call);
        try {
            responses.accept(call);
        } finally {
            free(call);
        }
    }

    private void requireQueueable(ParsedCall parsed, EndpointPool pool, long timeLeftNs, long nowNs)
            throws CallException {
        pool.open(nowNs);
        // The client of a one-way call waits for the first links only: it is answered when the call is sent.
        boolean waits = !parsed.isOneWay() || pool.isOpening(nowNs);
        if (waits ? !pool.isWorthWaiting() : !pool.anyAlive()) {
            throw new CallException(Outcome.NO_PROVIDER, noProvider(pool, nowNs));
        }
        if (!waits) {
            throw new CallException(
                    Outcome.OVERLOADED,
                    full(parsed.route()) + ", and a one-way call does not wait; " + PoolReport.of(pool, nowNs));
        }
        String refusal = queue.refusal(pool, parsed.route(), parsed.argumentsLength(), timeLeftNs, nowNs);
        if (refusal != null) {
            throw new CallException(
                    Outcome.OVERLOADED, full(parsed.route()) + " and " + refusal + "; " + PoolReport.of(pool, nowNs));
        }
    }

    private static String full(Route route) {
        return "every endpoint is at its limit"
                + (route.isUnproven() ? " (half of it for methods that were never executed)" : "");
    }

    private static String noProvider(EndpointPool pool, long nowNs) {
        return "no endpoint of " + pool + " takes calls; " + PoolReport.of(pool, nowNs);
    }

    private void pollQueue() {
        if (!pollingQueue) {
            pollingQueue = true;
            turn.eventLoop().schedule(this::queuePolled, QUEUE_POLL_MS, TimeUnit.MILLISECONDS);
        }
    }

    private void queuePolled() {
        pollingQueue = false;
        try {
            drainQueue();
        } finally {
            if (!queue.isEmpty()) {
                pollQueue();
            }
        }
    }

    /**
     * Accepts a one-way call that has waited for the first links and is on its way. It counts until the turn's end, so
     * that an endpoint is not sent all that wait at once.
     */
    private void acceptLate(UpstreamCall call) {
        long id = call.id();
        turn.ready(() -> {
            if (pending.get(id) == call) {
                accept(call);
            }
        });
    }

    /** Ends a call that has waited and is not sent, since there is no room for its answer. */
    private void refuseLate(UpstreamCall call, CallException reason) {
        long id = call.id();
        turn.ready(() -> {
            if (pending.get(id) == call) {
                fail(call, reason.outcome(), reason.getMessage());
            }
        });
    }

    @Override
    public void expect(long[] requestIds, int count) {
        expected.load(requestIds, count);
    }

    @Override
    public void responded(EndpointLink link, ByteBuf in, int offset, int end) throws MalformedFrameException {
        UpstreamCall call = pending.get(MeshHeader.requestId(in, offset));
        if (call == null || !call.isOn(link)) {
            late(link, in, offset);
            return;
        }
        if ((MeshHeader.flags(in, offset) & Flags.MORE) != 0) {
            if ((call.flags() & Flags.STREAM) == 0) {
                throw new MalformedFrameException(
                        "RESPONSE with MORE to a request without STREAM (expected: one that ends the call)");
            }
            received(call, in, offset, link.readNs());
            return;
        }
        int status = MeshHeader.status(in, offset);
        long nowNs = link.readNs();
        call.endpoint().reported(link, in, offset, nowNs);
        if (status == Outcome.NOT_EXECUTED.number()) {
            if (call.hasBegunStream()) {
                throw new MalformedFrameException("RESPONSE: a stream given back behind its first message");
            }
            int attachments = offset + MeshHeader.LENGTH + Short.BYTES;
            int requestBody = attachments + in.getUnsignedShort(attachments - Short.BYTES);
            if (end - requestBody != call.bodyLength()) {
                throw new MalformedFrameException("RESPONSE: a request given back with " + (end - requestBody)
                        + " bytes (expected: the " + call.bodyLength() + " that were sent)");
            }
            givenBack++;
            boolean isUnserved = requestBody > attachments
                    && Attachments.value(in, attachments, requestBody - attachments, Attachments.UNSERVED) != null;
            if (isUnserved) {
                unserved(call);
            } else {
                call.member().refused(call.lastSentNs(), nowNs);
            }
            if (sendAgain(call, in, requestBody, end, nowNs)) {
                return;
            }
        } else {
            // A Dubbo provider may say so while it starts.
            if (status == Outcome.SERVICE_NOT_FOUND.number() && call.endpoint().isAgent()) {
                unserved(call);
            }
            if (!call.hasBegunStream()) {
                call.member().answered(status, call.lastSentNs(), nowNs);
            }
            if (status == Outcome.OK.number() && call.stream() != null) {
                StreamedCalls.completed(call);
            }
        }
        pending.remove(call);
        try {
            complete(call, status, in, offset, nowNs);
        } catch (RuntimeException | Error e) {
            responses.fault(call);
            throw e;
        } finally {
            free(call);
        }
    }

    /** Called with a RESPONSE to a call that has ended. A stream would go on. */
    private void late(EndpointLink link, ByteBuf in, int offset) {
        lateResponses++;
        if ((MeshHeader.flags(in, offset) & Flags.MORE) != 0) {
            link.cancelStream(MeshHeader.requestId(in, offset));
        }
    }

    /** Called with the beginning of a stream, or a message of one. */
    private void received(UpstreamCall call, ByteBuf in, int offset, long nowNs) {
        if (!call.isAwaited()) {
            // Its client has left before it was known to be a stream.
            pending.remove(call);
            try {
                call.link().cancelStream(MeshHeader.requestId(in, offset));
            } finally {
                free(call);
            }
            return;
        }
        String refusal = streams.refusal(call);
        if (refusal != null) {
            pending.remove(call);
            endStream(call, Outcome.OVERLOADED, refusal);
            return;
        }
        if (streams.received(call, in, offset, nowNs)) {
            call.member().answered(Outcome.OK.number(), call.lastSentNs(), nowNs);
            prove(call);
            // It may last for hours; its endpoint has room for others.
            call.leaveEndpoint();
            queue.callEnded(call.endpoint());
        }
    }

    @Override
    public boolean awaits(EndpointLink link, ByteBuf in, int offset) {
        UpstreamCall call = pending.get(MeshHeader.requestId(in, offset));
        boolean isAwaited = call != null && call.isOn(link);
        if (!isAwaited) {
            late(link, in, offset);
        }
        return isAwaited;
    }

    @Override
    public void discarded(EndpointLink link, ByteBuf in, int offset) {
        UpstreamCall call = pending.get(MeshHeader.requestId(in, offset));
        if ((MeshHeader.flags(in, offset) & Flags.MORE) != 0) {
            link.cancelStream(MeshHeader.requestId(in, offset));
            fail(
                    call,
                    Outcome.OVERLOADED,
                    "no room for a message of " + MeshHeader.bodyLength(in, offset) + " bytes (memory.budget)");
            return;
        }
        int status = MeshHeader.status(in, offset);
        long nowNs = link.readNs();
        call.endpoint().reported(link, in, offset, nowNs);
        if (status == Outcome.NOT_EXECUTED.number()) {
            givenBack++;
            call.member().refused(call.lastSentNs(), nowNs);
            fail(call, Outcome.OVERLOADED, "refused by " + call.endpoint() + ", and there is no room to send it again");
            return;
        }
        if (!call.hasBegunStream()) {
            call.member().answered(status, call.lastSentNs(), nowNs);
        }
        pending.remove(call);
        try {
            if (acceptInTime(call, status, nowNs)) {
                responses.answerWithoutRoom(call, MeshHeader.bodyLength(in, offset));
            }
        } catch (RuntimeException | Error e) {
            responses.fault(call);
            throw e;
        } finally {
            free(call);
        }
    }

    private void complete(UpstreamCall call, int status, ByteBuf in, int offset, long nowNs) {
        if (acceptInTime(call, status, nowNs)) {
            responses.answer(call, in, offset);
        }
    }

    /** Returns whether the RESPONSE has come before the deadline; else the call is answered that it has not. */
    private boolean acceptInTime(UpstreamCall call, int status, long nowNs) {
        if (status == Outcome.OK.number() && nowNs - call.deadlineNs() > 0) {
            // The deadline sweep has not found it yet; a provider that counts the deadline down answers null when it
            // has passed.
            responses.timeOut(call, nowNs);
            return false;
        }
        boolean executedThere = status == Outcome.OK.number() || status == Outcome.SERVICE_EXCEPTION.number();
        if (executedThere) {
            prove(call);
        }
        return true;
    }

    /** Called when the method of a call was executed. */
    private void prove(UpstreamCall call) {
        if (!call.route().isKept()) {
            executed.accept(call.route());
            services.prove(call.pool());
        }
    }

    /** Called when the endpoint has answered that it does not serve the service of the call. */
    private void unserved(UpstreamCall call) {
        EndpointPool pool = call.pool();
        ProviderEndpoint endpoint = call.endpoint();
        turn.ready(() -> services.unserved(pool, endpoint));
    }

    /**
     * Sends a call that was not executed to another endpoint, once, if the budget allows it.
     *
     * @param body where the body of its REQUEST starts in {@code in}
     */
    private boolean sendAgain(UpstreamCall call, ByteBuf in, int body, int end, long nowNs)
            throws MalformedFrameException {
        if (!call.maySendAgain()) {
            call.keep(", its second endpoint");
            return false;
        }
        PoolMember other = call.pool().pick(call.key(), call.endpoint(), nowNs);
        if (other == null) {
            call.keep(", and no other endpoint has room");
            return false;
        }
        if (!retryBudget.tryRetry(nowNs)) {
            call.keep(", and a tenth of the calls is sent again already");
            return false;
        }
        if (!requests.resend(call, other, in, body, end, nowNs)) {
            call.keep(", and with its names it is too long for a frame");
            return false;
        }
        sentAgain++;
        return true;
    }

    /** Serves the queue at the end of the turn: endpoints may have room, or may be gone. */
    @Override
    public void roomAdded() {
        if (!queue.isEmpty()) {
            turn.ready(drain);
        }
    }

    /** Sends queued calls as long as endpoints have room, and fails those that no endpoint is left for. */
    private void drainQueue() {
        if (!queue.isEmpty()) {
            queue.serveAll(System.nanoTime());
            for (PoolQueue waiting : queue.waiting()) {
                if (!waiting.pool().isWorthWaiting()) {
                    failAll(waiting);
                }
            }
        }
    }

    private void failAll(PoolQueue waiting) {
        String detail = noProvider(waiting.pool(), System.nanoTime());
        UpstreamCall call;
        while ((call = waiting.first()) != null) {
            fail(call, Outcome.NO_PROVIDER, detail);
        }
    }

    private void fail(UpstreamCall call, Outcome outcome, String detail) {
        pending.remove(call);
        try {
            responses.fail(call, outcome, detail);
        } finally {
            free(call);
        }
    }

    @Override
    public void unavailable(ProviderEndpoint endpoint) {
        turn.ready(() -> services.unavailable(endpoint));
        roomAdded();
    }

    /**
     * Called when a link is lost. Calls that had not been handed to the channel were certainly not executed and may go
     * to another endpoint.
     */
    @Override
    public void linkLost(EndpointLink link, String reason, ByteBuf unsent) {
        if (unsent != null) {
            sendElsewhere(link, unsent);
        }
        pending.forEach(call -> {
            if (call.isOn(link)) {
                lost(call, "connection to " + call.endpoint() + " lost: " + reason);
            }
        });
        roomAdded();
    }

    private void lost(UpstreamCall call, String detail) {
        long nowNs = System.nanoTime();
        call.member().failed(call.lastSentNs(), nowNs);
        String age = Elapsed.text(nowNs - call.lastSentNs());
        fail(call, Outcome.PROVIDER_ERROR, detail + ", " + age + " after the call was sent");
    }

    private void sendElsewhere(EndpointLink link, ByteBuf unsent) {
        int at = unsent.readerIndex();
        while (at < unsent.writerIndex()) {
            int end = at + MeshHeader.LENGTH + MeshHeader.bodyLength(unsent, at);
            if (MeshHeader.type(unsent, at) == FrameType.REQUEST && !sendElsewhere(link, unsent, at, end)) {
                refuseUnsent(link, MeshHeader.requestId(unsent, at));
            }
            at = end;
        }
    }

    /** Sends a call to another endpoint. This is no retry: no endpoint has seen the call. */
    @Override
    public boolean sendElsewhere(EndpointLink link, ByteBuf in, int at, int end) {
        UpstreamCall call = pending.get(MeshHeader.requestId(in, at));
        if (call == null || !call.isOn(link)) {
            return false;
        }
        long nowNs = System.nanoTime();
        PoolMember other = call.pool().pick(call.key(), call.endpoint(), nowNs);
        if (other == null) {
            return false;
        }
        try {
            return requests.resend(call, other, in, at + MeshHeader.LENGTH, end, nowNs);
        } catch (MalformedFrameException e) {
            throw new AssertionError("a frame that was written here", e);
        }
    }

    private void refuseUnsent(EndpointLink link, long requestId) {
        UpstreamCall call = pending.get(requestId);
        if (call != null && call.isOn(link)) {
            Outcome outcome = call.pool().anyAlive() ? Outcome.OVERLOADED : Outcome.NO_PROVIDER;
            fail(
                    call,
                    outcome,
                    "the connection to " + call.endpoint() + " was lost before the call was sent; "
                            + PoolReport.of(call.pool(), System.nanoTime()));
        }
    }
}
