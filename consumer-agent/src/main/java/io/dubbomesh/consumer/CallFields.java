package io.dubbomesh.consumer;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.Flags;
import io.netty.buffer.ByteBuf;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * The header fields that say how a call is to be made. A fault in them is no fault of the message: the request is rejected, and the connection
 * goes on. Reused from request to request.
 */
final class CallFields {
    private static final byte[] TIMEOUT = Words.fold("x-request-timeout");
    private static final byte[] GROUP = Words.fold("x-dubbo-group");
    private static final byte[] VERSION = Words.fold("x-dubbo-version");
    private static final byte[] ONE_WAY = Words.fold("x-dubbo-oneway");
    private static final byte[] CLASS_NAMES = Words.fold("x-dubbo-class-names");
    private static final byte[] TYPES = Words.fold("x-dubbo-parameter-types");
    private static final byte[] ATTACHMENTS = Words.fold("x-dubbo-attachments");
    private static final byte[] ATTACHMENT_PREFIX = Words.fold("x-dubbo-attachment-");

    private static final byte[] TRUE = "true".getBytes(US_ASCII);
    private static final byte[] FALSE = "false".getBytes(US_ASCII);
    private final RequestAttachments attachments = new RequestAttachments();
    private final KeptValue parameterTypes = new KeptValue();
    private final KeptValue version = new KeptValue();
    private final KeptValue group = new KeptValue();

    private Outcome rejection;
    private String rejectionDetail;

    private int timeoutMillis;
    private int flags;
    /** Of which of them a field has spoken, for or against. */
    private int flagsGiven;

    void reset() {
        rejection = null;
        rejectionDetail = null;
        timeoutMillis = 0;
        flags = 0;
        flagsGiven = 0;
        attachments.clear();
        parameterTypes.clear();
        version.clear();
        group.clear();
    }

    /** Takes the field {@code in[name, nameEnd)}, unless it is of no matter here. */
    void field(ByteBuf in, int name, int nameEnd, int value, int valueEnd) {
        try {
            switch (nameEnd - name) {
                case 7 -> trace(in, name, value, valueEnd, RequestAttachments.BAGGAGE);
                case 10 -> trace(in, name, value, valueEnd, RequestAttachments.TRACESTATE);
                case 11 -> trace(in, name, value, valueEnd, RequestAttachments.TRACEPARENT);
                case 13 -> keep(in, name, value, valueEnd, GROUP, group, "X-Dubbo-Group is given twice");
                case 14 -> {
                    if (Words.equalInAnyCase(in, name, ONE_WAY)) {
                        flag(in, value, valueEnd, Flags.ONE_WAY, "X-Dubbo-Oneway");
                    }
                }
                case 15 -> keep(in, name, value, valueEnd, VERSION, version, "X-Dubbo-Version is given twice");
                case 17 -> {
                    if (Words.equalInAnyCase(in, name, TIMEOUT)) {
                        timeoutMillis = timeoutMillis == 0 ? positive(in, value, valueEnd) : -1;
                    }
                }
                default -> longField(in, name, nameEnd, value, valueEnd);
            }
        } catch (CallException e) {
            reject(e.outcome(), e.getMessage());
        }
    }

    private void trace(ByteBuf in, int name, int value, int valueEnd, byte[] wanted) throws CallException {
        if (Words.equalInAnyCase(in, name, wanted)) {
            attachments.addTrace(wanted, in, value, valueEnd);
        }
    }

    private void keep(ByteBuf in, int name, int value, int valueEnd, byte[] wanted, KeptValue kept, String twice) {
        if (!Words.equalInAnyCase(in, name, wanted)) {
            return;
        }
        if (kept.isPresent()) {
            reject(Outcome.BAD_REQUEST, twice);
            return;
        }
        kept.set(in, value, valueEnd - value);
    }

    private void flag(ByteBuf in, int value, int valueEnd, int flag, String name) {
        boolean on = equal(in, value, valueEnd, TRUE);
        if (!on && !equal(in, value, valueEnd, FALSE)) {
            reject(Outcome.BAD_REQUEST, name + " (expected: true or false)");
        }
        if ((flagsGiven & flag) != 0) {
            reject(Outcome.BAD_REQUEST, name + " is given twice");
        }
        flagsGiven |= flag;
        flags |= on ? flag : 0;
    }

    private static boolean equal(ByteBuf in, int at, int end, byte[] bytes) {
        return end - at == bytes.length && Words.equal(in, at, bytes, 0, bytes.length);
    }

    /** The number that the bytes are, at most 2^31 - 1; -1 if they are no number or 0. */
    private static int positive(ByteBuf in, int at, int end) {
        long number = 0;
        for (; at < end; at++) {
            byte digit = in.getByte(at);
            if (!Tokens.isDigit(digit)) {
                return -1;
            }
            number = Math.min(number * 10 + digit - '0', Integer.MAX_VALUE);
        }
        return number == 0 ? -1 : (int) number;
    }

    private void longField(ByteBuf in, int name, int nameEnd, int value, int valueEnd) throws CallException {
        int length = nameEnd - name;
        int prefix = ATTACHMENT_PREFIX.length;
        if (length < prefix) {
            return;
        }
        if (Words.equalInAnyCase(in, name, ATTACHMENT_PREFIX)) {
            attachments.addHeader(in, name + prefix, nameEnd, value, valueEnd);
        } else if (length == prefix && Words.equalInAnyCase(in, name, ATTACHMENTS)) {
            attachments.addJson(in, value, valueEnd);
        } else if (length == prefix && Words.equalInAnyCase(in, name, CLASS_NAMES)) {
            flag(in, value, valueEnd, Flags.CLASS_NAMES, "X-Dubbo-Class-Names");
        } else if (length == TYPES.length) {
            keep(in, name, value, valueEnd, TYPES, parameterTypes, "X-Dubbo-Parameter-Types is given twice");
        }
    }

    /** The request is not to be served; the first reason counts. */
    void reject(Outcome outcome, String detail) {
        if (rejection == null) {
            rejection = outcome;
            rejectionDetail = detail;
        }
    }

    /** Null if there is nothing against it. */
    Outcome rejection() {
        return rejection;
    }

    String rejectionDetail() {
        return rejectionDetail;
    }

    int timeoutMillis() {
        return timeoutMillis;
    }

    int flags() {
        return flags;
    }

    ByteBuf attachments() {
        return attachments.block();
    }

    ByteBuf parameterTypes() {
        return parameterTypes.orNull();
    }

    ByteBuf version() {
        return version.orNull();
    }

    ByteBuf group() {
        return group.orNull();
    }
}
