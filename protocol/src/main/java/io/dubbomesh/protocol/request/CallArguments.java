package io.dubbomesh.protocol.request;

import io.dubbomesh.protocol.Attachments;
import io.netty.buffer.ByteBuf;

/**
 * The arguments and attachments that a caller has sent, as they are in a buffer, and the time left for the call. A
 * reused view: the buffer is read by absolute index, and neither changed nor released.
 */
public final class CallArguments {
    /** The form of the arguments. */
    public enum Form {
        /** Each is a 32-bit length and UTF-8 text. */
        TEXTS,
        /** One JSON array. */
        ARRAY,
        /** One JSON array around the object that the caller has sent, which may have the arguments by name. */
        OBJECT
    }

    private ByteBuf buffer;
    private Form form;
    private int offset;
    private int length;
    private int attachmentsOffset;
    private int attachmentsLength;
    private long timeLeftMs;

    /**
     * Sets the arguments to a form, each a 32-bit length and UTF-8 text; there are no attachments until they are set.
     */
    public CallArguments form(ByteBuf buffer, int offset, int length) {
        return set(Form.TEXTS, buffer, offset, length);
    }

    /** Sets the arguments to one JSON array; there are no attachments until they are set. */
    public CallArguments json(ByteBuf buffer, int offset, int length) {
        return set(Form.ARRAY, buffer, offset, length);
    }

    /** Sets the arguments; there are no attachments until they are set. */
    public CallArguments set(Form form, ByteBuf buffer, int offset, int length) {
        this.buffer = buffer;
        this.form = form;
        this.offset = offset;
        this.length = length;
        attachmentsOffset = 0;
        attachmentsLength = 0;
        return this;
    }

    /** Sets the place of the attachments (see {@link Attachments}) in the same buffer. */
    public CallArguments attachments(int offset, int length) {
        attachmentsOffset = offset;
        attachmentsLength = length;
        return this;
    }

    /** Sets the time left until the call's deadline, in milliseconds. */
    public CallArguments timeLeftMs(long timeLeftMs) {
        this.timeLeftMs = timeLeftMs;
        return this;
    }

    public long timeLeftMs() {
        return timeLeftMs;
    }

    /** Returns the buffer of arguments and attachments, which is not changed. */
    public ByteBuf buffer() {
        return buffer;
    }

    public Form form() {
        return form;
    }

    public int offset() {
        return offset;
    }

    public int length() {
        return length;
    }

    public int attachmentsOffset() {
        return attachmentsOffset;
    }

    public int attachmentsLength() {
        return attachmentsLength;
    }
}
