package io.dubbomesh.runtime.otlp;

import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.runtime.settings.SettingsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OtlpSettingsTest {
    @Test
    void aCollectorIsNamedByItsUrl() {
        assertThat(read("https://collector:4318/otlp").metricsUri())
                .hasToString("https://collector:4318/otlp/v1/metrics");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://mesh:s3cret@collector:4318",
                "http://mesh:s3 cret@collector:4318",
                "http://mesh:s3cret/@collector:4318"
            })
    void aPasswordInTheUrlIsRefusedAndNotRepeated(String url) {
        assertThatThrownBy(() -> read(url))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith(
                        "otel.exporter.otlp.endpoint: http://...@collector:4318 (expected: http://host:4318,")
                .hasMessageNotContaining("s3cret");
    }

    @ParameterizedTest
    @CsvSource({
        "https://collector/v1?api_key=s3cret, https://collector/v1?api_key=...",
        "https://collector/v1?s3cret, https://collector/v1?...",
        "https://collector/v1#s3cret, https://collector/v1#...",
        "https://u:s3cret%40collector, https://...",
        "https://mesh:s3cret, https://...",
        "https://collector/s3^cret, https://..."
    })
    void whatMayBeASecretInAnotherPlaceOfTheUrlIsNotRepeatedEither(String url, String shown) {
        assertThatThrownBy(() -> read(url))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("otel.exporter.otlp.endpoint: " + shown + " (expected: http://host:4318,")
                .hasMessageNotContaining("s3");
    }

    @ParameterizedTest
    @CsvSource({"' shop mesh ', shop mesh", "'', some-agent", "' ', some-agent"})
    void aServiceHasTheNameThatIsSetOrThatOfItsProgram(String set, String name) {
        OtlpSettings read = read(Map.of("otel.service.name", set));

        assertThat(read.serviceName("some-agent")).isEqualTo(name);
    }

    private static OtlpSettings read(String endpoint) {
        return read(Map.of("otel.exporter.otlp.endpoint", endpoint));
    }

    private static OtlpSettings read(Map<String, String> set) {
        Settings settings = Settings.of("otlp-settings.conf", set, Map.of());
        OtlpSettings read = OtlpSettings.from(settings);
        settings.check();
        return read;
    }
}
