package io.dubbomesh.runtime.settings;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

class KnownKeysTest {
    private final KnownKeys keys = new KnownKeys(Set.of("otel.exporter.otlp.endpoint", "lb.weight"));

    @ParameterizedTest
    @CsvSource({
        "otel.service.name, false",
        "otel.exporter.otlp.traces.endpoint, false",
        "otel.exporter.otlp.endpont, true",
        "otel.exporter.otlp.endpoint, false",
        "lb.anything, true"
    })
    void inASharedNameSpaceOnlyATypingMistakeIsMeantAsASetting(String property, boolean meant) {
        assertThat(keys.isMeant(property)).isEqualTo(meant);
    }
}
