package io.dubbomesh.consumer.call;

import io.dubbomesh.consumer.http.response.AnswerSize;
import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.MethodNames;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.dubbomesh.transport.metrics.MethodMetrics;
import io.dubbomesh.transport.metrics.RecentFailures;

import java.util.function.BooleanSupplier;

/** A method that calls go to, with what is worked out once: its names as bytes and the number of its parameters. */
public final class Route implements Responder.Observer {
    /** The index of a route that is not in the table: its calls carry their names. */
    public static final int NO_INDEX = -1;

    private final MethodName name;
    private final byte[] encodedNames;
    private final int parameterCount;
    private final byte[] spelling;
    private final long spellingHash;
    private final AnswerSize answers = new AnswerSize();
    private final RecentFailures failures;
    private final BooleanSupplier anyExecuted;
    private int index = NO_INDEX;
    private boolean executed;
    private MethodMetrics metrics;

    /**
     * @param anyExecuted whether any method was executed
     * @param metrics     of the event loop
     */
    Route(MethodName name, byte[] spelling, long spellingHash, BooleanSupplier anyExecuted, CallMetrics metrics) {
        this.name = name;
        this.anyExecuted = anyExecuted;
        this.failures = metrics.failures();
        this.metrics = metrics.other();
        this.encodedNames = MethodNames.encode(name);
        this.parameterCount = Descriptors.count(name.descriptor());
        this.spelling = spelling;
        this.spellingHash = spellingHash;
    }

    public MethodName name() {
        return name;
    }

    /** Returns the names as they are in DEFINE; only to be read. */
    public byte[] encodedNames() {
        return encodedNames;
    }

    public AnswerSize answers() {
        return answers;
    }

    /** {@link Descriptors#MALFORMED} where the types are not known too. */
    int parameterCount() {
        return parameterCount;
    }

    /** Returns the spelling of the names when this route was made, the key by which the router finds it. */
    byte[] spelling() {
        return spelling;
    }

    long spellingHash() {
        return spellingHash;
    }

    /** Returns the place among the routes that are kept, or {@link #NO_INDEX}. */
    public int index() {
        return index;
    }

    void keepAt(int place) {
        index = place;
    }

    /** Notes that the method was executed, so that it exists, and counts its calls here from now on. */
    void prove(MethodMetrics ofMethod) {
        executed = true;
        metrics = ofMethod;
    }

    /**
     * Returns whether the method was never executed though others were by now: a client may have invented it, or its
     * answers may be longer than all others.
     */
    public boolean isUnproven() {
        return !executed && anyExecuted.getAsBoolean();
    }

    /** Returns whether it is no method of the service, but the description of all of them. */
    boolean isDescription() {
        return name.method().equals(MethodName.DESCRIBE);
    }

    @Override
    public void answered(Response response, long receivedNs) {
        if (response.isServed()) {
            metrics.servedInTurn(response.outcome(), receivedNs, response.sentNs(), response.arrivedNs());
        } else {
            metrics.answeredInTurn(response.outcome(), receivedNs);
        }
        if (response.outcome() != Outcome.OK) {
            failures.add(response.outcome(), name, response.endpoint(), response::reason);
        }
    }

    /** Returns whether it has its place in the router's table, which it never loses. */
    public boolean isKept() {
        return index != NO_INDEX;
    }
}
