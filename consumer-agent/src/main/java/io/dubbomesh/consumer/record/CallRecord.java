package io.dubbomesh.consumer.record;

import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Quoted;
import io.dubbomesh.protocol.mesh.CallTiming;
import io.netty.buffer.ByteBuf;

import java.net.SocketAddress;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * What is known of a request when it was answered, or when its client has left. Filled by the event loop of the request
 * on its way; read by {@link CallRecorder}s. Points in time are of {@link System#nanoTime()}.
 * <pre>
 *   received    dispatched        sent                            arrived    ended
 *      |  agent    |     queue      |            upstream            |  agent  |
 *                                   |  mesh, provider queue, provider |
 * </pre>
 * A call that was sent a second time was sent the first time here.
 */
public final class CallRecord {
    /** Of a duration: nobody has measured it. */
    public static final long UNKNOWN = -1;
    /** The HTTP status, of nginx, of a request whose client left first. */
    public static final int CLIENT_LEFT = 499;

    private static final int MAX_TARGET = 128;
    /** Longer names are cut: clients may invent them, and many records may wait to be written. */
    private static final int MAX_NAME = 200;

    private int wantedBy;
    private boolean told;

    private long traceIdHigh;
    private long traceIdLow;
    private boolean sampled;
    private long parentSpanId;
    private long serverSpanId;
    private long clientSpanId;

    private SocketAddress client;
    private String httpMethod;
    private final byte[] target = new byte[MAX_TARGET];
    private int targetLength;
    private int requestBytes;
    private MethodName method;
    private String caller;

    private long receivedNs;
    private boolean dispatched;
    private long dispatchedNs;
    private String endpoint;
    private int attempts;
    private long sentNs;
    private boolean arrived;
    private long arrivedNs;
    private boolean timed;
    private long providerQueueNs;
    private long providerNs;
    private String provider;

    private boolean ended;
    private long endedNs;
    private Outcome outcome;
    private int status;
    private int responseBytes;

    // --- filled by the recorders, at the beginning ---

    /** The trace that the request is part of. */
    public void trace(long idHigh, long idLow, boolean isSampled) {
        traceIdHigh = idHigh;
        traceIdLow = idLow;
        sampled = isSampled;
    }

    /** The span in which the client made the request. */
    void parentSpan(long id) {
        parentSpanId = id;
    }

    /** The spans of this agent: for the HTTP request, and for the call to a provider agent. */
    public void spans(long serverId, long clientId) {
        serverSpanId = serverId;
        clientSpanId = clientId;
    }

    void begin(int wanted, boolean tell) {
        wantedBy = wanted;
        told = tell;
    }

    // --- filled on the way ---

    /** @param bodyLength 0 for what is no request that could be parsed */
    public void received(SocketAddress from, int bodyLength, long nowNs) {
        client = from;
        requestBytes = bodyLength;
        receivedNs = nowNs;
    }

    /** @param path with the query, all of it readable */
    public void requested(String verb, ByteBuf path) {
        httpMethod = verb;
        targetLength = Math.min(path.readableBytes(), MAX_TARGET);
        path.getBytes(path.readerIndex(), target, 0, targetLength);
    }

    /** @param name of the authenticated caller, of at most some hundred characters; null if there is none */
    public void calledBy(String name) {
        caller = name;
    }

    /** It is known what is called, and the call is about to be sent or queued. */
    public void dispatched(MethodName name, long nowNs) {
        method = isBrief(name) ? name : brief(name);
        dispatched = true;
        dispatchedNs = nowNs;
    }

    private static boolean isBrief(MethodName name) {
        return name.service().length() <= MAX_NAME
                && name.method().length() <= MAX_NAME
                && name.descriptor().length() <= MAX_NAME
                && name.version().length() <= MAX_NAME
                && name.group().length() <= MAX_NAME;
    }

    private static MethodName brief(MethodName name) {
        return new MethodName(
                Quoted.plain(name.service(), MAX_NAME),
                Quoted.plain(name.method(), MAX_NAME),
                Quoted.plain(name.descriptor(), MAX_NAME),
                Quoted.plain(name.version(), MAX_NAME),
                Quoted.plain(name.group(), MAX_NAME));
    }

    /**
     * The call has gone to a provider agent.
     *
     * @param to      the last one
     * @param times   how often
     * @param firstNs when it was sent for the first time
     */
    public void sent(String to, int times, long firstNs) {
        endpoint = to;
        attempts = times;
        sentNs = firstNs;
    }

    /** The answer of the provider agent was read. */
    public void arrived(long nowNs) {
        arrived = true;
        arrivedNs = nowNs;
    }

    /** The provider agent has told how long the call was where. */
    public void timed(CallTiming timing) {
        timed = true;
        providerQueueNs = timing.queueNs();
        providerNs = timing.providerNs();
        provider = timing.provider();
    }

    /** @param bytes of the body */
    public void answered(Outcome with, int httpStatus, int bytes, long nowNs) {
        ended = true;
        endedNs = nowNs;
        outcome = with;
        status = httpStatus;
        responseBytes = bytes;
    }

    /** The client has left before the answer. */
    public void abandoned(long nowNs) {
        ended = true;
        endedNs = nowNs;
        status = CLIENT_LEFT;
    }

    void clear() {
        wantedBy = 0;
        told = false;
        traceIdHigh = 0;
        traceIdLow = 0;
        sampled = false;
        parentSpanId = 0;
        serverSpanId = 0;
        clientSpanId = 0;
        client = null;
        httpMethod = null;
        targetLength = 0;
        method = null;
        caller = null;
        dispatched = false;
        endpoint = null;
        attempts = 0;
        arrived = false;
        timed = false;
        provider = null;
        ended = false;
        outcome = null;
        responseBytes = 0;
    }

    int wantedBy() {
        return wantedBy;
    }

    /** Whether the client asks for the times. */
    public boolean isTold() {
        return told;
    }

    // --- the trace ---

    /** Whether the request is part of a trace, of which this agent need not record anything. */
    public boolean hasTrace() {
        return (traceIdHigh | traceIdLow) != 0;
    }

    /** Whether the spans of the trace are recorded. */
    public boolean isSampled() {
        return sampled;
    }

    public long traceIdHigh() {
        return traceIdHigh;
    }

    public long traceIdLow() {
        return traceIdLow;
    }

    /** 0 if the trace begins here. */
    public long parentSpanId() {
        return parentSpanId;
    }

    /** 0 if nobody makes spans of this request. */
    public long serverSpanId() {
        return serverSpanId;
    }

    public long clientSpanId() {
        return clientSpanId;
    }

    // --- the request ---

    public SocketAddress client() {
        return client;
    }

    /** Of HTTP; null for what is no request that could be parsed. */
    public String httpMethod() {
        return httpMethod;
    }

    /** The beginning of path and query, empty for what is no request that could be parsed. Allocates. */
    public String target() {
        return new String(target, 0, targetLength, US_ASCII);
    }

    /** What is called, long names cut; null if that was never known. */
    public MethodName method() {
        return method;
    }

    /** The name of the authenticated caller, or null. */
    public String caller() {
        return caller;
    }

    /** Bytes of its body. */
    public int requestBytes() {
        return requestBytes;
    }

    // --- where it went ---

    /** The provider agent that the call was sent to last; null if it was not sent. */
    public String endpoint() {
        return endpoint;
    }

    /** The address of the provider that has answered; null if that is not known. */
    public String provider() {
        return provider;
    }

    /** How often the call was sent. */
    public int attempts() {
        return attempts;
    }

    // --- the answer ---

    public boolean isEnded() {
        return ended;
    }

    /** Null if the client left first. */
    public Outcome outcome() {
        return outcome;
    }

    /** The HTTP status, or {@link #CLIENT_LEFT}. */
    public int status() {
        return status;
    }

    public boolean hasFailed() {
        return status >= 400;
    }

    /** Bytes of the body of the answer. */
    public int responseBytes() {
        return responseBytes;
    }

    // --- the times ---

    /** When the last byte of the request was read. */
    public long receivedNs() {
        return receivedNs;
    }

    /** When the call was sent for the first time; meaningful if there were {@link #attempts}. */
    public long sentNs() {
        return sentNs;
    }

    /** When the answer of the provider agent was read, or where there was none, when the request ended. */
    public long arrivedNs() {
        return arrived ? arrivedNs : endedNs;
    }

    /** When the answer was written, or the client was gone. */
    public long endedNs() {
        return endedNs;
    }

    public long totalNs() {
        return endedNs - receivedNs;
    }

    /**
     * In this agent, but for the queue: from the request to the call, and from the provider agent's answer to the
     * client's.
     */
    public long agentNs() {
        return Math.max(0, totalNs() - queueNs() - (attempts > 0 ? upstreamNs() : 0));
    }

    /** Waiting until an endpoint had room. */
    public long queueNs() {
        return dispatched ? Math.max(0, (attempts > 0 ? sentNs : endedNs) - dispatchedNs) : 0;
    }

    /**
     * From when the call was sent for the first time until the answer of a provider agent was read; {@link #UNKNOWN} if
     * it was not sent.
     */
    public long upstreamNs() {
        return attempts > 0 ? arrivedNs() - sentNs : UNKNOWN;
    }

    /**
     * Of that, the links and the work of the provider agent, and an attempt before that was not executed;
     * {@link #UNKNOWN} if the provider agent has not told how long the call was there.
     */
    public long meshNs() {
        return timed ? Math.max(0, upstreamNs() - providerQueueNs - providerNs) : UNKNOWN;
    }

    /** Of that, waiting for a permit of the provider agent. */
    public long providerQueueNs() {
        return timed ? providerQueueNs : UNKNOWN;
    }

    /** Of that, at the provider. */
    public long providerNs() {
        return timed ? providerNs : UNKNOWN;
    }
}
