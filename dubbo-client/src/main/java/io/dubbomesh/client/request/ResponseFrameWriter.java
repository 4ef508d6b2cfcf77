package io.dubbomesh.client.request;

import io.dubbomesh.client.call.CallListener;
import io.dubbomesh.client.call.CalledMethod;
import io.dubbomesh.client.call.LongAnswers;
import io.dubbomesh.client.call.OpenStream;
import io.dubbomesh.client.call.PeerQueue;
import io.dubbomesh.client.call.ServiceLimit;
import io.dubbomesh.client.method.ServiceDescriptionWriter;
import io.dubbomesh.protocol.Attachments;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Problem;
import io.dubbomesh.protocol.Quoted;
import io.dubbomesh.protocol.Violation;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.DubboResponseReader;
import io.dubbomesh.protocol.dubbo.ResultFormat;
import io.dubbomesh.protocol.mesh.CallTiming;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.protocol.mesh.FrameWriter;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.protocol.mesh.ReportedLoad;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.FatalErrors;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.netty.buffer.ByteBuf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Writes the RESPONSE frames of one requester into its buffer. No method throws: when a frame cannot be written, for
 * any reason, nothing of it stays in the buffer, and the requester gets an INTERNAL_ERROR instead; when that cannot be
 * written either, the requester {@linkplain Requester#fail fails}, so that it does not wait for the response. Owned by
 * the requester's event loop.
 */
public final class ResponseFrameWriter implements CallListener {
    private static final Logger LOG = LoggerFactory.getLogger(ResponseFrameWriter.class);

    private static final long LOG_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    /** The bytes of a buffer for a long answer beside its result. */
    private static final int MARGIN = 1024;

    private static final int MAX_REASON = 200;

    private final Requester requester;
    private final DubboResponseReader results;
    private final int maxFrame;
    private final String fault;
    private final OpenStreams streams = new OpenStreams();

    /** Reads the messages of streams; null before the first one. */
    private DubboResponseReader messages;

    /** The buffer that a frame is being written to; null between frames. */
    private ByteBuf out;
    /** The offset of that frame. */
    private int frame;

    private long lastLogNs = System.nanoTime() - LOG_INTERVAL_NS;
    private int notLogged;

    /**
     * @param results reads the provider's answers that do not hold up the loop ({@link DubboResponseReader#brief});
     *     used by all its writers
     * @param role    of this process, for messages
     */
    public ResponseFrameWriter(Requester requester, DubboResponseReader results, int maxFrame, AgentRole role) {
        this.requester = requester;
        this.results = results;
        this.maxFrame = maxFrame;
        fault = "an internal error of the " + role.title() + "; see its log";
    }

    Requester requester() {
        return requester;
    }

    @Override
    public Outcome answered(
            long requestId, CalledMethod method, ResultFormat format, CallTiming timing, ByteBuf in, int offset) {
        int length = DubboHeader.bodyLength(in, offset);
        if (length > DubboResponseReader.MAX_BRIEF) {
            return null;
        }
        try {
            if (!hasRoom(length)) {
                return noRoom(requestId, method, length);
            }
            begin(requestId, length, timing);
            Outcome outcome = results.read(in, offset, format, method.resultType(), out);
            if (outcome == null) {
                rollBack();
                return null;
            }
            return end(requestId, method, format, timing, outcome);
        } catch (RuntimeException | Error e) {
            return failed(requestId, method, e);
        }
    }

    @Override
    public Outcome read(
            long requestId,
            CalledMethod method,
            ResultFormat format,
            CallTiming timing,
            Outcome outcome,
            ByteBuf document) {
        int length = document.readableBytes();
        try {
            if (!hasRoom(length)) {
                return noRoom(requestId, method, length);
            }
            begin(requestId, length, timing);
            out.writeBytes(document, document.readerIndex(), length);
            return end(requestId, method, format, timing, outcome);
        } catch (RuntimeException | Error e) {
            return failed(requestId, method, e);
        }
    }

    @Override
    public boolean takesStreams() {
        return requester.takesStreams();
    }

    /** Returns the streams that are open towards the requester. */
    public OpenStreams streams() {
        return streams;
    }

    @Override
    public boolean hasRoomForStream() {
        return requester.hasRoomForStream();
    }

    @Override
    public boolean streamOpened(long requestId, OpenStream stream) {
        if (!streams.add(requestId, stream)) {
            return false;
        }
        requester.streamBegins();
        try {
            begin(requestId);
            out.writeShort(0);
            endMessage(0);
        } catch (RuntimeException | Error e) {
            failed(requestId, e);
        }
        return true;
    }

    @Override
    public void streamClosed(long requestId, OpenStream stream) {
        if (streams.remove(requestId, stream)) {
            requester.streamEnded();
        }
    }

    @Override
    public Outcome message(
            long requestId, CalledMethod method, ResultFormat format, ByteBuf in, int offset, int windowBytes) {
        int length = DubboHeader.bodyLength(in, offset);
        try {
            if (!hasRoom(length)) {
                return noRoom(requestId, method, length);
            }
            String refusal = streams.refusal(requestId, !requester.hasRoom(MemoryBudget.LARGE));
            if (refusal != null) {
                method.failed(Outcome.OVERLOADED, refusal);
                failed(requestId, Outcome.OVERLOADED, refusal);
                return Outcome.OVERLOADED;
            }
            if (messages == null) {
                messages = results.ofMessages();
            }
            begin(requestId, length, null);
            Outcome outcome = messages.read(in, offset, format, method.resultType(), out);
            if (outcome != Outcome.OK || out.writerIndex() - frame > maxFrame) {
                return end(requestId, method, format, null, outcome);
            }
            int written = out.writerIndex() - frame;
            endMessage(windowBytes);
            streams.sent(requestId, windowBytes, written);
            if (written > MemoryBudget.LARGE) {
                requester.flush();
            }
            return Outcome.OK;
        } catch (RuntimeException | Error e) {
            return failed(requestId, method, e);
        }
    }

    private void endMessage(int windowBytes) {
        FrameWriter.endResponse(out, frame, Outcome.OK, Flags.JSON | Flags.MORE);
        MeshHeader.windowBytes(out, frame, windowBytes);
        out = null;
    }

    @Override
    public void streamEnded(long requestId) {
        try {
            begin(requestId);
            out.writeShort(0);
            end(Outcome.OK, Flags.JSON);
        } catch (RuntimeException | Error e) {
            failed(requestId, e);
        }
    }

    private boolean hasRoom(int answerBytes) {
        return answerBytes <= MemoryBudget.LARGE || requester.hasRoom(answerBytes);
    }

    private Outcome noRoom(long requestId, CalledMethod method, int answerBytes) {
        String detail = LongAnswers.noRoom(answerBytes);
        method.failed(Outcome.PROVIDER_ERROR, detail);
        failed(requestId, Outcome.PROVIDER_ERROR, detail);
        return Outcome.PROVIDER_ERROR;
    }

    private Outcome failed(long requestId, CalledMethod method, Throwable cause) {
        method.failed(Outcome.INTERNAL_ERROR, String.valueOf(cause));
        failed(requestId, cause);
        return Outcome.INTERNAL_ERROR;
    }

    private void begin(long requestId, int answerBytes, CallTiming timing) {
        begin(requestId, answerBytes + MARGIN);
        if (timing != null) {
            out.writeZero(timing.length());
        }
    }

    private Outcome end(long requestId, CalledMethod method, ResultFormat format, CallTiming timing, Outcome outcome) {
        if (timing != null) {
            timing.insert(out, frame + MeshHeader.LENGTH);
        }
        int length = out.writerIndex() - frame;
        if (length > maxFrame) {
            String detail = "the answer is longer than a frame may be";
            method.failed(Outcome.PROVIDER_ERROR, detail);
            replaceByProblem(requestId, Outcome.PROVIDER_ERROR, detail);
            return Outcome.PROVIDER_ERROR;
        }
        if (outcome != Outcome.OK) {
            recordFailure(method, outcome);
        }
        boolean plain = format.text() && outcome == Outcome.OK;
        end(outcome, plain ? Flags.TEXT : Flags.JSON);
        if (length > MemoryBudget.LARGE) {
            requester.flush();
        }
        return outcome;
    }

    /** The problem document is behind the attachments of the frame. */
    private void recordFailure(CalledMethod method, Outcome outcome) {
        int attachments = frame + MeshHeader.LENGTH + Short.BYTES;
        int document = attachments + out.getUnsignedShort(attachments - Short.BYTES);
        method.failed(outcome, out, document, out.writerIndex() - document);
    }

    /** Answers with a problem document. */
    @Override
    public void failed(long requestId, Outcome outcome, String detail) {
        try {
            writeProblem(requestId, outcome, detail);
        } catch (RuntimeException | Error e) {
            failed(requestId, e);
        }
    }

    /** Answers with INTERNAL_ERROR and logs why. */
    @Override
    public void failed(long requestId, Throwable cause) {
        log(cause);
        try {
            replaceByProblem(requestId, Outcome.INTERNAL_ERROR, fault);
        } catch (RuntimeException | Error e) {
            LOG.error("a response cannot be written, so its connection is closed", e);
            rollBack();
            requester.fail();
        }
    }

    /** Gives a request back. */
    @Override
    public void notExecuted(long requestId, ByteBuf in, int offset, int length, String unavailability) {
        String reason = unavailability == null ? null : Quoted.plain(unavailability, MAX_REASON);
        if (!giveBack(requestId, in, offset, length, Attachments.UNAVAILABLE, reason)) {
            failed(
                    requestId,
                    unavailability == null ? Outcome.OVERLOADED : Outcome.NO_PROVIDER,
                    "not executed, and too long to be sent elsewhere");
        }
    }

    /**
     * Gives a request back whose service is not served here.
     *
     * @param detail the text for a client if no provider serves it
     */
    void unserved(long requestId, ByteBuf in, int offset, int length, String detail) {
        if (!giveBack(requestId, in, offset, length, Attachments.UNSERVED, Quoted.plain(detail, MAX_REASON))) {
            failed(requestId, Outcome.SERVICE_NOT_FOUND, detail);
        }
    }

    /**
     * @param value of an attachment with this key; null for none
     * @return false, with nothing written, if it came in the longest of frames, and the way back needs more
     */
    private boolean giveBack(long requestId, ByteBuf in, int offset, int length, String key, String value) {
        try {
            begin(requestId);
            int attachments = out.writerIndex();
            out.writeShort(0);
            if (value != null) {
                Attachments.write(out, key, value);
                out.setShort(attachments, out.writerIndex() - attachments - Short.BYTES);
            }
            if (out.writerIndex() - frame + length > maxFrame) {
                rollBack();
                return false;
            }
            out.writeBytes(in, offset, length);
            end(Outcome.NOT_EXECUTED, 0);
        } catch (RuntimeException | Error e) {
            failed(requestId, e);
        }
        return true;
    }

    /**
     * Answers with the description of a service.
     *
     * @param validated whether a method's arguments are checked against its constraints, by its name
     */
    void description(long requestId, MethodName name, ServiceDefinition definition, Predicate<String> validated) {
        try {
            // How long it becomes is not known before; the next one finds what this one has taken.
            if (!requester.hasRoom(MemoryBudget.LARGE)) {
                writeProblem(requestId, Outcome.OVERLOADED, "no room for the description (memory.budget)");
                return;
            }
            begin(requestId);
            out.writeShort(0);
            ServiceDescriptionWriter.write(out, name, definition, validated);
            int length = out.writerIndex() - frame;
            if (length > maxFrame) {
                replaceByProblem(requestId, Outcome.PROVIDER_ERROR, "the description is longer than a frame may be");
                return;
            }
            end(Outcome.OK, Flags.JSON);
            if (length > MemoryBudget.LARGE) {
                requester.flush();
            }
        } catch (RuntimeException | Error e) {
            failed(requestId, e);
        }
    }

    @Override
    public void ended() {
        requester.callEnded();
    }

    @Override
    public long receivedNs() {
        return requester.receivedNs();
    }

    @Override
    public PeerQueue queue() {
        return requester.queue();
    }

    @Override
    public boolean isClosed() {
        return requester.isClosed();
    }

    /** Logs a failure, at most once per second, since it may be every request that fails. */
    private void log(Throwable cause) {
        FatalErrors.check(cause);
        long nowNs = System.nanoTime();
        if (nowNs - lastLogNs < LOG_INTERVAL_NS) {
            notLogged++;
            return;
        }
        LOG.error("a request failed in this agent ({} others were not logged)", notLogged, cause);
        lastLogNs = nowNs;
        notLogged = 0;
    }

    private void replaceByProblem(long requestId, Outcome outcome, String detail) {
        rollBack();
        writeProblem(requestId, outcome, detail);
    }

    private void writeProblem(long requestId, Outcome outcome, String detail) {
        begin(requestId);
        out.writeShort(0);
        if (outcome == Outcome.VALIDATION_FAILED) {
            Problem.write(out, outcome, detail, List.of(Violation.ofDetail(detail)));
        } else {
            Problem.write(out, outcome, detail);
        }
        end(outcome, Flags.JSON);
    }

    private void begin(long requestId) {
        begin(requestId, 0);
    }

    private void begin(long requestId, int expectedBytes) {
        out = requester.buffer(expectedBytes);
        frame = out.writerIndex();
        FrameWriter.beginResponse(out, requestId);
    }

    private void end(Outcome outcome, int flags) {
        ServiceLimit load = requester.reportedLoad();
        if (load != null) {
            ReportedLoad.write(out, frame, load.inService(), load.waiting(), load.callNs());
        }
        FrameWriter.endResponse(out, frame, outcome, flags);
        out = null;
    }

    private void rollBack() {
        if (out != null) {
            out.writerIndex(frame);
            out = null;
        }
    }
}
