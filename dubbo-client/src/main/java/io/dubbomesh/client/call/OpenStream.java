package io.dubbomesh.client.call;

import io.dubbomesh.protocol.Outcome;

/**
 * A stream of messages on its way from the provider, as their receiver controls it: from {@link
 * CallListener#streamOpened} to {@link CallListener#streamClosed}, on the event loop of the call.
 */
public interface OpenStream {
    /** Has the provider send so many bytes more: messages were taken. */
    void consumed(int windowBytes);

    /** Ends the stream at the provider; nothing more is passed on. */
    void cancel();

    /** Ends the stream at the provider, and passes the outcome on. */
    void fail(Outcome outcome, String detail);
}
