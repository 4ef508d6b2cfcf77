package io.dubbomesh.transport.mesh;

import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.mesh.Hello;

/**
 * The progress of a link's HELLOs. Owned by the link.
 * <pre>
 *   AWAITING --HELLO-------------------> DONE
 *   AWAITING --HELLO with a challenge--> PROVING --any frame but a GOAWAY--> DONE
 * </pre>
 * A side that has answered the challenge of the peer's HELLO is PROVING until a frame shows that the peer has accepted
 * the answer; a PING behind its HELLO asks for one.
 */
final class LinkOpening {
    enum State {
        AWAITING,
        PROVING,
        DONE
    }

    private State state = State.AWAITING;
    /** The peer's HELLO; null unless PROVING. */
    private Hello peer;

    private long waitedNs;

    State state() {
        return state;
    }

    boolean isDone() {
        return state == State.DONE;
    }

    /**
     * Checks the HELLO of the peer, before it is answered.
     *
     * @throws MalformedFrameException refuses the peer, with the message as reason
     */
    void check(Hello hello) throws MalformedFrameException {
        if (state != State.AWAITING) {
            throw new MalformedFrameException("a second HELLO");
        }
        if (hello.version() == 0) {
            throw new MalformedFrameException("no common version (spoken here: 1)");
        }
    }

    /** Called when the HELLO of the peer needs no proof. */
    void onHello() {
        state = State.DONE;
    }

    /** Called when the HELLO of the peer was answered by a proof, which the peer has to accept. */
    void onProof(Hello hello) {
        state = State.PROVING;
        peer = hello;
    }

    /** Called when the peer has accepted the proof. Returns its HELLO. */
    Hello onAccepted() {
        Hello accepted = peer;
        state = State.DONE;
        peer = null;
        return accepted;
    }

    /** Adds a time in which this side has read. Returns for how long the peer was waited for in all. */
    long waited(long ns) {
        waitedNs += ns;
        return waitedNs;
    }
}
