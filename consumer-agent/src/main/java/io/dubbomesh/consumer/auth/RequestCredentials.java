package io.dubbomesh.consumer.auth;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;

/** The credentials of a request's caller. Belongs to a parser, and is reused from request to request. */
public final class RequestCredentials {
    private final LoopAuth auth;
    private boolean given;
    /** Null where {@link #failure} says why. */
    private KnownToken known;

    private CallException failure;
    /** The state by which the caller was found. */
    private AuthState state;

    RequestCredentials(LoopAuth auth) {
        this.auth = auth;
        reset();
    }

    /** Forgets what an earlier request had. */
    public void reset() {
        given = false;
        known = null;
        state = null;
        failure = LoopAuth.NO_CREDENTIALS;
    }

    /** Takes the value {@code in[at, end)} of the header field Authorization. */
    public void take(ByteBuf in, int at, int end) {
        known = null;
        failure = null;
        if (given) {
            failure = new CallException(Outcome.BAD_REQUEST, "Authorization is given twice");
            return;
        }
        given = true;
        try {
            known = auth.authenticate(in, at, end);
            state = auth.state();
        } catch (CallException e) {
            failure = e;
        }
    }

    /** Finds the caller once more, if that could have another result by now. */
    void authenticateAgain() {
        if (known == null || auth.holds(known, state)) {
            return;
        }
        KnownToken before = known;
        known = null;
        try {
            known = auth.authenticate(before.token);
            state = auth.state();
        } catch (CallException e) {
            failure = e;
        }
    }

    /** Returns the caller, or null if there is none that is known. */
    KnownToken known() {
        return known;
    }

    CallException failure() {
        return failure;
    }

    /** Returns the caller's name, or null. */
    public String subject() {
        return known == null ? null : known.name;
    }
}
