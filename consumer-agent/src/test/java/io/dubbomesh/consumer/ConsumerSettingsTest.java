package io.dubbomesh.consumer;

import io.dubbomesh.runtime.Settings;
import io.dubbomesh.runtime.SettingsException;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ConsumerSettingsTest {
    @Test
    void aRegistryThatIsNoneIsAWrongSetting() {
        Settings settings = Settings.of(ConsumerSettings.REFERENCE, Map.of("registry", "zookeeper://host"), Map.of());
        assertThatThrownBy(() -> new ConsumerAgent(settings))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("registry: zookeeper://host (expected: etcd://host:2379");
    }
}
