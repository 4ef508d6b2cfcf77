package io.dubbomesh.registry;

import java.util.function.Consumer;

/** The store of endpoints: lists those of all agents, and registers this one's. */
public interface Registry extends AutoCloseable {
    /**
     * Calls {@code listener} with every state of the directory, from the first complete one on. While the registry is away
     * the directory stays as it is. The listener is called by a thread of the registry, one call at a time and in order; it
     * must not block.
     */
    void watch(Consumer<Directory> listener);

    /**
     * Creates a registration, which is not registered yet.
     *
     * @throws IllegalArgumentException if this registry cannot express the request
     */
    Registration registration(RegistrationRequest request);

    /**
     * How long ago the registry last confirmed the directory that is watched, in nanoseconds; -1 as long as it has not been read. Called by any
     * thread.
     */
    long ageNs();

    /** Closes every watch and every registration; takes up to two seconds for each that the registry does not answer. */
    @Override
    void close();
}
