package io.dubbomesh.consumer.record;

import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Quoted;
import io.dubbomesh.protocol.mesh.CallTiming;

/** The call that a request becomes, and where it went. Reused with its {@link CallRecord}. */
public final class RecordedCall {
    /** Longer names are cut: clients may invent them, and many records may wait to be written. */
    private static final int MAX_NAME = 200;

    /** The known parts of the call; each stage includes those before it. */
    private enum Stage {
        NONE,
        DISPATCHED,
        ARRIVED,
        TIMED
    }

    private Stage stage = Stage.NONE;
    private MethodName method;
    private long dispatchedNs;
    private String endpoint;
    private String protocol;
    private int attempts;
    private long sentNs;
    private long arrivedNs;
    private String provider;
    private long providerQueueNs;
    private long providerNs;

    /** Called when it is known what is called, and the call is about to be sent or queued. */
    public void dispatched(MethodName name, long nowNs) {
        stage = Stage.DISPATCHED;
        method = isBrief(name) ? name : brief(name);
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
     * Called when it is known which endpoints the call has gone to.
     *
     * @param to      the last one
     * @param by      the name of the protocol by which it is called
     * @param times   how often
     * @param firstNs when it was sent for the first time
     */
    public void sent(String to, String by, int times, long firstNs) {
        endpoint = to;
        protocol = by;
        attempts = times;
        sentNs = firstNs;
    }

    /** Called when the answer of the provider agent was read. */
    public void arrived(long nowNs) {
        stage = Stage.ARRIVED;
        arrivedNs = nowNs;
    }

    /** Called behind {@link #arrived} when the answer says how long the call was where. */
    public void timed(CallTiming timing) {
        stage = Stage.TIMED;
        providerQueueNs = timing.queueNs();
        providerNs = timing.providerNs();
        provider = timing.provider();
    }

    void clear() {
        stage = Stage.NONE;
        method = null;
        endpoint = null;
        protocol = null;
        attempts = 0;
        provider = null;
    }

    /** Returns what is called, long names cut; null if that was never known. */
    public MethodName method() {
        return method;
    }

    /** Returns the provider agent that the call was sent to last; null if it was not sent. */
    public String endpoint() {
        return endpoint;
    }

    /** Returns the name of the protocol by which the call was sent last; null if it was not sent. */
    public String protocol() {
        return protocol;
    }

    /** Returns the address of the provider that has answered; null if that is not known. */
    public String provider() {
        return provider;
    }

    /** Returns how often the call was sent. */
    public int attempts() {
        return attempts;
    }

    boolean wasSent() {
        return attempts > 0;
    }

    boolean wasDispatched() {
        return stage != Stage.NONE;
    }

    boolean hasArrived() {
        return stage == Stage.ARRIVED || stage == Stage.TIMED;
    }

    boolean isTimed() {
        return stage == Stage.TIMED;
    }

    long dispatchedNs() {
        return dispatchedNs;
    }

    /** Returns when the call was sent for the first time; meaningful if there were {@link #attempts}. */
    public long sentNs() {
        return sentNs;
    }

    long arrivedNs() {
        return arrivedNs;
    }

    /** Returns the wait for a permit of the provider agent; {@link CallRecord#UNKNOWN} if that is not known. */
    public long providerQueueNs() {
        return isTimed() ? providerQueueNs : CallRecord.UNKNOWN;
    }

    /** Returns the time at the provider; {@link CallRecord#UNKNOWN} if that is not known. */
    public long providerNs() {
        return isTimed() ? providerNs : CallRecord.UNKNOWN;
    }
}
