package io.dubbomesh.consumer.call;

import io.dubbomesh.consumer.http.response.StreamFormat;
import io.dubbomesh.consumer.key.CallKey;
import io.dubbomesh.consumer.key.KeyArguments;
import io.dubbomesh.consumer.key.KeyHeaders;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.mesh.Flags;
import io.netty.buffer.ByteBuf;

/**
 * A call as its request states it: a view of the request, reused by its event loop and valid as long as the request is.
 */
public final class ParsedCall {
    /** The place of the arguments. */
    interface ArgumentSource extends KeyArguments {
        /** Appends them; {@code out.writerIndex()} is anywhere after an exception. */
        void writeArguments(ByteBuf out) throws CallException;

        /** Returns about how many bytes they are. */
        int length();
    }

    private static final long NS_PER_MS = 1_000_000;

    private final ArgumentSource arguments;
    private Route route;
    private int flags;
    private final CallSettings settings;
    private long timeoutNs;
    private TimeoutSource timeoutSource;
    private ByteBuf attachments;
    private long key = CallKey.NONE;
    private StreamFormat streamFormat;

    ParsedCall(ArgumentSource arguments, CallSettings settings) {
        this.arguments = arguments;
        this.settings = settings;
    }

    /** @param timeoutMs that the request names; 0 if it names none */
    ParsedCall set(Route newRoute, int newFlags, int timeoutMs, ByteBuf newAttachments) {
        route = newRoute;
        flags = newFlags;
        timeoutNs = timeoutMs > 0 ? timeoutMs * NS_PER_MS : settings.timeoutNs();
        timeoutSource = timeoutMs > 0 ? TimeoutSource.REQUEST : TimeoutSource.SETTING;
        attachments = newAttachments;
        streamFormat = null;
        return this;
    }

    /** @param format of the messages, if the method returns a stream; null if the client takes none */
    ParsedCall takeStream(StreamFormat format) {
        streamFormat = format;
        flags |= format == null ? 0 : Flags.STREAM;
        return this;
    }

    /** Returns the form in which the client takes the messages of a stream; null if it takes none. */
    public StreamFormat streamFormat() {
        return streamFormat;
    }

    /** Sets the key of the call to what it has of the sources. */
    ParsedCall setKey(CallKey sources, KeyHeaders headers) {
        key = sources.of(headers, attachments, arguments);
        return this;
    }

    /** Returns the key by which its endpoint may be chosen, or {@link CallKey#NONE}. */
    public long key() {
        return key;
    }

    public Route route() {
        return route;
    }

    /** Returns the {@link Flags} of its REQUEST. */
    public int flags() {
        return flags;
    }

    /** Asks for an answer with the times of the call, if there is one and the provider agent can. */
    public void time() {
        if (!isOneWay()) {
            flags |= Flags.TIMED;
        }
    }

    /** Returns whether it gets no answer of the service. */
    public boolean isOneWay() {
        return (flags & Flags.ONE_WAY) != 0;
    }

    /** Sets the time-out that the providers of the method have, which counts if the request names none. */
    public void useTimeout(long providersMs) {
        if (timeoutSource != TimeoutSource.REQUEST) {
            timeoutNs = Math.min(providersMs, settings.maxTimeoutMs()) * NS_PER_MS;
            timeoutSource = providersMs > settings.maxTimeoutMs() ? TimeoutSource.BOUND : TimeoutSource.PROVIDER;
        }
    }

    public TimeoutSource timeoutSource() {
        return timeoutSource;
    }

    /** Returns the time-out, counted from the last byte of the request. */
    public long timeoutNs() {
        return timeoutNs;
    }

    /** Returns a block of {@link io.dubbomesh.protocol.Attachments}, all of it readable; only to be read. */
    public ByteBuf attachments() {
        return attachments;
    }

    /** Returns about how many bytes the arguments are. */
    public int argumentsLength() {
        return arguments.length();
    }

    /**
     * Appends the arguments as the flags say: as text or as JSON.
     *
     * @throws CallException BAD_REQUEST if one is malformed; what was appended before is left to the caller
     */
    public void writeArguments(ByteBuf out) throws CallException {
        arguments.writeArguments(out);
    }
}
