package io.dubbomesh.consumer.upstream.pool;

import io.dubbomesh.loadbalance.EndpointEstimate;

import java.util.List;

/** A service in one variant as one event loop sees it at one moment. */
public record ServiceState(
        String service, String version, String group, int waiting, int inFlight, List<MemberState> endpoints) {
    /**
     * An endpoint of a service.
     *
     * @param weight          as it is listed
     * @param effectiveWeight what the balancer sees: less than the weight in a slow start
     * @param ejected         whether it gets no calls of the service but probes
     * @param ejectionReason  why; null unless it is ejected
     * @param calls           of the service that were sent to it since it was listed
     * @param weightShare     the part of the calls that its weight asks for now, in relation to those of the others
     * @param estimate        what the strategy compares it by
     */
    public record MemberState(
            String address,
            int weight,
            double effectiveWeight,
            boolean ejected,
            String ejectionReason,
            boolean alive,
            int inFlight,
            long calls,
            double weightShare,
            EndpointEstimate estimate) {}
}
