package io.dubbomesh.registry.nacos;

import com.alibaba.nacos.api.config.ConfigService;
import com.alibaba.nacos.api.exception.NacosException;
import io.dubbomesh.registry.MetadataReport;
import io.dubbomesh.registry.ReportedService;
import io.dubbomesh.runtime.PrintableText;

import java.io.IOException;
import java.util.concurrent.Callable;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * What applications have written into the configuration of Nacos: definitions in the group {@code dubbo}, and what they export in a group that is the
 * revision. Its client is made by the first question.
 */
final class NacosMetadataReport implements MetadataReport, AutoCloseable {
    private static final String DEFINITIONS = "dubbo";

    private final NacosUri uri;
    private final Callable<ConfigService> connector;
    /** Held while a client is made, which can take seconds; {@link #close} does not wait for it. */
    private final Object connecting = new Object();
    // Guarded by the lock of this object.
    /** Null as long as nothing has been asked. */
    private ConfigService client;

    private boolean closed;

    NacosMetadataReport(NacosUri uri, Callable<ConfigService> connector) {
        this.uri = uri;
        this.connector = connector;
    }

    /** Nacos lists no keys, so the application must be known. */
    @Override
    public String definition(ReportedService service, long timeoutMs) throws IOException {
        return service.application().isEmpty() ? null : value(service.key(), DEFINITIONS, timeoutMs);
    }

    @Override
    public String applicationMetadata(String application, String revision, long timeoutMs) throws IOException {
        return value(application, revision, timeoutMs);
    }

    private String value(String key, String group, long timeoutMs) throws IOException {
        try {
            String value = client().getConfig(key, group, timeoutMs);
            int bytes = value == null ? 0 : value.getBytes(UTF_8).length;
            if (bytes > MAX_BYTES) {
                throw new IOException(bytes + " bytes (expected: at most " + MAX_BYTES + ")");
            }
            return bytes == 0 ? null : value;
        } catch (NacosException e) {
            throw new IOException(uri + ": " + PrintableText.brief(String.valueOf(e.getErrMsg())), e);
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
            throw new IOException(uri + ": " + PrintableText.brief(e.toString()), e);
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
