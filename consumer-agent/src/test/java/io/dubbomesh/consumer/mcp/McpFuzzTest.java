package io.dubbomesh.consumer.mcp;

import io.dubbomesh.testsupport.random.FuzzCorpus;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/** Reads the corpus of {@link McpFuzz} again. */
class McpFuzzTest {
    @Test
    void theInputsOfTheFuzzerAreRead() throws Exception {
        Map<String, byte[]> inputs = FuzzCorpus.read(
                Path.of(McpFuzzTest.class.getResource("/fuzz/mcp.txt").toURI()));

        assertThat(inputs).isNotEmpty();
        for (Map.Entry<String, byte[]> input : inputs.entrySet()) {
            assertThatCode(() -> McpFuzz.fuzzerTestOneInput(input.getValue()))
                    .as(input.getKey())
                    .doesNotThrowAnyException();
        }
    }
}
