package io.dubbomesh.runtime.settings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The types of values and their bounds. */
class SettingValuesTest extends SettingsFixture {
    private static String shown(String value) {
        return value.isEmpty() ? "not set" : value;
    }

    @ParameterizedTest
    @ValueSource(strings = {"70000", "0", "-1", "x", "", "1.5", "99999999999"})
    void aWrongPortIsRefused(String text) {
        assertThatThrownBy(() -> read(with(Map.of("server.port", text)), s -> s.integer("server.port", 1, 65535)))
                .isInstanceOf(SettingsException.class)
                .hasMessage("server.port: " + shown(text) + " (expected: 1-65535)");
    }

    @Test
    void zeroIsAnyFreePort() {
        assertThat(with(Map.of("server.port", "0")).port("server.port")).isZero();
        assertThat(with(Map.of("server.port", "20000")).port("server.port")).isEqualTo(20000);
        assertThatThrownBy(() -> read(with(Map.of("server.port", "70000")), s -> s.port("server.port")))
                .isInstanceOf(SettingsException.class)
                .hasMessage("server.port: 70000 (expected: 1-65535)");
    }

    @Test
    void aRangeWithoutUpperBoundIsToldByItsLowerBound() {
        assertThatThrownBy(() ->
                        read(with(Map.of("server.port", "-1")), s -> s.integer("server.port", 0, Integer.MAX_VALUE)))
                .hasMessage("server.port: -1 (expected: >= 0)");
    }

    @Test
    void aWrongValueIsToldWithItsSource() throws IOException {
        Settings fromVariable = Settings.of(REFERENCE, Map.of(), Map.of("DUBBOMESH_SERVER_PORT", "tcp://192.0.2.1:80"));
        assertThatThrownBy(() -> read(fromVariable, s -> s.integer("server.port", 1, 65535)))
                .hasMessage("server.port: tcp://192.0.2.1:80 (expected: 1-65535),"
                        + " in the environment variable DUBBOMESH_SERVER_PORT");

        Path file = file("agent.conf", "\n\nserver.port = 0");
        Settings fromFile = with(Map.of("config.file", file.toString()));
        assertThatThrownBy(() -> read(fromFile, s -> s.integer("server.port", 1, 65535)))
                .hasMessage("server.port: 0 (expected: 1-65535), in " + file + ": 3");
    }

    @ParameterizedTest
    @CsvSource({"64 KiB,65536", "64k,65536", "65536,65536", "64kB,64000", "0.5 MiB,524288", "0,0"})
    void sizesAreRead(String text, long bytes) {
        assertThat(with(Map.of("http.max-body", text)).size("http.max-body", 0, MIB))
                .isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2 MiB", "1 KiB", "-1", "5 parsecs", "", "99999999999999999999", "1,5 MiB"})
    void aWrongSizeIsRefused(String text) {
        assertThatThrownBy(() -> read(with(Map.of("http.max-body", text)), s -> s.size("http.max-body", 2 * KIB, MIB)))
                .isInstanceOf(SettingsException.class)
                .hasMessage("http.max-body: " + shown(text) + " (expected: 2 KiB-1 MiB)");
    }

    @ParameterizedTest
    @CsvSource({"5 s,5000", "200ms,200", "5000,5000", "1 minute,60000", "1.5 s,1500"})
    void durationsAreRead(String text, long ms) {
        assertThat(with(Map.of("request.timeout", text)).duration("request.timeout", MS, MINUTE))
                .isEqualTo(Duration.ofMillis(ms));
    }

    @ParameterizedTest
    @CsvSource({"0,0 ms", "61 s,61 s", "-5 s,-5 s", "-5,-5 ms", "soon,soon", "'',not set", "5 parsecs,5 parsecs"})
    void aWrongDurationIsRefused(String text, String shown) {
        assertThatThrownBy(() ->
                        read(with(Map.of("request.timeout", text)), s -> s.duration("request.timeout", MS, MINUTE)))
                .isInstanceOf(SettingsException.class)
                .hasMessage("request.timeout: " + shown + " (expected: 1 ms-60 s)");
    }

    @Test
    void choicesIgnoreCaseAndAreListedWhenWrong() {
        Settings settings = with(Map.of("lb", "magic", "tls", "TRUE"));

        assertThat(settings.flag("tls")).isTrue();
        assertThatThrownBy(() -> read(settings, s -> s.choice("lb", "weighted-round-robin", "weighted-random")))
                .hasMessage("lb: magic (expected: weighted-round-robin, weighted-random)");
    }

    @Test
    void listsAreSplitAtCommas() {
        assertThat(with(Map.of("dubbo.services", " a:1.0 , b,,c,")).list("dubbo.services"))
                .containsExactly("a:1.0", "b", "c");
    }

    @Test
    void pathsAreRead() {
        assertThat(with(Map.of("logs.dir", "/var/log/mesh")).path("logs.dir")).isEqualTo(Path.of("/var/log/mesh"));
        assertThatThrownBy(() -> read(with(Map.of("logs.dir", "a\0b")), s -> s.path("logs.dir")))
                .isInstanceOf(SettingsException.class);
    }
}
