package io.dubbomesh.runtime.process;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class CommandLineTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--server.port=1 | did you mean -Dserver.port=1, before -jar?",
                "-server.port=1 | did you mean -Dserver.port=1, before -jar?",
                "server.port=1 | did you mean -Dserver.port=1, before -jar?",
                "-Dserver.port=1 | did you mean -Dserver.port=1, before -jar?",
                "--Dserver.port=1 | did you mean -Dserver.port=1, before -jar?",
                "--SERVER_PORT=1 | did you mean -Dserver.port=1, before -jar?",
                "DUBBOMESH_SERVER_PORT=1 | did you mean -Dserver.port=1, before -jar?",
                "--registry=etcd://a=b:1 | did you mean -Dregistry=etcd://a=b:1, before -jar?",
                "--server.port | did you mean -Dserver.port=VALUE, before -jar?",
                "--help | expected: -Dkey=value, before -jar",
                "-x | expected: -Dkey=value, before -jar",
                "'' | expected: -Dkey=value, before -jar",
            })
    void whatStandsBehindTheJarIsRefusedWithTheSettingThatWasMeant(String argument, String meant) {
        assertThat(CommandLine.refusal(argument)).isEqualTo(argument + ": no such option (" + meant + ')');
    }

    @Test
    void theNextArgumentIsTheValue() {
        assertThat(CommandLine.refusal("--server.port", "1"))
                .isEqualTo("--server.port: no such option (did you mean -Dserver.port=1, before -jar?)");
    }

    @Test
    void withoutArgumentsTheProgramGoesOn() {
        CommandLine.refuse();
    }
}
