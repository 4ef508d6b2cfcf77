package io.dubbomesh.provider.call;

import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.DubboRequest;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.dubbomesh.transport.metrics.MethodMetrics;

/**
 * A method that calls go to: its prepared request, and where its calls count. That is among the others until the provider has executed one, so
 * that names which do not exist take no place. Owned by one event loop.
 */
public final class CalledMethod {
    private final MethodName name;
    private final DubboRequest request;
    private final CallMetrics all;
    private MethodMetrics metrics;
    private boolean executed;

    public CalledMethod(MethodName name, DubboRequest request, CallMetrics all) {
        this.name = name;
        this.request = request;
        this.all = all;
        metrics = all.known(name.service(), name.method());
    }

    DubboRequest request() {
        return request;
    }

    void answered(Outcome outcome, long durationNs) {
        if (!executed && (outcome == Outcome.OK || outcome == Outcome.SERVICE_EXCEPTION)) {
            executed = true;
            metrics = all.of(name.service(), name.method());
        }
        metrics.answered(outcome, durationNs);
    }

    void served(long waitedNs, long servedNs) {
        metrics.served(waitedNs, servedNs);
    }

    /** A call has gone to the provider, which will not answer it. */
    void sentOneWay() {
        metrics.answered(Outcome.OK);
    }

    /** A call was given back at once. */
    public void notBegun() {
        metrics.answered(Outcome.NOT_EXECUTED);
    }
}
