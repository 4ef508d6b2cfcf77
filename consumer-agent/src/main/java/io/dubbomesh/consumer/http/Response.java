package io.dubbomesh.consumer.http;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Problem;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;

/**
 * A response that is about to be written: a view of bytes that it does not own. There is one on an event loop, which is set and
 * written before the next one is set.
 */
public final class Response implements AutoCloseable {
    /** What the content is, where the outcome is OK. Every other outcome has a problem document. */
    public enum Content {
        TEXT,
        JSON,
        /** None: the request was accepted, and its result will never be known (202). */
        ACCEPTED
    }

    private final ByteBuf problem = PooledByteBufAllocator.DEFAULT.directBuffer(1024);

    private Outcome outcome;
    private Content content;
    private ByteBuf in;
    private int attachmentsOffset;
    private int attachmentsLength;
    private int offset;
    private int length;

    /**
     * A response whose content is {@code in[offset, offset + length)}.
     *
     * @param attachments where the block of {@link io.dubbomesh.protocol.Attachments} that stands in front of the content starts
     */
    public Response set(Outcome outcome, Content content, ByteBuf in, int attachments, int offset, int length) {
        this.outcome = outcome;
        this.content = content;
        this.in = in;
        attachmentsOffset = attachments;
        attachmentsLength = offset - attachments;
        this.offset = offset;
        this.length = length;
        return this;
    }

    /** A response with a problem document made here. */
    public Response problem(Outcome outcome, String detail) {
        Problem.write(problem.clear(), outcome, detail);
        return set(outcome, Content.JSON, problem, 0, 0, problem.writerIndex());
    }

    /** The response to a request whose result will never be known. */
    public Response accepted() {
        return set(Outcome.OK, Content.ACCEPTED, Unpooled.EMPTY_BUFFER, 0, 0, 0);
    }

    Outcome outcome() {
        return outcome;
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

    /** Where the content starts in {@link #in}. */
    public int offset() {
        return offset;
    }

    /** Bytes of the content. */
    public int length() {
        return length;
    }

    @Override
    public void close() {
        problem.release();
    }
}
