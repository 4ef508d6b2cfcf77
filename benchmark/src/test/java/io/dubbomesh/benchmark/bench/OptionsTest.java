package io.dubbomesh.benchmark.bench;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OptionsTest {
    private static final Map<String, String> SCENARIO = Map.of("connections", "64,512", "provider", "dubbo");

    @Test
    void areTheScenariosWhereTheUserSaysNothing() throws BenchException {
        Options options = Options.parse(List.of(), SCENARIO);

        assertThat(options.connections()).containsExactly(64, 512);
        assertThat(options.realProviders()).isTrue();
        assertThat(options.rounds()).isEqualTo(3);
        assertThat(options.xmx()).isEmpty();
        assertThat(options.keepLogs()).isFalse();
        assertThat(options.wants("anything")).isTrue();
    }

    @Test
    void areTheUsersWhereHeSaysSomething() throws BenchException {
        Options options = Options.parse(
                List.of(
                        "--connections",
                        "8,16,4",
                        "--seconds",
                        "2",
                        "--warmup",
                        "1",
                        "--rounds",
                        "5",
                        "--weights",
                        "1,2,2",
                        "--provider",
                        "stub",
                        "--minutes",
                        "7",
                        "--xmx",
                        "64m",
                        "--sides",
                        "mesh,floor",
                        "--keep-logs"),
                SCENARIO);

        assertThat(options.connections()).containsExactly(8, 16, 4);
        assertThat(options.mostConnections()).isEqualTo(16);
        assertThat(options.seconds()).isEqualTo(2);
        assertThat(options.warmupSeconds()).isEqualTo(1);
        assertThat(options.rounds()).isEqualTo(5);
        assertThat(options.weights()).containsExactly(1, 2, 2);
        assertThat(options.realProviders()).isFalse();
        assertThat(options.minutes()).isEqualTo(7);
        assertThat(options.xmx()).isEqualTo("64m");
        assertThat(options.wants("floor")).isTrue();
        assertThat(options.wants("nginx")).isFalse();
        assertThat(options.keepLogs()).isTrue();
    }

    @Test
    void mayBeOfOneScenarioAlone() throws BenchException {
        Map<String, String> withBefore = Map.of("before", "");

        assertThat(Options.parse(List.of(), withBefore).before()).isEmpty();
        assertThat(Options.parse(List.of("--before", "."), withBefore).before()).isEqualTo(".");
        assertThatThrownBy(() -> Options.parse(List.of("--before", "nowhere"), withBefore))
                .hasMessage("--before: nowhere (expected: the directory of another checkout)");
        assertThatThrownBy(() -> Options.parse(List.of("--before", "."), SCENARIO))
                .hasMessage("--before (expected: an option, see bench.sh --help)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--conections 5       | --conections (expected: an option, see bench.sh --help)",
                "connections 5        | connections (expected: an option, see bench.sh --help)",
                "--seconds            | --seconds needs a value",
                "--seconds 0          | --seconds: 0 (expected: a whole number from 1 to 9999999)",
                "--seconds 1,2        | --seconds: 1,2 (expected: a whole number from 1 to 9999999)",
                "--rounds 10000000    | --rounds: 10000000 (expected: a whole number from 1 to 9999999)",
                "--connections 5,     | --connections: 5, (expected: whole numbers from 1 to 9999999, separated by commas)",
                "--weights 1,2,3,4    | --weights: 1,2,3,4 (expected: one to three whole numbers from 1, separated by commas)",
                "--provider thrift    | --provider: thrift (expected: dubbo or stub)",
                "--xmx 128            | --xmx: 128 (expected: a size like 128m)",
            })
    void sayWhatIsWrongWithThem(String arguments, String message) {
        assertThatThrownBy(() -> Options.parse(List.of(arguments.split(" ")), SCENARIO))
                .isInstanceOf(BenchException.class)
                .hasMessage(message);
    }
}
