package io.dubbomesh.registry.follow;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Registry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Hands the directories of a watch to its listener, each once. What the listener throws is logged and ends nothing.
 * Belongs to one thread.
 */
public final class DirectoryDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    /** A directory costs every event loop a walk over its endpoints, however little has changed. */
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Object registry;
    private final Consumer<Directory> listener;
    private Directory delivered;
    private long nextNs = System.nanoTime();

    /** @param registry its text is for the log */
    public DirectoryDelivery(Object registry, Consumer<Directory> listener) {
        this.registry = registry;
        this.listener = listener;
    }

    /** Returns whether none has been delivered. */
    public boolean isFirst() {
        return delivered == null;
    }

    /** Returns whether one has been delivered that lists endpoints. */
    public boolean hasEndpoints() {
        return delivered != null && !delivered.all().isEmpty();
    }

    /** Returns when the next one should be delivered at the earliest. */
    public long nextNs() {
        return nextNs;
    }

    /** Delivers a directory, unless it is the one that was delivered last. */
    public void deliver(Directory directory) {
        nextNs = System.nanoTime() + INTERVAL_NS;
        if (directory == delivered) {
            return;
        }
        delivered = directory;
        try {
            listener.accept(directory);
        } catch (RuntimeException e) {
            LOG.error("registry {}: the listener failed", registry, e);
        }
    }
}
