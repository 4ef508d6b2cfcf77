package io.dubbomesh.client.connection;

/** Called by a connection to the provider with what happens to it, on its event loop. */
interface ConnectionListener {
    void onConnected(UpstreamConnection opened);

    /** Called once for each connection that is lost, before its channel is closed. */
    void onLost(UpstreamConnection lost, String reason);

    /** Called when the provider has sent nothing for long, though calls and a heartbeat wait for answers. */
    void onSilence(UpstreamConnection silent);

    /** Called when a frame has come from a provider that was silent, or whose first sign was awaited. */
    void onSign(UpstreamConnection from);

    /** Called when a connection that is to be closed when idle has answered everything: it is about to be closed. */
    void onIdle(UpstreamConnection idle);

    /** Called when the provider takes no new calls on a connection, and answers those that it has. */
    void onGoingAway(UpstreamConnection ending, String reason);

    /** Called when the provider says that it finishes what it has and takes nothing more. */
    void onReadOnly();

    /** Called when the provider says that it takes calls. */
    void onTakesCalls();

    /** Called when the provider has said how many calls it takes on a connection at once. */
    void onMaxCalls(UpstreamConnection from);

    /** Called when the provider reads what is written to it, or no longer. */
    void onWritabilityChanged();
}
