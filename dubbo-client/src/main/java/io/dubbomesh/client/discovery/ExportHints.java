package io.dubbomesh.client.discovery;

import io.dubbomesh.protocol.ServiceKey;

import java.util.Set;

/**
 * Names services that a provider may export. Whether it does is asked at the provider itself. Called by threads that
 * may block, one at a time.
 */
public interface ExportHints {
    /** Returns the source that names them, for operators: {@code its QoS at 127.0.0.1:22222}. */
    String source();

    /** Returns the services; empty if nothing is known; never an exception. */
    Set<ServiceKey> services();
}
