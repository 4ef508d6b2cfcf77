package io.dubbomesh.consumer.upstream;

import java.util.List;

/**
 * The provider agents and services as one event loop sees them at one moment, for operators; immutable.
 *
 * @param waiting   calls in the queue
 * @param inFlight  calls on their way to provider agents
 * @param services  those that the loop has called, in each variant
 */
public record UpstreamState(int waiting, int inFlight, List<EndpointState> endpoints, List<ServiceState> services) {
    /**
     * A provider agent, or a Dubbo provider without one.
     *
     * @param address     {@code host:port}
     * @param direct      whether it is a Dubbo provider that is called without a provider agent
     * @param alive       whether there is a link to it that takes calls
     * @param idle        whether there is no link to it because no call needs one
     * @param connections how many links there were, one after the other
     * @param limit       that it told last; 0 before
     * @param failure     why the last attempt to connect failed; empty if it did not
     */
    public record EndpointState(
            String address,
            boolean direct,
            boolean alive,
            boolean idle,
            int connections,
            int limit,
            int inFlight,
            String failure) {}

    /** A service in one variant. */
    public record ServiceState(
            String service, String version, String group, int waiting, int inFlight, List<MemberState> endpoints) {}

    /**
     * An endpoint of a service.
     *
     * @param weight          as it is listed
     * @param effectiveWeight what the balancer sees: less than the weight in a slow start
     * @param ejected         whether it gets no calls of the service but probes
     * @param ejectionReason  why; null unless it is ejected
     * @param calls           of the service that were sent to it since it was listed
     */
    public record MemberState(
            String address,
            int weight,
            double effectiveWeight,
            boolean ejected,
            String ejectionReason,
            boolean alive,
            int inFlight,
            long calls) {}
}
