package io.dubbomesh.consumer.server;

import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;

/**
 * The way of a connection to its end. Every ordinary one lingers, so that a reset does not destroy the last answer (RFC
 * 9112, 9.6). Owned by the event loop.
 * <pre>
 *   OPEN ----> ENDING ----> FLUSHING ----> LINGERING ----> CLOSED
 *
 *   OPEN      takes requests                    to ENDING with the last of them ("Connection: close", a malformed one,
 *                                               one that takes too long, one of a stranger that is not admitted),
 *                                               with the client's end of input, or with a shutdown
 *   ENDING    some answers are missing          to FLUSHING with the last one
 *   FLUSHING  some bytes are not written yet    to LINGERING when they are; to CLOSED then if the client's input has
 *                                               ended, or if too many linger
 *   LINGERING discards what still arrives       to CLOSED with the client's end of input, or when its time is over
 * </pre>
 * and from each of them to CLOSED when the channel closes.
 */
final class ClosingSequence {
    enum State {
        OPEN,
        ENDING,
        FLUSHING,
        LINGERING,
        CLOSED
    }

    private final Channel channel;
    private final Admission admission;
    private final Runnable lingers;
    private State state = State.OPEN;
    /** Whether the client sends nothing more. */
    private boolean inputEnded;

    /** @param lingers is run when the connection begins to linger, and ends the output of the channel */
    ClosingSequence(Channel channel, Admission admission, Runnable lingers) {
        this.channel = channel;
        this.admission = admission;
        this.lingers = lingers;
    }

    State state() {
        return state;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    boolean hasInputEnded() {
        return inputEnded;
    }

    /** Takes no more requests. */
    void begin() {
        if (state == State.OPEN) {
            state = State.ENDING;
        }
    }

    /** Called when the last answer is in the channel: flushes it, and closes the channel behind it. */
    void flush() {
        if (state != State.ENDING) {
            return;
        }
        state = State.FLUSHING;
        channel.writeAndFlush(channel.alloc().buffer(0)).addListener(this::flushed);
    }

    private void flushed(Future<? super Void> written) {
        // A connection that has ended meanwhile would never leave its place among those that linger.
        if (state == State.FLUSHING && written.isSuccess() && !inputEnded && admission.tryLinger()) {
            state = State.LINGERING;
            lingers.run();
        } else {
            channel.close();
        }
    }

    /** Called when the client has ended its output; requests that have arrived are still taken. */
    void endInput() {
        inputEnded = true;
        if (state == State.LINGERING) {
            channel.close();
        }
    }

    /** Returns whether the client may reset the connection unnoticed, as long as no answer is written. */
    boolean mayBeReset() {
        return inputEnded && (state == State.OPEN || state == State.ENDING);
    }

    /** Called when the channel was closed. */
    void closed() {
        state = State.CLOSED;
    }
}
