package io.dubbomesh.consumer.upstream;

import io.dubbomesh.consumer.call.Route;
import io.dubbomesh.consumer.call.TimeoutSource;
import io.dubbomesh.consumer.http.Responder;
import io.dubbomesh.consumer.http.Response;
import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.protocol.Attachments;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.transport.call.CallPromise;
import io.netty.buffer.ByteBuf;

/**
 * A call on its way: waiting in the queue or in flight on an endpoint. Reused; {@link CallDispatcher} owns it.
 * <pre>
 *   FREE      to IN_FLIGHT when it is sent, to WAITING when it is queued
 *   WAITING   to IN_FLIGHT when an endpoint has room
 *             to FREE with its deadline, when its client leaves, or when no endpoint is left
 *   IN_FLIGHT to IN_FLIGHT, once, when it was given back and is sent to another endpoint
 *             to FREE with its response, its deadline, or the loss of its link
 * </pre>
 */
final class UpstreamCall extends CallPromise implements Responder.Cancellation {
    private final CallDispatcher dispatcher;
    /** Null once the client has left. */
    private Responder responder;

    private int flags;
    private Route route;
    private EndpointPool pool;
    private TimeoutSource timeoutSource;
    /** The endpoint that it was sent to; null while it waits. */
    private PoolMember member;

    /** When the last byte of its request was read. */
    private long receivedNs;
    /** When it was sent for the first time, and the last. */
    private long firstSentNs;

    private long sentNs;

    private EndpointLink link;
    /** The body of its REQUEST while it waits, else null; released with the call. */
    private ByteBuf queuedBody;

    private boolean namesInBody;
    /** Of the body that was sent; one that comes back has to be as long. */
    private int bodyLength;
    /** How often it was sent. */
    private int attempts;
    /** Why it was not sent elsewhere when it was given back; null if it was not given back for good. */
    private String keptReason;

    UpstreamCall(CallDispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    void begin(
            Responder to,
            Route calledRoute,
            EndpointPool endpoints,
            int requestFlags,
            long requestReceivedNs,
            TimeoutSource deadlineFrom) {
        receivedNs = requestReceivedNs;
        timeoutSource = deadlineFrom;
        responder = to;
        route = calledRoute;
        pool = endpoints;
        flags = requestFlags;
    }

    int flags() {
        return flags;
    }

    Route route() {
        return route;
    }

    EndpointPool pool() {
        return pool;
    }

    ProviderEndpoint endpoint() {
        return member.endpoint;
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

    /** Whether its REQUEST has the names, because there is no method id. */
    boolean namesInBody() {
        return namesInBody;
    }

    int bodyLength() {
        return bodyLength;
    }

    /** Whether it may be sent to another endpoint; once is enough. */
    boolean maySendAgain() {
        return attempts <= 1;
    }

    void queue(ByteBuf body) {
        queuedBody = body;
    }

    ByteBuf queuedBody() {
        return queuedBody;
    }

    void releaseQueuedBody() {
        queuedBody.release();
        queuedBody = null;
    }

    /** Its REQUEST is in the batch of this endpoint's link, which may be its second one. */
    void sentTo(PoolMember to, EndpointLink on, boolean withNames, int sentBodyLength, long nowNs) {
        attempts++;
        if (member != null) {
            member.ended();
        } else {
            pool.inFlight++;
            firstSentNs = nowNs;
        }
        member = to;
        link = on;
        namesInBody = withNames;
        bodyLength = sentBodyLength;
        sentNs = nowNs;
        to.sent(nowNs);
    }

    /** It was given back, not executed. */
    void refused(long nowNs) {
        member.refused(sentNs, nowNs);
    }

    /** It was given back and cannot be sent elsewhere. */
    void notSentAgain(String reason) {
        keptReason = reason;
    }

    /** A response with another status than NOT_EXECUTED has come. */
    void answered(int status, long nowNs) {
        member.answered(status, sentNs, nowNs);
    }

    /** Its link is gone. */
    void lost(String detail) {
        long nowNs = System.nanoTime();
        member.failed(sentNs, nowNs);
        fail(Outcome.PROVIDER_ERROR, detail + ", " + PoolReport.duration(nowNs - sentNs) + " after the call was sent");
    }

    /** The client has left. What is in flight ends with its answer, what waits ends now. */
    @Override
    public void cancelled() {
        CallRecord record = responder.record();
        if (record != null) {
            describe(record);
        }
        responder = null;
        if (isWaiting()) {
            dispatcher.cancelWaiting(this);
        }
    }

    @Override
    protected void completed(ByteBuf in, int offset) {
        Outcome outcome = Outcome.ofNumber(MeshHeader.status(in, offset));
        if (outcome == null) {
            fail(Outcome.PROVIDER_ERROR, "a response with an unknown status");
            return;
        }
        int body = offset + MeshHeader.LENGTH;
        int attachments = body + Short.BYTES;
        int attachmentsLength = in.getUnsignedShort(body);
        CallRecord record = responder == null ? null : responder.record();
        if (record != null) {
            record.arrived(link.readNs());
            if (link.timing().read(in, attachments, attachmentsLength)) {
                record.timed(link.timing());
            }
        }
        if (outcome == Outcome.NOT_EXECUTED) {
            String unserved = Attachments.value(in, attachments, attachmentsLength, Attachments.UNSERVED);
            if (unserved == null) {
                failNotExecuted(Attachments.value(in, attachments, attachmentsLength, Attachments.UNAVAILABLE));
            } else {
                fail(Outcome.SERVICE_NOT_FOUND, unserved);
            }
            return;
        }
        int document = attachments + attachmentsLength;
        int documentLength = body + MeshHeader.bodyLength(in, offset) - document;
        boolean json = (MeshHeader.flags(in, offset) & Flags.JSON) != 0;
        if (outcome == Outcome.OK || outcome == Outcome.SERVICE_EXCEPTION) {
            dispatcher.executed(route, pool);
        }
        if (responder == null) {
            // Also when the agent has closed its view of responses already.
            dispatcher.free(this);
            return;
        }
        Response response = dispatcher.response();
        if (outcome == Outcome.OK) {
            Response.Content content = json ? Response.Content.JSON : Response.Content.TEXT;
            ByteBuf described = json && route.name().method().equals(MethodName.DESCRIBE)
                    ? ServedVariants.addTo(in, document, documentLength, pool.filledFrom)
                    : null;
            if (described == null) {
                response.set(outcome, content, in, attachments, document, documentLength);
            } else {
                response.set(outcome, content, described, 0, 0, described.readableBytes());
            }
        } else {
            response.problem(outcome, in, attachments, document, documentLength);
        }
        end(response.served(firstSentNs, link.readNs()), outcome != Outcome.OK);
    }

    /** @param unavailability why the provider takes no calls; null if it has too many */
    private void failNotExecuted(String unavailability) {
        if (unavailability == null) {
            fail(Outcome.OVERLOADED, "refused by " + member.endpoint + keptReason);
        } else {
            fail(Outcome.NO_PROVIDER, "refused by " + member.endpoint + keptReason + ": " + unavailability);
        }
    }

    /** It is one-way and on its way: nothing else will be known of it. */
    void accepted() {
        end(dispatcher.response().accepted(), false);
    }

    /** Its deadline has passed. */
    @Override
    protected void failed(Outcome outcome, String detail) {
        long nowNs = System.nanoTime();
        if (member != null) {
            member.timedOut(sentNs, nowNs);
        }
        failLate(nowNs);
    }

    /** Ends it because its deadline has passed. */
    void failLate(long nowNs) {
        String timeout = "no answer before the deadline, " + PoolReport.duration(deadlineNs() - receivedNs)
                + " after the request (" + timeoutSource + "): ";
        if (member == null) {
            String waited = PoolReport.duration(nowNs - receivedNs);
            fail(
                    Outcome.TIMEOUT,
                    timeout + "waited " + waited + " for an endpoint with room; " + PoolReport.of(pool, nowNs));
        } else {
            String holdUp = link.holdUp(route);
            fail(
                    Outcome.TIMEOUT,
                    timeout + "sent to " + member.endpoint + (attempts > 1 ? ", its second endpoint, " : " ")
                            + PoolReport.duration(nowNs - sentNs) + " ago, having waited "
                            + PoolReport.duration(sentNs - receivedNs) + (holdUp == null ? "" : "; " + holdUp));
        }
    }

    /** Something was thrown while its response was taken, so that nobody else would end it. */
    void failByFault() {
        if (responder != null && id() == 0) {
            end(dispatcher.response().fault(), true);
        }
    }

    /** Ends it without the response of a provider agent. */
    void fail(Outcome outcome, String detail) {
        if (responder == null) {
            // Also when the agent has closed its view of responses already.
            dispatcher.free(this);
        } else {
            end(dispatcher.response().problem(outcome, detail), true);
        }
    }

    private void end(Response response, boolean failure) {
        Responder to = responder;
        CallRecord record = to == null ? null : to.record();
        if (record != null) {
            describe(record);
        }
        if (member != null) {
            boolean asked = record != null && record.isTold();
            response.from(member.endpoint.name(), member.endpoint.headerField(failure || asked));
        }
        dispatcher.free(this);
        if (to != null) {
            to.respond(response);
        }
    }

    private void describe(CallRecord record) {
        if (member != null) {
            record.sent(member.endpoint.name(), attempts, firstSentNs);
        }
    }

    /** Leaves its endpoint; ready for the next call. */
    void reset() {
        assert id() == 0 : "still pending";
        if (member != null) {
            member.ended();
            pool.inFlight--;
        }
        if (queuedBody != null) {
            releaseQueuedBody();
        }
        responder = null;
        route = null;
        pool = null;
        member = null;
        link = null;
        namesInBody = false;
        attempts = 0;
        keptReason = null;
    }
}
