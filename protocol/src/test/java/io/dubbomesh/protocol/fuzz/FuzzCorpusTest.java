package io.dubbomesh.protocol.fuzz;

import io.dubbomesh.testsupport.random.FuzzCorpus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

/** Inputs that fuzzing has found, from which scripts/fuzz.sh starts; each is read as the fuzzer would. */
@Timeout(60)
class FuzzCorpusTest {
    /** The target of one input. */
    private interface Target {
        void read(byte[] input) throws Exception;
    }

    @ParameterizedTest
    @ValueSource(strings = {"response", "fastjson", "arguments", "jsonb", "mesh", "triple"})
    void everyInputIsReadOrRefused(String name) throws Exception {
        Target target = switch (name) {
            case "response" -> ResponseFuzz::fuzzerTestOneInput;
            case "fastjson" -> FastjsonFuzz::fuzzerTestOneInput;
            case "mesh" -> MeshFuzz::fuzzerTestOneInput;
            case "triple" -> TripleFuzz::fuzzerTestOneInput;
            case "arguments" -> ArgumentsFuzz::fuzzerTestOneInput;
            default -> JsonbFuzz::fuzzerTestOneInput;
        };
        Map<String, byte[]> inputs = FuzzCorpus.read(
                Path.of(getClass().getResource("/fuzz/" + name + ".txt").toURI()));
        assertThat(inputs).hasSizeGreaterThan(60);
        for (Map.Entry<String, byte[]> input : inputs.entrySet()) {
            assertThat(FuzzCorpus.nameOf(input.getValue())).isEqualTo(input.getKey());
            try {
                target.read(input.getValue());
            } catch (Exception | Error e) {
                throw new AssertionError(name + "/" + input.getKey(), e);
            }
        }
    }

    @Test
    void anInputOfEveryByteIsALineOfPrintableText() {
        byte[] input = new byte[257];
        for (int i = 0; i < input.length; i++) {
            input[i] = (byte) (i + ' ');
        }

        String text = FuzzCorpus.text(input);

        assertThat(text).matches("[ -~]*\\\\20").doesNotEndWith(" ");
        assertThat(FuzzCorpus.bytes(text)).isEqualTo(input);
    }

    @Test
    void onlyNewInputsAreAppended(@TempDir Path directory) throws Exception {
        Path corpus = directory.resolve("corpus.txt");
        Path input = Files.writeString(directory.resolve("crash-1"), "0[1\n]");
        FuzzCorpus.main("append", corpus.toString(), input.toString());
        FuzzCorpus.main("append", corpus.toString(), input.toString());
        FuzzCorpus.main("unpack", corpus.toString(), directory.resolve("inputs").toString());

        assertThat(corpus).hasContent("d89da055889a 0[1\\0a]");
        assertThat(directory.resolve("inputs/d89da055889a")).hasSameBinaryContentAs(input);
    }

    @Test
    void aPartOfAnInputIsRepeatedUntilItIsLong(@TempDir Path directory) throws Exception {
        Path corpus = Files.writeString(directory.resolve("corpus.txt"), "1 ab\n2 head:xyz\n3 head[middle]tail\n");
        Path inputs = directory.resolve("inputs");
        FuzzCorpus.main("lengthen", corpus.toString(), inputs.toString());

        List<String> texts = new ArrayList<>();
        try (Stream<Path> files = Files.list(inputs)) {
            for (Path file : files.toList()) {
                texts.add(Files.readString(file, US_ASCII));
            }
        }
        assertThat(texts.stream().map(String::length)).containsExactly(65_536, 65_536, 65_536);
        // Without the texts themselves in the message.
        assertThat(texts.stream().filter(text -> text.replace("ab", "").isEmpty()))
                .hasSize(1);
        assertThat(texts.stream().filter(text -> text.startsWith("head:xyz"))).hasSize(1);
    }
}
