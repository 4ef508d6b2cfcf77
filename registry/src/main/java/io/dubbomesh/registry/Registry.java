package io.dubbomesh.registry;

import java.util.function.Consumer;

/** Knows which agents are alive, and makes this one known. */
public interface Registry extends AutoCloseable {
    /**
     * Hands every state of the directory to {@code listener}, the first one when the list was loaded for the first time. What
     * is known stays as it is while the registry is away. The listener is called by the registry's own thread, one call at
     * a time and in order; it must not block.
     */
    void watch(Consumer<Directory> listener);

    /**
     * A registration, not yet announced.
     *
     * @throws IllegalArgumentException if the advertisement cannot be written as this registry's values
     */
    Registration registration(Advertisement advertisement);

    /** Closes every watch and every registration; takes up to two seconds for each that the registry does not answer. */
    @Override
    void close();
}
