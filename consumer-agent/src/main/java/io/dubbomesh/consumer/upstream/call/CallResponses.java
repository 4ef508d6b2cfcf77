package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.consumer.upstream.link.Elapsed;
import io.dubbomesh.consumer.upstream.link.EndpointLink;
import io.dubbomesh.consumer.upstream.pool.PoolReport;
import io.dubbomesh.protocol.Attachments;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.netty.buffer.ByteBuf;

/**
 * Responds to the clients of calls that end, through the {@link Response} of the loop. A call whose client has left is
 * passed over: the agent may have closed the view of responses by then. Owned by one event loop.
 */
final class CallResponses {
    private final Response response;

    /** @param response of the loop, not closed here */
    CallResponses(Response response) {
        this.response = response;
    }

    /** Responds by the RESPONSE of an endpoint, which starts at {@code offset} and is wholly in {@code in}. */
    void answer(UpstreamCall call, ByteBuf in, int offset) {
        if (!call.isAwaited()) {
            return;
        }
        Outcome outcome = Outcome.ofNumber(MeshHeader.status(in, offset));
        if (outcome == null) {
            fail(call, Outcome.PROVIDER_ERROR, "a response with an unknown status");
            return;
        }
        int body = offset + MeshHeader.LENGTH;
        int attachments = body + Short.BYTES;
        int attachmentsLength = in.getUnsignedShort(body);
        recordTimes(call, in, attachments, attachmentsLength);
        if (outcome == Outcome.NOT_EXECUTED) {
            refuse(call, in, attachments, attachmentsLength);
            return;
        }
        int document = attachments + attachmentsLength;
        int documentLength = body + MeshHeader.bodyLength(in, offset) - document;
        if (outcome == Outcome.OK) {
            boolean json = (MeshHeader.flags(in, offset) & Flags.JSON) != 0;
            setResult(call, json, in, attachments, document, documentLength);
        } else {
            response.problem(outcome, in, attachments, document, documentLength);
        }
        response.served(call.firstSentNs(), call.link().readNs());
        respond(call, outcome != Outcome.OK);
    }

    /** Responds to a call whose RESPONSE was discarded. */
    void answerWithoutRoom(UpstreamCall call, int bytes) {
        if (!call.isAwaited()) {
            return;
        }
        CallRecord record = call.record();
        if (record != null) {
            record.call().arrived(call.link().readNs());
        }
        response.noRoomFor(bytes);
        response.served(call.firstSentNs(), call.link().readNs());
        respond(call, true);
    }

    private void recordTimes(UpstreamCall call, ByteBuf in, int attachments, int attachmentsLength) {
        CallRecord record = call.record();
        if (record != null) {
            EndpointLink link = call.link();
            record.call().arrived(link.readNs());
            if (link.timing().read(in, attachments, attachmentsLength)) {
                record.call().timed(link.timing());
            }
        }
    }

    private void setResult(UpstreamCall call, boolean json, ByteBuf in, int attachments, int document, int length) {
        Response.Content content = json ? Response.Content.JSON : Response.Content.TEXT;
        ByteBuf described = json && call.route().name().method().equals(MethodName.DESCRIBE)
                ? ServedVariants.addTo(in, document, length, call.pool().listed())
                : null;
        if (described == null) {
            response.set(Outcome.OK, content, in, attachments, document, length);
        } else {
            response.set(Outcome.OK, content, described, 0, 0, described.readableBytes());
        }
    }

    /** Responds to a call that was given back and is not sent to another endpoint. */
    private void refuse(UpstreamCall call, ByteBuf in, int attachments, int attachmentsLength) {
        String unserved = Attachments.value(in, attachments, attachmentsLength, Attachments.UNSERVED);
        if (unserved != null) {
            fail(call, Outcome.SERVICE_NOT_FOUND, unserved);
            return;
        }
        String refused = "refused by " + call.endpoint() + call.keptReason();
        // Without a reason the provider has too many calls.
        String unavailability = Attachments.value(in, attachments, attachmentsLength, Attachments.UNAVAILABLE);
        if (unavailability == null) {
            fail(call, Outcome.OVERLOADED, refused);
        } else {
            fail(call, Outcome.NO_PROVIDER, refused + ": " + unavailability);
        }
    }

    /** Responds to a one-way call that was sent: nothing else will be known of it. */
    void accept(UpstreamCall call) {
        if (call.isAwaited()) {
            response.accepted();
            respond(call, false);
        }
    }

    /** Responds to a call whose deadline has passed. */
    void timeOut(UpstreamCall call, long nowNs) {
        if (!call.isAwaited()) {
            return;
        }
        String timeout = "no answer before the deadline, " + Elapsed.text(call.deadlineNs() - call.receivedNs())
                + " after the request (" + call.timeoutSource() + "): ";
        if (call.isWaiting()) {
            String waited = Elapsed.text(nowNs - call.receivedNs());
            fail(
                    call,
                    Outcome.TIMEOUT,
                    timeout + "waited " + waited + " for an endpoint with room; " + PoolReport.of(call.pool(), nowNs));
        } else {
            String holdUp = call.link().delayReason(call.route());
            fail(
                    call,
                    Outcome.TIMEOUT,
                    timeout + "sent to " + call.endpoint() + (call.attempts() > 1 ? ", its second endpoint, " : " ")
                            + Elapsed.text(nowNs - call.lastSentNs()) + " ago, having waited "
                            + Elapsed.text(call.lastSentNs() - call.receivedNs())
                            + (holdUp == null ? "" : "; " + holdUp));
        }
    }

    /** Responds to a call after something was thrown while its RESPONSE was processed, unless it was answered. */
    void fault(UpstreamCall call) {
        if (call.isAwaited()) {
            response.fault();
            respond(call, true);
        }
    }

    /** Responds without the RESPONSE of an endpoint. */
    void fail(UpstreamCall call, Outcome outcome, String detail) {
        if (call.isAwaited()) {
            response.problem(outcome, detail);
            respond(call, true);
        }
    }

    /** Notes what became of a call whose client has left: it gets no response. */
    void abandon(UpstreamCall call) {
        describe(call);
        call.takeResponder();
    }

    private void respond(UpstreamCall call, boolean failure) {
        CallRecord record = describe(call);
        if (!call.isWaiting()) {
            boolean asked = record != null && record.areTimesRequested();
            response.from(call.endpoint().name(), call.endpoint().headerField(failure || asked));
        }
        call.takeResponder().respond(response);
    }

    private static CallRecord describe(UpstreamCall call) {
        CallRecord record = call.record();
        if (record != null && !call.isWaiting()) {
            record.call().sent(call.endpoint().name(), call.endpoint().protocol(), call.attempts(), call.firstSentNs());
        }
        return record;
    }
}
