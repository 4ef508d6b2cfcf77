package io.dubbomesh.consumer.call;

import io.dubbomesh.consumer.auth.RequestCredentials;
import io.dubbomesh.consumer.caller.CallingApp;
import io.dubbomesh.consumer.caller.CallingApps;
import io.dubbomesh.consumer.http.HeaderTable;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.http.RequestFields;
import io.dubbomesh.consumer.http.response.StreamFormat;
import io.dubbomesh.consumer.key.KeyHeaders;
import io.dubbomesh.consumer.record.TraceFields;
import io.dubbomesh.consumer.text.Tokens;
import io.dubbomesh.consumer.text.Words;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.Flags;
import io.netty.buffer.ByteBuf;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * The header fields that say how a call is to be made. The message is well-formed even if one of them is not: the
 * request is rejected, and the connection goes on. Reused from request to request.
 */
final class CallHeaders implements RequestFields {
    private static final byte[] TRUE = "true".getBytes(US_ASCII);
    private static final byte[] FALSE = "false".getBytes(US_ASCII);
    private static final byte[] OPENAPI = Words.fold("application/openapi+json");
    private static final byte[] EVENTS = Words.fold(StreamFormat.EVENTS.mediaType());
    private static final byte[] LINES = Words.fold(StreamFormat.LINES.mediaType());

    private final RequestAttachments attachments = new RequestAttachments();
    private final KeptValue parameterTypes = new KeptValue();
    private final KeptValue version = new KeptValue();
    private final KeptValue group = new KeptValue();

    /** Returns null where callers are not authenticated. */
    private final RequestCredentials credentials;

    /** Null where no keys are needed. */
    private final KeyHeaders keys;

    private final CallingApps apps;
    /** Null for none. */
    private final RequestFields others;
    /** The application that User-Agent names; null if the request has none. */
    private CallingApp agent;

    /** Whether Accept names the media type of OpenAPI documents first. */
    private boolean acceptsOpenApi;
    /** The first form of a stream that Accept names; null for none. */
    private StreamFormat streamFormat;

    private Outcome rejection;
    private String rejectionDetail;

    private int timeoutMillis;
    private int flags;
    /** The flags for which the request has a field with any value. */
    private int flagsGiven;

    /** Reads the fields in an agent that does not authenticate its callers and needs no keys. */
    CallHeaders() {
        this(null, null, new CallingApps(0), null);
    }

    CallHeaders(RequestCredentials credentials, KeyHeaders keys, CallingApps apps, RequestFields others) {
        this.apps = apps;
        this.others = others;
        this.keys = keys;
        this.credentials = credentials;
    }

    /** Returns the fields of the request that this parser has read. */
    static CallHeaders of(HttpRequestParser request) {
        return (CallHeaders) request.fields();
    }

    @Override
    public boolean checksHead() {
        return credentials != null;
    }

    @Override
    public void register(HeaderTable table) {
        table.add("x-request-timeout", this::timeout);
        table.add("x-dubbo-version", kept(version, "X-Dubbo-Version"));
        table.add("x-dubbo-group", kept(group, "X-Dubbo-Group"));
        table.add("x-dubbo-parameter-types", kept(parameterTypes, "X-Dubbo-Parameter-Types"));
        table.add("x-dubbo-oneway", flag(Flags.ONE_WAY, "X-Dubbo-Oneway"));
        table.add("x-dubbo-class-names", flag(Flags.CLASS_NAMES, "X-Dubbo-Class-Names"));
        table.add("x-mesh-timing", flag(Flags.TIMED, "X-Mesh-Timing"));
        table.add("x-dubbo-attachments", rejecting(attachments::addJson));
        table.add("user-agent", (in, value, valueEnd) -> agent = apps.ofAgent(in, value, valueEnd));
        table.add("accept", this::accept);
        table.addPrefix("x-dubbo-attachment-", this::attachment);
        if (credentials != null) {
            table.add("authorization", credentials::take);
        }
        if (keys != null) {
            keys.register(table);
        }
        if (others != null) {
            others.register(table);
        }
        for (byte[] name : RequestAttachments.TRACE_HEADERS) {
            table.add(
                    new String(name, US_ASCII),
                    rejecting((in, value, end) -> attachments.addTrace(name, in, value, end)));
        }
    }

    @Override
    public void reset() {
        rejection = null;
        rejectionDetail = null;
        timeoutMillis = 0;
        flags = 0;
        flagsGiven = 0;
        attachments.clear();
        parameterTypes.clear();
        version.clear();
        group.clear();
        agent = null;
        acceptsOpenApi = false;
        streamFormat = null;
        if (others != null) {
            others.reset();
        }
        if (keys != null) {
            keys.reset();
        }
        if (credentials != null) {
            credentials.reset();
        }
    }

    /** Returns the field whose faults reject the request instead of ending the connection. */
    private HeaderTable.Field rejecting(HeaderTable.Field field) {
        return (in, value, valueEnd) -> {
            try {
                field.value(in, value, valueEnd);
            } catch (CallException e) {
                reject(e.outcome(), e.getMessage());
            }
        };
    }

    private HeaderTable.Field kept(KeptValue kept, String name) {
        return (in, value, valueEnd) -> {
            if (kept.isPresent()) {
                reject(Outcome.BAD_REQUEST, name + " is given twice");
            } else {
                kept.set(in, value, valueEnd - value);
            }
        };
    }

    private HeaderTable.Field flag(int flag, String name) {
        return (in, value, valueEnd) -> {
            boolean on = equal(in, value, valueEnd, TRUE);
            if (!on && !equal(in, value, valueEnd, FALSE)) {
                reject(Outcome.BAD_REQUEST, name + " (expected: true or false)");
            }
            if ((flagsGiven & flag) != 0) {
                reject(Outcome.BAD_REQUEST, name + " is given twice");
            }
            flagsGiven |= flag;
            flags |= on ? flag : 0;
        };
    }

    private void timeout(ByteBuf in, int value, int valueEnd) {
        timeoutMillis = timeoutMillis == 0 ? positive(in, value, valueEnd) : -1;
    }

    private void attachment(ByteBuf in, int name, int nameEnd, int value, int valueEnd) {
        try {
            attachments.addHeader(in, name, nameEnd, value, valueEnd);
        } catch (CallException e) {
            reject(e.outcome(), e.getMessage());
        }
    }

    private void accept(ByteBuf in, int value, int valueEnd) {
        acceptsOpenApi |= beginsWith(in, value, valueEnd, OPENAPI);
        int at = value;
        while (streamFormat == null && at < valueEnd) {
            if (beginsWith(in, at, valueEnd, EVENTS)) {
                streamFormat = StreamFormat.EVENTS;
            } else if (beginsWith(in, at, valueEnd, LINES)) {
                streamFormat = StreamFormat.LINES;
            }
            int comma = in.indexOf(at, valueEnd, (byte) ',');
            at = comma < 0 ? valueEnd : comma + 1;
            while (at < valueEnd && (in.getByte(at) == ' ' || in.getByte(at) == '\t')) {
                at++;
            }
        }
    }

    private static boolean beginsWith(ByteBuf in, int at, int end, byte[] folded) {
        return end - at >= folded.length && Words.equalInAnyCase(in, at, folded);
    }

    private static boolean equal(ByteBuf in, int at, int end, byte[] bytes) {
        return end - at == bytes.length && Words.equal(in, at, bytes, 0, bytes.length);
    }

    /** Returns the number that the bytes are, at most 2^31 - 1; -1 if they are not a number, or 0. */
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

    /** Rejects the request; the first reason counts. */
    private void reject(Outcome outcome, String detail) {
        if (rejection == null) {
            rejection = outcome;
            rejectionDetail = detail;
        }
    }

    /** Returns the reason for which the request cannot be served, or null. */
    Outcome rejection() {
        return rejection;
    }

    String rejectionDetail() {
        return rejectionDetail;
    }

    /**
     * Returns the value of X-Request-Timeout, not compared with any limit; 0 if absent, -1 if not a whole number above
     * 0 or given twice.
     */
    int timeoutMillis() {
        return timeoutMillis;
    }

    /**
     * {@link Flags} of a REQUEST that header fields ask for, but for that of the times: it is for what makes the
     * record of the request.
     */
    int requestFlags() {
        return flags & ~Flags.TIMED;
    }

    /** Returns whether X-Mesh-Timing is set. */
    boolean asksForTimes() {
        return (flags & Flags.TIMED) != 0;
    }

    /** Returns whether the client asks for an OpenAPI document. */
    boolean acceptsOpenApi() {
        return acceptsOpenApi;
    }

    /** Returns the form in which the client takes streams; null for none. */
    StreamFormat streamFormat() {
        return streamFormat;
    }

    CallingApp agent() {
        return agent;
    }

    /** Null for none. */
    RequestFields others() {
        return others;
    }

    /** Null where callers are not authenticated. */
    RequestCredentials credentials() {
        return credentials;
    }

    /** Null where no keys are needed. */
    KeyHeaders keys() {
        return keys;
    }

    TraceFields traceFields() {
        return attachments;
    }

    /** Returns a block of {@link io.dubbomesh.protocol.Attachments}, all of it readable; reused, not to be released. */
    ByteBuf attachments() {
        return attachments.block();
    }

    /** Returns X-Dubbo-Parameter-Types as sent, all of it readable, or null if absent; reused, not to be released. */
    ByteBuf parameterTypes() {
        return parameterTypes.orNull();
    }

    /** Returns X-Dubbo-Version, likewise. */
    ByteBuf version() {
        return version.orNull();
    }

    /** Returns X-Dubbo-Group, likewise. */
    ByteBuf group() {
        return group.orNull();
    }
}
