package io.dubbomesh.registry;

import java.io.IOException;

/**
 * The entries that applications of Dubbo have written into a registry about their services: methods and types, and
 * which ones they export. Every program that may write there may write anything. Belongs to a registry, which closes
 * it. Thread-safe; every method blocks, so not for event loops.
 */
public interface MetadataReport {
    /** Longer ones are refused: by far more than the 1 MiB that ZooKeeper takes by default. */
    int MAX_BYTES = 4 * 1024 * 1024;

    /**
     * Reads the definition of a service: JSON, Dubbo's {@code FullServiceDefinition}.
     *
     * @param timeoutMs after which it has failed
     * @return null if none is reported; also if the application is not known and several have reported one
     * @throws IOException if the registry has not answered, or not as it should; its message says why
     */
    String definition(ReportedService service, long timeoutMs) throws IOException;

    /**
     * Reads what an application of Dubbo 3 exports in one revision: JSON, Dubbo's {@code MetadataInfo}.
     *
     * @param timeoutMs after which it has failed
     * @return null if none is reported
     * @throws IOException as above
     */
    default String applicationMetadata(String application, String revision, long timeoutMs) throws IOException {
        return null;
    }
}
