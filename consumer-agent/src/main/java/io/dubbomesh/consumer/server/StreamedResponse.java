package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.http.response.ResponseStream;
import io.dubbomesh.consumer.http.response.StreamFormat;
import io.netty.buffer.ByteBuf;

/**
 * A response in pieces on its connection. Owned by the event loop.
 * <pre>
 *   OPENED    nothing is written     to STARTED with the first message or the first heartbeat
 *                                    to ENDED with any response, which is an ordinary one if it has failed
 *   STARTED   the head is written    to ENDED with the response, whose status is the end of the stream
 *   ENDED
 * </pre>
 * and each of them to ENDED when the client leaves.
 */
final class StreamedResponse implements ResponseStream {
    enum State {
        OPENED,
        STARTED,
        ENDED
    }

    private final ServerExchange exchange;
    private final ClientConnection connection;
    private final StreamFormat format;
    private final Source source;
    private State state = State.OPENED;
    /** Whether the source was told to wait. */
    private boolean blocked;
    /** Whether something was written since the last look for heartbeats. */
    private boolean wroteLately = true;

    private long quietSinceNs;
    private long bytes;
    private long messages;

    StreamedResponse(ServerExchange exchange, ClientConnection connection, StreamFormat format, Source source) {
        this.exchange = exchange;
        this.connection = connection;
        this.format = format;
        this.source = source;
    }

    @Override
    public boolean write(ByteBuf in, int offset, int length) {
        assert state != State.ENDED : "a message behind the end";
        bytes += length;
        messages++;
        try {
            blocked = !connection.write(exchange, in, offset, length);
        } catch (Throwable e) {
            // The source has other clients to serve; this one is told that the client has left.
            connection.fail(e);
            blocked = true;
        }
        return !blocked;
    }

    @Override
    public boolean isBlocked() {
        return blocked;
    }

    StreamFormat format() {
        return format;
    }

    State state() {
        return state;
    }

    /** Returns whether the response is no ordinary one any more. */
    boolean isStarted() {
        return state == State.STARTED;
    }

    /** Called when the head is written. */
    void start() {
        state = State.STARTED;
    }

    /** Called when something is written. */
    void wrote() {
        wroteLately = true;
    }

    /** Called when nothing more comes of the stream. */
    void end() {
        state = State.ENDED;
        blocked = false;
    }

    /** Has the source go on if it waits; to be called from no call of its own. */
    void resume() {
        if (blocked) {
            blocked = false;
            source.resumed();
        }
    }

    /** Returns whether nothing was written for so long; to be called now and then. */
    boolean isQuietFor(long ns, long nowNs) {
        if (wroteLately) {
            wroteLately = false;
            quietSinceNs = nowNs;
        }
        return nowNs - quietSinceNs >= ns;
    }

    /** Returns the bytes of all messages so far. */
    long bytes() {
        return bytes;
    }

    /** Returns how many there were so far. */
    long messages() {
        return messages;
    }
}
