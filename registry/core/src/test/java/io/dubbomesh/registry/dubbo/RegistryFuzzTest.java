package io.dubbomesh.registry.dubbo;

import io.dubbomesh.testsupport.random.FuzzCorpus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Path;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** Inputs that fuzzing has found, from which scripts/fuzz.sh starts; each is read as the fuzzer would. */
@Timeout(60)
class RegistryFuzzTest {
    @Test
    void everyEntryIsReadOrRefused() throws Exception {
        Map<String, byte[]> inputs = FuzzCorpus.read(
                Path.of(getClass().getResource("/fuzz/registry.txt").toURI()));
        assertThat(inputs).hasSizeGreaterThan(10);
        for (Map.Entry<String, byte[]> input : inputs.entrySet()) {
            try {
                RegistryFuzz.fuzzerTestOneInput(input.getValue());
            } catch (RuntimeException | Error e) {
                throw new AssertionError(input.getKey(), e);
            }
        }
    }
}
