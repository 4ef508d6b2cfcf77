package io.dubbomesh.consumer.http.response;

import io.dubbomesh.consumer.text.Ascii;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Problem;
import io.dubbomesh.runtime.AgentRole;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * A response that is about to be written: a view of bytes that it does not own. There is one on an event loop, which is
 * set and written before the next one is set.
 */
public final class Response implements AutoCloseable {
    /** The kind of content of a response with the outcome OK. Every other outcome has a problem document. */
    public enum Content {
        TEXT,
        JSON,
        HTML,
        /** An OpenAPI document. */
        OPENAPI,
        /** None: the request was accepted, and its result will never be known (202). */
        ACCEPTED,
        /** None: the header fields say everything (204). */
        NOTHING,
        /** Frames of HTTP/2, which have no head. */
        FRAMES,
        /** An answer of JSON-RPC whose HTTP status is 200 even where a call has failed. */
        RPC_RESULT,
        /** An error of JSON-RPC, in the place of a problem document. */
        RPC_ERROR
    }

    private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};
    private static final int GOAWAY = 7;
    private static final int HTTP_1_1_REQUIRED = 0xd;
    private static final int FRAME_HEADER = 9;
    /** The last stream and the error. */
    private static final int GOAWAY_FIELDS = Integer.BYTES + Integer.BYTES;
    /** The bytes before the reason in the content of FRAMES. */
    private static final int BEFORE_REASON = SETTINGS.length + FRAME_HEADER + GOAWAY_FIELDS;

    /** A refused call may succeed as soon as others have ended. */
    private static final long SOON_S = 1;

    private static final int HTTP_ACCEPTED = 202;
    private static final int HTTP_NO_CONTENT = 204;
    private static final int USUAL_PROBLEM = 1024;
    private static final int MOST_KEPT = 16 * 1024;

    private final ByteBuf problem = PooledByteBufAllocator.DEFAULT.directBuffer(USUAL_PROBLEM);
    private final ProblemMembers members;
    private final String fault;

    private Outcome outcome;
    private Content content;
    private ByteBuf in;
    private int attachmentsOffset;
    private int attachmentsLength;
    private int offset;
    private int length;
    private String endpoint;
    private byte[] endpointField;
    /** The bytes of the method's answer where the content is another; else 0. */
    private int replacedBytes;
    /** The reason of a failure that the content does not say as a problem document; else null. */
    private String reason;

    /** The seconds after which a refused request may come again. */
    private long retryAfterS;

    private boolean served;
    private long sentNs;
    private long arrivedNs;

    /**
     * @param errorsPage the URI of the page that problem documents refer to
     * @param role       of this process, for messages
     */
    public Response(String errorsPage, AgentRole role) {
        members = new ProblemMembers(errorsPage);
        fault = "a fault of the " + role.title() + "; its log has the details";
    }

    /**
     * Returns a response whose content is {@code in[offset, offset + length)}.
     *
     * @param attachments where the block of {@link io.dubbomesh.protocol.Attachments} that stands in front of the
     *     content starts
     */
    public Response set(Outcome outcome, Content content, ByteBuf in, int attachments, int offset, int length) {
        this.outcome = outcome;
        this.content = content;
        this.in = in;
        attachmentsOffset = attachments;
        attachmentsLength = offset - attachments;
        this.offset = offset;
        this.length = length;
        endpoint = null;
        endpointField = null;
        served = false;
        replacedBytes = 0;
        reason = null;
        retryAfterS = SOON_S;
        return this;
    }

    /** Returns a response with a problem document made here. */
    public Response problem(Outcome outcome, String detail) {
        Problem.write(emptyProblem(), outcome, detail);
        members.append(problem, 0, outcome);
        return set(outcome, Content.JSON, problem, 0, 0, problem.writerIndex());
    }

    /**
     * Returns the response to a request of JSON-RPC.
     *
     * @param kind   decides the HTTP status: that of the outcome, or 200
     * @param in     the document, all of it readable
     * @param failed why, for an error; null for a result
     */
    public Response rpc(Content kind, Outcome outcome, ByteBuf in, String failed) {
        set(outcome, kind, in, in.readerIndex(), in.readerIndex(), in.readableBytes());
        reason = failed;
        return this;
    }

    /** Sets the seconds after which a refused request may come again; else 1. */
    public Response retryAfter(long seconds) {
        retryAfterS = seconds;
        return this;
    }

    long retryAfterS() {
        return retryAfterS;
    }

    /**
     * Replaces the content by a result of JSON-RPC. Outcome, endpoint and times stay those of the call.
     *
     * @param document all of it readable
     */
    public Response asRpcResult(ByteBuf document) {
        if (outcome == Outcome.OK) {
            replacedBytes = length;
        } else {
            reason = reason();
        }
        content = Content.RPC_RESULT;
        in = document;
        attachmentsOffset = document.readerIndex();
        attachmentsLength = 0;
        offset = document.readerIndex();
        length = document.readableBytes();
        return this;
    }

    /** Returns the response to a request that this process could not handle. */
    public Response fault() {
        return problem(Outcome.INTERNAL_ERROR, fault);
    }

    /** Returns the response to a call that was executed, and whose answer does not fit into the memory budget. */
    public Response noRoomFor(int answerBytes) {
        problem(
                Outcome.PROVIDER_ERROR,
                "the method was executed, but there is no room for its answer of " + answerBytes + " bytes");
        replacedBytes = answerBytes;
        return this;
    }

    /**
     * Returns the number of bytes of the method's answer where the content is another, since {@linkplain #noRoomFor
     * there was no room} or a {@linkplain #asRpcResult message} has taken its place; else 0.
     */
    public int replacedBytes() {
        return replacedBytes;
    }

    /**
     * Returns a response with a problem document made by a provider agent; the parameters are those of {@link #set}.
     */
    public Response problem(Outcome outcome, ByteBuf in, int attachments, int offset, int length) {
        int document = offset - attachments;
        emptyProblem().writeBytes(in, attachments, document + length);
        members.append(problem, document, outcome);
        return set(outcome, Content.JSON, problem, 0, document, problem.writerIndex() - document);
    }

    private ByteBuf emptyProblem() {
        if (problem.capacity() > MOST_KEPT) {
            problem.clear().capacity(USUAL_PROBLEM);
        }
        return problem.clear();
    }

    /**
     * Names the endpoint that the call was sent to.
     *
     * @param field for the client, made by {@link #endpointField(String)}; null if clients are not told
     */
    public Response from(String address, byte[] field) {
        endpoint = address;
        endpointField = field;
        return this;
    }

    /**
     * Adds a header field.
     *
     * @param whole with the end of the line before it
     */
    public Response field(byte[] whole) {
        endpointField = whole;
        return this;
    }

    /**
     * A provider agent has answered the call.
     *
     * @param firstSentNs when the call was sent for the first time
     * @param readNs      when the answer was read
     */
    public Response served(long firstSentNs, long readNs) {
        served = true;
        sentNs = firstSentNs;
        arrivedNs = readNs;
        return this;
    }

    /**
     * Returns whether a provider agent has answered the call; only then do {@link #sentNs} and {@link #arrivedNs} mean
     * something.
     */
    public boolean isServed() {
        return served;
    }

    public long sentNs() {
        return sentNs;
    }

    public long arrivedNs() {
        return arrivedNs;
    }

    /** Returns the endpoint that the call was sent to, or null. */
    public String endpoint() {
        return endpoint;
    }

    /** Names the trace of the request, if this is a problem document. */
    public void inTrace(long traceIdHigh, long traceIdLow) {
        if (content == Content.JSON
                && in == problem
                && length > 0
                && problem.getByte(problem.writerIndex() - 1) == '}') {
            ProblemMembers.appendTrace(problem, traceIdHigh, traceIdLow);
            length = problem.writerIndex() - offset;
        }
    }

    /** Returns the header field that names an endpoint. */
    public static byte[] endpointField(String address) {
        StringBuilder value = new StringBuilder(address);
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) <= ' ' || value.charAt(i) >= 0x7f) {
                value.setCharAt(i, '?');
            }
        }
        return Ascii.bytes("\r\nX-Mesh-Endpoint: " + value);
    }

    /** Returns a whole header field, or null. */
    byte[] endpointField() {
        return endpointField;
    }

    /** Returns the response to a request whose result will never be known. */
    public Response accepted() {
        return set(Outcome.OK, Content.ACCEPTED, Unpooled.EMPTY_BUFFER, 0, 0, 0);
    }

    /** Returns a response whose header fields say everything. */
    public Response noContent() {
        return set(Outcome.OK, Content.NOTHING, Unpooled.EMPTY_BUFFER, 0, 0, 0);
    }

    /**
     * Returns the response to a client that speaks HTTP/2: the settings, without which it reads nothing, and a GOAWAY
     * with the reason as its debug data (RFC 9113, sections 3.4 and 6.8).
     */
    public Response endOfHttp2(String detail) {
        byte[] reason = Ascii.bytes(detail);
        emptyProblem()
                .writeBytes(SETTINGS)
                .writeMedium(GOAWAY_FIELDS + reason.length)
                .writeByte(GOAWAY)
                .writeByte(0)
                .writeInt(0)
                .writeInt(0)
                .writeInt(HTTP_1_1_REQUIRED)
                .writeBytes(reason);
        return set(Outcome.VERSION_NOT_SUPPORTED, Content.FRAMES, problem, 0, 0, problem.writerIndex());
    }

    public Outcome outcome() {
        return outcome;
    }

    public int httpStatus() {
        return switch (content) {
            case TEXT, JSON, HTML, OPENAPI, FRAMES, RPC_ERROR -> outcome.httpStatus();
            case RPC_RESULT -> Outcome.OK.httpStatus();
            case ACCEPTED -> HTTP_ACCEPTED;
            case NOTHING -> HTTP_NO_CONTENT;
        };
    }

    /** Returns the reason of the failure, read from the content; empty if that does not say. */
    public String reason() {
        if (reason != null) {
            return reason;
        }
        return content == Content.FRAMES
                ? in.toString(offset + BEFORE_REASON, length - BEFORE_REASON, US_ASCII)
                : Problem.detail(in, offset, length);
    }

    Content content() {
        return content;
    }

    /** Holds the attachments and the content; only read. */
    public ByteBuf in() {
        return in;
    }

    int attachmentsOffset() {
        return attachmentsOffset;
    }

    int attachmentsLength() {
        return attachmentsLength;
    }

    /** Returns the offset of the content in {@link #in}. */
    public int offset() {
        return offset;
    }

    /** Returns the number of bytes of the content. */
    public int length() {
        return length;
    }

    @Override
    public void close() {
        problem.release();
    }
}
