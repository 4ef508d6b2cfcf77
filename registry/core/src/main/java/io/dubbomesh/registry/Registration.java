package io.dubbomesh.registry;

import io.dubbomesh.runtime.HostPort;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * One agent's entries in the registry, one for each service that it serves. While it is registered, the entries are
 * kept: an entry that was deleted is written again, and one whose weight was changed by an operator is kept with that
 * weight.
 *
 * <pre>
 *                  register()
 *   DEREGISTERED ------------> REGISTERED
 *        |       <------------     |
 *        |       deregister()      |
 *        +--------> CLOSED <-------+   close()
 * </pre>
 *
 * Every method may be called from any thread; only {@link #close()} waits.
 */
public interface Registration extends AutoCloseable {
    /** Registers the agent, now or as soon as the registry can be reached. */
    void register();

    /**
     * Has these services, in these variants, registered from now on, and no others; at first those of the
     * {@link RegistrationRequest} are. The entries of others are deleted as by {@link #deregister}, those that stay are
     * not touched.
     */
    void select(Map<String, List<Variant>> services);

    /**
     * Has the agent's entries say that the agent leaves, so that consumer agents do not take it for cut off, and
     * deletes them.
     *
     * @return completed, by a thread of the registry, once no entry is left; cancelled by a later {@link #register()},
     *     or by {@link #close()} if the registry could not be reached
     */
    CompletableFuture<Void> deregister();

    /**
     * Returns the registered address; null as long as that is not known, since it is the local address of a connection
     * to the registry.
     */
    HostPort address();

    /** Changes the weight in force, in a moment, and in the registry as soon as that can be reached. */
    void changeWeight(int weight);

    /**
     * Changes the calls a second that the provider can execute, likewise; 0 if that is not known. See
     * {@link Endpoint#capacity}.
     */
    void changeCapacity(int callsPerSecond);

    /** Returns the weight in force: the configured one, or what an operator set last. */
    int weight();

    /**
     * Returns whether the agent's entries are in the registry, as far as is known. A registry that is away changes
     * nothing, even if the lease lapses meanwhile: the agent serves as before, and registers again when the registry is
     * back.
     */
    boolean registered();

    /**
     * Returns the nanoseconds until the registry would remove this agent if it heard nothing more of it; -1 if there is
     * no such lease.
     */
    default long leaseLeftNs() {
        return -1;
    }

    /** Deregisters for good, and revokes the lease; gives up after two seconds if the registry does not answer. */
    @Override
    void close();
}
