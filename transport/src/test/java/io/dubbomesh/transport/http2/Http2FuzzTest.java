package io.dubbomesh.transport.http2;

import io.dubbomesh.testsupport.random.FuzzCorpus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Path;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** Inputs from which scripts/fuzz.sh starts, and what it has found; each is read as the fuzzer would. */
@Timeout(60)
class Http2FuzzTest {
    @Test
    void everyInputHasTheSameResultHoweverItArrives() throws Exception {
        Map<String, byte[]> inputs = FuzzCorpus.read(
                Path.of(getClass().getResource("/fuzz/http2.txt").toURI()));
        assertThat(inputs).hasSizeGreaterThan(40);
        for (Map.Entry<String, byte[]> input : inputs.entrySet()) {
            assertThat(FuzzCorpus.nameOf(input.getValue())).isEqualTo(input.getKey());
            try {
                Http2Fuzz.fuzzerTestOneInput(input.getValue());
            } catch (Exception | Error e) {
                throw new AssertionError(input.getKey(), e);
            }
        }
    }
}
