package io.dubbomesh.transport.tls;

import io.dubbomesh.testsupport.random.FuzzCorpus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Path;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** Inputs from which scripts/fuzz.sh starts, and what it has found; each is read as the fuzzer would. */
@Timeout(60)
class CertificateFuzzTest {
    @Test
    void everyCertificateIsTakenOrRefusedAsExpected() throws Exception {
        Map<String, byte[]> inputs = FuzzCorpus.read(
                Path.of(getClass().getResource("/fuzz/certificate.txt").toURI()));
        assertThat(inputs).hasSizeGreaterThan(25);
        for (Map.Entry<String, byte[]> input : inputs.entrySet()) {
            assertThat(FuzzCorpus.nameOf(input.getValue())).isEqualTo(input.getKey());
            try {
                CertificateFuzz.fuzzerTestOneInput(input.getValue());
            } catch (Exception | Error e) {
                throw new AssertionError(input.getKey(), e);
            }
        }
    }
}
