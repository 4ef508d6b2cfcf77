package io.dubbomesh.registry.zookeeper.session;

import org.apache.zookeeper.client.ZKClientConfig;

/**
 * The settings of a client without TLS and without SASL. ZooKeeper's own read the system properties of both, and load
 * the JVM's TLS for their names, which takes longer than the whole start of an agent before it connects.
 */
final class PlainClientConfig extends ZKClientConfig {
    @Override
    protected void handleBackwardCompatibility() {
        // None of these properties is for agents.
    }
}
