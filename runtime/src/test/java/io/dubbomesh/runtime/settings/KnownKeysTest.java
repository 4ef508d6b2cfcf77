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

    @ParameterizedTest
    @CsvSource({
        "mesh.token, mesh.token-file",
        "mesh.opn, mesh.open",
        "mesh.tls.cerd, mesh.tls.cert",
        "DUBBOMESH_MESH_TOKEN, DUBBOMESH_MESH_TOKEN_FILE"
    })
    void theBeginningOfOneKeyMeansThisKeyBeforeOthersOfFewerEdits(String written, String meant) {
        KnownKeys known = new KnownKeys(Set.of(
                "mesh.open",
                "mesh.token-file",
                "mesh.tls.cert",
                "mesh.tls.key",
                "DUBBOMESH_MESH_OPEN",
                "DUBBOMESH_MESH_TOKEN_FILE"));

        assertThat(known.nearest(written)).isEqualTo(meant);
        assertThat(known.nearest(written, 2)).isEqualTo(meant);
    }
}
