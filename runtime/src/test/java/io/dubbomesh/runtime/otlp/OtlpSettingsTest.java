package io.dubbomesh.runtime.otlp;

import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.runtime.settings.SettingsException;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OtlpSettingsTest {
    @Test
    void aCollectorIsNamedByItsUrl() {
        assertThat(read("https://collector:4318/otlp").metricsUri())
                .hasToString("https://collector:4318/otlp/v1/metrics");
    }

    @Test
    void aPasswordInTheUrlIsRefusedAndNotRepeated() {
        assertThatThrownBy(() -> read("http://mesh:s3cret@collector:4318"))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith(
                        "otel.exporter.otlp.endpoint: http://collector with a user (expected: http://host:4318,")
                .hasMessageNotContaining("s3cret");
    }

    private static OtlpSettings read(String endpoint) {
        Settings settings =
                Settings.of("otlp-settings.conf", Map.of("otel.exporter.otlp.endpoint", endpoint), Map.of());
        OtlpSettings read = OtlpSettings.from(settings);
        settings.check();
        return read;
    }
}
