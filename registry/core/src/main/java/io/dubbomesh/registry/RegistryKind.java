package io.dubbomesh.registry;

import io.dubbomesh.registry.metadata.MetadataSource;

import java.time.Duration;

/**
 * A kind of registry that a module of its own brings. It is found by {@link java.util.ServiceLoader}; its client
 * library is not loaded before {@link #open}.
 */
public interface RegistryKind {
    /** Returns the beginning of its URIs, {@code ://} included. */
    String prefix();

    /** Returns the form of its URIs, for messages. */
    String form();

    /**
     * Opens a registry, without connecting to it.
     *
     * @param lease    how long a registration outlives its agent
     * @param metadata for the instances of applications that it lists, where it does not hold their metadata itself
     * @throws IllegalArgumentException if the URI is malformed; its message may say why
     */
    Registry open(String uri, Duration lease, MetadataSource metadata);
}
