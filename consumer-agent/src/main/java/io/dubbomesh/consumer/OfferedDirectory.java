package io.dubbomesh.consumer;

import io.dubbomesh.registry.Directory;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** The newest directory that an event loop has not taken yet: one that is late takes only that one. */
final class OfferedDirectory {
    private final Executor loop;
    private final Consumer<Directory> taker;
    /** Null if there is none; otherwise a task of the loop will take it. */
    private final AtomicReference<Directory> newest = new AtomicReference<>();

    /** @param taker is called on the loop */
    OfferedDirectory(Executor loop, Consumer<Directory> taker) {
        this.loop = loop;
        this.taker = taker;
    }

    /** Called by any thread. */
    void offer(Directory directory) {
        if (newest.getAndSet(directory) == null) {
            loop.execute(() -> taker.accept(newest.getAndSet(null)));
        }
    }
}
