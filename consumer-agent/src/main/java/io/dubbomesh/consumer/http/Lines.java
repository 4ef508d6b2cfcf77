package io.dubbomesh.consumer.http;

import io.dubbomesh.consumer.text.Words;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;

/**
 * Finds where the line at the reader index ends, however the bytes arrive, and looks at none twice. A line ends with
 * CRLF; a single CR or LF, or another control character than a tab, is an error as soon as it is there.
 */
final class Lines {
    static final int INCOMPLETE = -1;
    static final int TOO_LONG = -2;

    /** The number of bytes that were searched, from the reader index. */
    private int scanned;

    void reset() {
        scanned = 0;
    }

    /**
     * Returns the index of the CR behind the line, whose LF is there as well; or {@link #INCOMPLETE} or {@link
     * #TOO_LONG}.
     *
     * @param limit the longest line without its CRLF
     */
    int end(ByteBuf in, int limit) throws CallException {
        int start = in.readerIndex();
        int available = in.readableBytes();
        int end = start + Math.min(available, limit + 1);
        int at = start + scanned;
        while (at < end) {
            at = Words.firstControl(in, at, end);
            if (at == end) {
                break;
            }
            byte control = in.getByte(at);
            if (control == '\t') {
                at++;
                continue;
            }
            if (control != '\r') {
                throw new CallException(
                        Outcome.BAD_REQUEST,
                        control == '\n' ? "a line feed without a carriage return" : "a control character");
            }
            if (at + 1 == in.writerIndex()) {
                scanned = at - start;
                return INCOMPLETE;
            }
            if (in.getByte(at + 1) != '\n') {
                throw new CallException(Outcome.BAD_REQUEST, "a carriage return without a line feed");
            }
            scanned = 0;
            return at;
        }
        scanned = at - start;
        return available > limit ? TOO_LONG : INCOMPLETE;
    }
}
