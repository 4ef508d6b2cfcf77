package io.dubbomesh.consumer.http.response;

import io.dubbomesh.consumer.text.Ascii;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.TraceParent;
import io.netty.buffer.ByteBuf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The members that every problem document has from this agent, whichever agent wrote the rest of it: {@code type},
 * where the failure is described, {@code instance}, an id of this one failure, by which it is found in the log, and
 * {@code traceId}, if its request is recorded. Owned by one event loop.
 */
final class ProblemMembers {
    private static final Logger LOG = LoggerFactory.getLogger(ProblemMembers.class);
    private static final byte[] TRACE_ID = Ascii.bytes(",\"traceId\":\"");
    private static final byte[] END = Ascii.bytes("\"}");

    private final String page;
    /** All up to the id, at the number of the outcome. */
    private final byte[][] beginnings = new byte[256][];

    /** @param page the URI of the page that has a section for each code */
    ProblemMembers(String page) {
        this.page = page;
    }

    /** Adds the members to the document that all of {@code document} from {@code offset} on is; to nothing else. */
    void append(ByteBuf document, int offset, Outcome outcome) {
        int end = document.writerIndex() - 1;
        if (end - offset < 2 || document.getByte(offset) != '{' || document.getByte(end) != '}') {
            return;
        }
        document.writerIndex(end).writeBytes(beginning(outcome));
        document.writeCharSequence(randomId(), US_ASCII);
        document.writeBytes(END);
        if (LOG.isDebugEnabled()) {
            LOG.debug("answered {}", document.toString(offset, document.writerIndex() - offset, UTF_8));
        }
    }

    /** Adds the id of a trace to a document that ends where {@code document} does. */
    static void appendTrace(ByteBuf document, long traceIdHigh, long traceIdLow) {
        document.writerIndex(document.writerIndex() - 1).writeBytes(TRACE_ID);
        int digits = document.writerIndex();
        document.writeZero(TraceParent.TRACE_ID_LENGTH);
        TraceParent.setTraceId(document, digits, traceIdHigh, traceIdLow);
        document.writeBytes(END);
    }

    private byte[] beginning(Outcome outcome) {
        byte[] bytes = beginnings[outcome.number()];
        if (bytes == null) {
            String type = page + '#' + outcome.code().toLowerCase(Locale.ROOT);
            bytes = (",\"type\":\"" + type + "\",\"instance\":\"urn:uuid:").getBytes(US_ASCII);
            beginnings[outcome.number()] = bytes;
        }
        return bytes;
    }

    /**
     * Returns a random UUID (version 4). There is no gain in guessing one, so that the secure generator, which locks,
     * is not needed.
     */
    private static String randomId() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return new UUID(random.nextLong() & ~0xf000L | 0x4000L, random.nextLong() >>> 2 | Long.MIN_VALUE).toString();
    }
}
