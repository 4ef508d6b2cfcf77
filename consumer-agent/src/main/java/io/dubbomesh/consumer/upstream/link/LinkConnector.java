package io.dubbomesh.consumer.upstream.link;

/** Opens the link of an endpoint, again and again until it is closed. Owned by one event loop. */
public interface LinkConnector {
    /** Makes an attempt now. */
    void connect();

    /** Makes an attempt after a pause, which grows from one to the next until a link has lasted. */
    void connectLater();

    /** Called when the link is ready. */
    void connected();

    /** Makes no more attempts; a link that is open stays so as long as calls are in flight on it. */
    void close();
}
