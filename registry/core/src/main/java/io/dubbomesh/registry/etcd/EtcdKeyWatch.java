package io.dubbomesh.registry.etcd;

import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.watch.WatchEvent;
import io.etcd.jetcd.watch.WatchResponse;

import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Reads an agent's own keys and watches them from that revision on, for the time of one session. Belongs to the thread
 * that runs the executor's tasks.
 */
final class EtcdKeyWatch implements AutoCloseable {
    private final EtcdSession session;
    private final Executor executor;
    private final Consumer<EtcdKey> listener;
    private boolean closed;
    private String failure;

    /**
     * @param executor where jetcd's callbacks are carried to
     * @param listener is called after each change of what is known of a key
     */
    EtcdKeyWatch(EtcdSession session, Executor executor, Consumer<EtcdKey> listener) {
        this.session = session;
        this.executor = executor;
        this.listener = listener;
    }

    void add(EtcdKey key) throws EtcdFailure, InterruptedException {
        key.read(session);
        listener.accept(key);
        session.watch(
                key.name(),
                false,
                key.asOfRevision() + 1,
                response -> executor.execute(() -> apply(key, response)),
                reason -> executor.execute(() -> failure = reason));
    }

    private void apply(EtcdKey key, WatchResponse response) {
        if (closed) {
            return;
        }
        for (WatchEvent event : response.getEvents()) {
            KeyValue kv = event.getKeyValue();
            if (key.isNews(kv.getModRevision())) {
                boolean put = event.getEventType() == WatchEvent.EventType.PUT;
                key.changed(put ? kv : null, kv.getModRevision());
                listener.accept(key);
            }
        }
    }

    /** @throws EtcdFailure if a change may have been missed */
    void check() throws EtcdFailure {
        if (failure != null) {
            throw new EtcdFailure(failure, EtcdFailure.Kind.OTHER);
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
