package io.dubbomesh.registry.nacos;

import com.alibaba.nacos.api.config.ConfigService;
import com.alibaba.nacos.api.config.listener.Listener;
import com.alibaba.nacos.api.exception.NacosException;

import java.io.IOException;
import java.util.concurrent.Callable;

/**
 * The configurations in Nacos. Their client, with a connection of its own, is made by the first question. Questions
 * block; thread-safe.
 */
final class NacosConfiguration implements AutoCloseable {
    private final NacosUri uri;
    private final Callable<ConfigService> connector;
    /** Held while a client is made, which can take seconds; {@link #close} does not wait for it. */
    private final Object connecting = new Object();
    // Guarded by the lock of this object.
    /** Null as long as nothing has been asked. */
    private ConfigService client;

    private boolean closed;

    NacosConfiguration(NacosUri uri, Callable<ConfigService> connector) {
        this.uri = uri;
        this.connector = connector;
    }

    private interface Question {
        String ask(ConfigService client) throws NacosException;
    }

    /** Returns null if there is no such configuration. */
    String value(String key, String group, long timeoutMs) throws IOException {
        return answer(by -> by.getConfig(key, group, timeoutMs));
    }

    /**
     * Returns what {@link #value} returns, and follows it from then on.
     *
     * @param changed is called by a thread of the client with each value after the one that is returned, null for none;
     *     it must not block. Not called if this method throws
     */
    String follow(String key, String group, long timeoutMs, Listener changed) throws IOException {
        return answer(by -> by.getConfigAndSignListener(key, group, timeoutMs, changed));
    }

    /** Ends what {@link #follow} has begun with the same listener, which may still be called once. */
    void release(String key, String group, Listener changed) throws IOException {
        client().removeListener(key, group, changed);
    }

    private String answer(Question question) throws IOException {
        try {
            return question.ask(client());
        } catch (NacosException e) {
            throw new IOException(uri + ": " + NacosWatch.text(e), e);
        }
    }

    private ConfigService client() throws IOException {
        synchronized (connecting) {
            ConfigService known = known();
            return known == null ? connect() : known;
        }
    }

    private ConfigService connect() throws IOException {
        ConfigService made;
        try {
            made = connector.call();
        } catch (Exception e) {
            throw new IOException(uri + ": " + NacosWatch.text(e), e);
        }
        if (!keep(made)) {
            NacosConnection.close(made);
            throw closedFailure();
        }
        return made;
    }

    private synchronized ConfigService known() throws IOException {
        if (closed) {
            throw closedFailure();
        }
        return client;
    }

    private synchronized boolean keep(ConfigService made) {
        if (closed) {
            return false;
        }
        client = made;
        return true;
    }

    private static IOException closedFailure() {
        return new IOException("the registry is closed");
    }

    @Override
    public void close() {
        ConfigService last;
        synchronized (this) {
            closed = true;
            last = client;
            client = null;
        }
        if (last != null) {
            NacosConnection.close(last);
        }
    }
}
