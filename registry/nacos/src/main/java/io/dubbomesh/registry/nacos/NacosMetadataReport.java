package io.dubbomesh.registry.nacos;

import io.dubbomesh.registry.MetadataReport;
import io.dubbomesh.registry.ReportedService;

import java.io.IOException;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The entries that applications have written into the configuration of Nacos: definitions in the group {@code dubbo},
 * and their exports in a group that is the revision.
 */
final class NacosMetadataReport implements MetadataReport {
    private static final String DEFINITIONS = "dubbo";

    private final NacosConfiguration configuration;

    NacosMetadataReport(NacosConfiguration configuration) {
        this.configuration = configuration;
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
        String value = configuration.value(key, group, timeoutMs);
        int bytes = value == null ? 0 : value.getBytes(UTF_8).length;
        if (bytes > MAX_BYTES) {
            throw new IOException(bytes + " bytes (expected: at most " + MAX_BYTES + ")");
        }
        return bytes == 0 ? null : value;
    }
}
