package io.dubbomesh.registry.zookeeper.session;

import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PlainClientConfigTest {
    /** One of those that ZooKeeper's own settings read together with the names of TLS. It changes nothing here. */
    private static final String PROPERTY = ZKClientConfig.ZK_SASL_CLIENT_USERNAME;

    @Test
    void thePropertiesOfTlsAndSaslAreNotRead() {
        System.setProperty(PROPERTY, "other");
        try {
            assertThat(new PlainClientConfig().getProperty(PROPERTY)).isNull();
            assertThat(new ZKClientConfig().getProperty(PROPERTY)).isEqualTo("other");
        } finally {
            System.clearProperty(PROPERTY);
        }
    }
}
