package io.dubbomesh.benchmark.scenario;

import io.dubbomesh.benchmark.load.Plan;
import io.dubbomesh.benchmark.process.BenchException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OptionsTest {
    private static final Map<String, String> SCENARIO = Map.of("--connections", "64,512", "--provider", "dubbo");

    @Test
    void theScenariosDefaultsHoldWithoutOptions() {
        Options options = parse("");
        assertThat(options.connections).containsExactly(64, 512);
        assertThat(options.realProviders()).isTrue();
        assertThat(options.plan()).isEqualTo(new Plan(20, 3, 10));
        assertThat(options.xmx).isNull();
        assertThat(options.before).isNull();
        assertThat(options.keepLogs).isFalse();
        assertThat(options.wants("anything")).isTrue();
    }

    @Test
    void theUsersOptionsReplaceThem() {
        Options options = parse("--connections 8,16,4 --seconds 2 --warmup 1 --rounds 5 --weights 1,2,2 --provider stub"
                + " --minutes 7 --xmx 64m --sides mesh,baseline --before . --keep-logs");
        assertThat(options.connections).containsExactly(8, 16, 4);
        assertThat(options.mostConnections()).isEqualTo(16);
        assertThat(options.plan()).isEqualTo(new Plan(1, 5, 2));
        assertThat(options.weights).containsExactly(1, 2, 2);
        assertThat(options.realProviders()).isFalse();
        assertThat(options.minutes).isEqualTo(7);
        assertThat(options.xmx).isEqualTo("64m");
        assertThat(options.wants("baseline")).isTrue();
        assertThat(options.wants("nginx")).isFalse();
        assertThat(options.before).isEqualTo(Path.of("."));
        assertThat(options.keepLogs).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--conections 5    | Unknown options: '--conections', '5'",
                "--seconds         | Missing required parameter for option '--seconds'",
                "--seconds 0       | 0 (expected: a whole number from 1 to 9999999)",
                "--seconds 1,2     | 1,2 (expected: a whole number from 1 to 9999999)",
                "--rounds 10000000 | 10000000 (expected: a whole number from 1 to 9999999)",
                "--connections 5,x | x (expected: a whole number from 1 to 9999999)",
                "--weights 1,1,1,1,1,1,1,1,1,1,1 | (expected: one to ten whole numbers)",
                "--provider thrift | expected one of [dubbo, stub]",
                "--xmx 128         | 128 (expected: a size like 128m)",
                "--before nowhere  | --before: nowhere (expected: the directory of another checkout)",
            })
    void aWrongOptionIsReported(String arguments, String message) {
        assertThatThrownBy(() -> parse(arguments))
                .isInstanceOf(BenchException.class)
                .hasMessageContaining(message);
    }

    private static Options parse(String arguments) {
        return Options.parse(arguments.isEmpty() ? List.of() : List.of(arguments.split(" ")), SCENARIO);
    }
}
