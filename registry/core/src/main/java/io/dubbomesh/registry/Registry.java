package io.dubbomesh.registry;

import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.runtime.HostPort;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/** The store of endpoints: lists those of all agents, and registers this one's. */
public interface Registry extends AutoCloseable {
    /**
     * Says the name of the consumer that this agent is to Dubbo's routing rules: a registry keeps no rules of other
     * consumers, and one that cannot list rules looks for those of this name. To be called before {@link #watch}.
     */
    default void followRulesOf(String application) {}

    /**
     * Sets the protocol by which providers are listed that offer a service by several; that is Dubbo 2 otherwise. To be
     * called before {@link #watch}.
     */
    default void prefer(EndpointProtocol protocol) {}

    /**
     * Calls {@code listener} with every state of the directory, from the first complete one on. While the registry is
     * away the directory stays as it is. The listener is called by a thread of the registry, one call at a time and in
     * order; it must not block.
     */
    void watch(Consumer<Directory> listener);

    /** Returns whether agents can register here; otherwise {@link #registration} fails. */
    default boolean registers() {
        return true;
    }

    /**
     * Creates a registration, which is not registered yet.
     *
     * @throws IllegalArgumentException if this registry cannot express the request
     */
    Registration registration(RegistrationRequest request);

    /**
     * Returns the reports in which Dubbo's applications have described their services; empty if this kind of registry
     * has none.
     */
    default List<MetadataReport> metadataReports() {
        return List.of();
    }

    /**
     * Returns the nanoseconds since the registry last confirmed the directory that is watched; -1 as long as it has not
     * been read. Called by any thread.
     */
    long ageNs();

    /**
     * Changes the weight of an endpoint for all agents, as an operator does by hand: writes it into the endpoint's
     * entries, from where its own agent adopts it and others read it. Waits for the registry, for some seconds at most.
     *
     * @param services for which the endpoint is listed
     * @param weight   0 to {@value Endpoint#MAX_WEIGHT}
     * @throws FixedWeightException if it has no entry of the endpoint whose weight could be changed
     * @throws IOException if no entry could be written; its message says why
     */
    void changeWeight(Collection<String> services, HostPort endpoint, int weight) throws IOException;

    /**
     * Closes every watch and every registration; takes up to two seconds for each that the registry does not answer.
     */
    @Override
    void close();
}
