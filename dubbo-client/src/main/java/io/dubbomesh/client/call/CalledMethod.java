package io.dubbomesh.client.call;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Problem;
import io.dubbomesh.protocol.request.CallArguments;
import io.dubbomesh.protocol.request.DubboRequest;
import io.dubbomesh.protocol.type.DeclaredType;
import io.dubbomesh.runtime.metrics.Exemplar;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.dubbomesh.transport.metrics.MethodMetrics;
import io.netty.buffer.ByteBuf;

import java.util.IdentityHashMap;
import java.util.Map;

/**
 * A method that calls go to: its prepared request, and where its calls count. That is among the others until the
 * provider has executed one, so that names which do not exist take no place. Owned by one event loop.
 */
public final class CalledMethod {
    private static final String TOO_MANY =
            "as many calls are in service as the limit allows, and no more can wait (lb.limit, dubbo.queue)";

    private final MethodName name;
    private final DubboRequest request;
    private final CallMetrics all;
    /** The methods that were called of an overloaded one; null until there is one. */
    private Map<DubboRequest, CalledMethod> overloads;

    private MethodMetrics metrics;
    private boolean executed;

    public CalledMethod(MethodName name, DubboRequest request, CallMetrics all) {
        this.name = name;
        this.request = request;
        this.all = all;
        metrics = all.known(name.service(), name.method());
    }

    MethodName name() {
        return name;
    }

    DubboRequest request() {
        return request;
    }

    /**
     * Returns the method of this name that these arguments are for: this, if there is only one.
     *
     * @throws CallException if it cannot be found out, see {@link DubboRequest#overload}
     */
    CalledMethod overload(CallArguments arguments) throws CallException {
        if (!request.isOverloaded()) {
            return this;
        }
        DubboRequest meant = request.overload(arguments);
        if (overloads == null) {
            overloads = new IdentityHashMap<>();
        }
        return overloads.computeIfAbsent(meant, one -> new CalledMethod(name, one, all));
    }

    /** Returns what it declares to return, as far as it is known. */
    public DeclaredType resultType() {
        return request.resultType();
    }

    void answered(Outcome outcome, long durationNs) {
        if (!executed && (outcome == Outcome.OK || outcome == Outcome.SERVICE_EXCEPTION)) {
            executed = true;
            metrics = all.of(name.service(), name.method());
        }
        metrics.answered(outcome, durationNs);
    }

    /** Called when an answered call is traced. */
    void traced(Exemplar call) {
        metrics.traced(call);
    }

    /** Returns whether the provider has executed a call of it. */
    boolean isExecuted() {
        return executed;
    }

    void served(long waitedNs, long servedNs) {
        metrics.served(waitedNs, servedNs);
    }

    /** Called when a call has gone to the provider, which will not answer it. */
    void sentOneWay() {
        metrics.answered(Outcome.OK);
    }

    /**
     * Called when a call was given back at once.
     *
     * @param unavailability why the provider takes no calls now; null if it has too many
     */
    public void notBegun(String unavailability) {
        metrics.answered(Outcome.NOT_EXECUTED);
        givenBack(unavailability);
    }

    void givenBack(String unavailability) {
        failed(Outcome.NOT_EXECUTED, unavailability == null ? TOO_MANY : unavailability);
    }

    /** Called when a call has failed, which counts elsewhere. */
    public void failed(Outcome outcome, String reason) {
        all.failures().add(outcome, name, null, reason);
    }

    /** Called when a call has failed with the reason in the problem document {@code in[offset, offset + length)}. */
    public void failed(Outcome outcome, ByteBuf in, int offset, int length) {
        all.failures().add(outcome, name, null, () -> Problem.detail(in, offset, length));
    }
}
