package io.dubbomesh.registry;

import java.time.Duration;
import java.util.function.Consumer;

/** Knows which agents are alive, and makes this one known. */
public interface Registry extends AutoCloseable {
    /** How long a registration outlives its agent: long enough for etcd to be restarted. */
    Duration DEFAULT_LEASE = Duration.ofSeconds(30);

    /**
     * Opens the registry named by {@code uri}, without waiting for it:
     * <ul>
     *   <li>{@code etcd://host:2379[,host:2379]} or the same with {@code http://}
     *   <li>{@code file:/dir}, for one machine
     *   <li>{@code static:host:port*weight,...}, which serves any service and registers nothing
     * </ul>
     *
     * @throws IllegalArgumentException {@code registry: VALUE (expected: ...)}
     */
    static Registry open(String uri) {
        return open(uri, DEFAULT_LEASE);
    }

    /** As {@link #open(String)}; {@code lease}, in whole seconds, 2 to 3600, matters to etcd only. */
    static Registry open(String uri, Duration lease) {
        return RegistryUri.open(uri, lease);
    }

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
