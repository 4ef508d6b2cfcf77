package io.dubbomesh.registry.keep;

import io.dubbomesh.registry.Variant;
import io.dubbomesh.runtime.HostPort;

import java.util.List;

/**
 * The store in which a {@link RegistrationKeeper} keeps the entries of one agent. Its text is the registry's name for
 * the log. Called by the keeper's thread, but for {@link #leaseLeftNs}.
 */
public interface EntryStore {
    /** The keeper's work in one session. */
    @FunctionalInterface
    interface Work {
        void run(Session session) throws StoreFailure, InterruptedException;
    }

    /** A session with the store, which ends with the work. */
    interface Session {
        /** Waits until the session can be used; called before each use. */
        default void connect() throws StoreFailure, InterruptedException {}

        /** Returns the address by which this machine reaches the store, for an agent that registers that. */
        String localHost() throws StoreFailure;

        /** Called before each use, when the entries are known. */
        default void prepare() throws StoreFailure, InterruptedException {}

        /** Called when the store has answered everything that it was asked for. */
        default void written() {}

        /**
         * Returns whether the agent has other credentials since the last call, so that what was refused may be granted.
         */
        default boolean hasOtherUser() {
            return false;
        }

        /**
         * Checks what is due: that the store answers, and that the lease is there.
         *
         * @return nanoseconds until the next check
         */
        long check() throws StoreFailure, InterruptedException;

        /** Ends the lease, when no entry is left. */
        default void end() throws StoreFailure, InterruptedException {}

        /** Returns the milliseconds after which the session can be used again after a failure; -1 if it has ended. */
        default long retryMs(StoreFailure failure) {
            return -1;
        }
    }

    /**
     * Runs the work in a session, and logs what it fails by.
     *
     * @return milliseconds to wait before the next session
     */
    long run(Work work) throws InterruptedException;

    /** Creates the entry of a service. */
    AgentEntry entry(String service, HostPort address, List<Variant> variants);

    /** Returns how long an entry says that the agent leaves before it is deleted. */
    default long leavingMs() {
        return 0;
    }

    /** Returns whether there is a lease that is to be ended. */
    default boolean hasLease() {
        return false;
    }

    /** Returns as {@link io.dubbomesh.registry.Registration#leaseLeftNs}; called by any thread. */
    default long leaseLeftNs() {
        return -1;
    }

    /** Logs that the keeper has ended before the store held what was wanted. */
    void abandoned();
}
