package io.dubbomesh.client.connection;

/** Called on an event loop when the provider changes, as that loop sees it. */
public interface UpstreamListener {
    /** Called when the provider takes calls, or no longer, or whether it does is being found out. */
    void stateChanged();

    /**
     * Called when an attempt to reach a provider that takes no calls has failed.
     *
     * @param accepted whether it had accepted the connection, and then did not answer a heartbeat
     * @param how      what happened instead
     */
    void attemptFailed(boolean accepted, String how);

    /** Called when the provider, which takes calls, has fallen silent, or is heard again. */
    void silenceChanged();

    /** Called when the provider has said how many calls it takes at once, see {@link DubboUpstream#maxCalls}. */
    default void maxCallsChanged() {}

    /** Called when the provider reads what is written to it, or no longer. */
    void writabilityChanged();
}
