package io.dubbomesh.consumer.http.response;

import io.dubbomesh.consumer.text.Ascii;
import io.dubbomesh.protocol.Attachments;
import io.dubbomesh.protocol.CallException;
import io.netty.buffer.ByteBuf;

/** Writes the attachments of an answer as header fields. Owned by one event loop. */
final class ResponseAttachments implements Attachments.Visitor {
    private static final byte[] ATTACHMENT = Ascii.bytes("\r\nX-Dubbo-Attachment-");
    private static final byte[] EXCEPTION = Ascii.bytes("\r\nX-Dubbo-Exception: ");
    private static final byte[] EXCEPTION_KEY = Ascii.bytes(Attachments.EXCEPTION);
    private static final byte[] HEX = Ascii.bytes("0123456789ABCDEF");
    /** The bound of the attachments in the head of one answer, in bytes. */
    private static final int MAX_LENGTH = 8 * 1024;

    private ByteBuf out;
    private int limit;

    /** Appends those of the block {@code in[offset, offset + length)} that fit. */
    void write(ByteBuf out, ByteBuf in, int offset, int length) {
        this.out = out;
        limit = out.writerIndex() + MAX_LENGTH;
        try {
            Attachments.forEach(in, offset, length, this);
        } catch (CallException e) {
            // The link has checked the block's own length; an entry that does not fit in it ends the headers early.
            return;
        } finally {
            this.out = null;
        }
    }

    @Override
    public void entry(ByteBuf block, int key, int keyLength, int value, int valueLength) {
        int start = out.writerIndex();
        if (equals(block, key, keyLength, EXCEPTION_KEY)) {
            out.writeBytes(EXCEPTION);
        } else if (isToken(block, key, keyLength)) {
            out.writeBytes(ATTACHMENT)
                    .writeBytes(block, key, keyLength)
                    .writeByte(':')
                    .writeByte(' ');
        } else {
            return;
        }
        writePercentEncoded(out, block, value, valueLength);
        if (out.writerIndex() > limit) {
            out.writerIndex(start);
        }
    }

    private static boolean equals(ByteBuf in, int offset, int length, byte[] expected) {
        if (length != expected.length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (in.getByte(offset + i) != expected[i]) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether the text is a token (RFC 9110, section 5.6.2). */
    private static boolean isToken(ByteBuf in, int offset, int length) {
        for (int i = 0; i < length; i++) {
            int c = in.getByte(offset + i);
            boolean alphanumeric = c >= '0' && c <= '9' || (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
            if (!alphanumeric && "!#$%&'*+-.^_`|~".indexOf(c) < 0) {
                return false;
            }
        }
        return length > 0;
    }

    private static void writePercentEncoded(ByteBuf out, ByteBuf in, int offset, int length) {
        for (int i = 0; i < length; i++) {
            int c = in.getUnsignedByte(offset + i);
            if (c > 0x20 && c < 0x7f && c != '%') {
                out.writeByte(c);
            } else {
                out.writeByte('%').writeByte(HEX[c >> 4]).writeByte(HEX[c & 0xf]);
            }
        }
    }
}
