package io.dubbomesh.consumer.upstream.link;

/**
 * A provider agent, or a Dubbo provider without one, as one event loop sees it at one moment.
 *
 * @param address     as {@link io.dubbomesh.registry.Endpoint#address}
 * @param direct      whether it is a Dubbo provider that is called without a provider agent
 * @param alive       whether there is a link to it that takes calls
 * @param idle        whether there is no link to it because no call needs one
 * @param connections how many links there were, one after the other
 * @param limit       that it told last; 0 before
 * @param load        of its provider, as it was reported last; null if it was not
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
        Load load,
        String failure) {

    /**
     * The load of the provider, by all consumer agents.
     *
     * @param timeNs     what calls took, those that had to wait included; 0 if none was answered
     * @param reportedNs when it was reported, by {@link System#nanoTime}
     */
    public record Load(int inService, int waiting, long timeNs, long reportedNs) {}
}
