package io.dubbomesh.protocol.fuzz;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** What fuzzing has found worth to keep, scripts/fuzz.sh begins with; each input is read as the fuzzer would. */
@Timeout(60)
class FuzzCorpusTest {
    /** Of one input. */
    private interface Target {
        void read(byte[] input) throws Exception;
    }

    @ParameterizedTest
    @ValueSource(strings = {"response", "arguments", "jsonb"})
    void everyInputIsReadOrRefused(String name) throws Exception {
        Target target = switch (name) {
            case "response" -> ResponseFuzz::fuzzerTestOneInput;
            case "arguments" -> ArgumentsFuzz::fuzzerTestOneInput;
            default -> JsonbFuzz::fuzzerTestOneInput;
        };
        List<Path> inputs = inputs(name);
        assertThat(inputs).hasSizeGreaterThan(20);
        for (Path input : inputs) {
            try {
                target.read(Files.readAllBytes(input));
            } catch (Exception | Error e) {
                throw new AssertionError(name + "/" + input.getFileName(), e);
            }
        }
    }

    private List<Path> inputs(String name) throws IOException, URISyntaxException {
        Path directory = Path.of(getClass().getResource("/fuzz/" + name).toURI());
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }
}
