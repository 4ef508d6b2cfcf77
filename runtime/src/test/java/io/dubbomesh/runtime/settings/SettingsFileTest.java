package io.dubbomesh.runtime.settings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests the forms of a file. */
class SettingsFileTest extends SettingsFixture {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "lb = weighted-random\nlb.weight = 3",
                "lb.weight = 3\nlb = weighted-random",
                "lb.weight = 3, lb = weighted-random",
                "{ lb : weighted-random, lb.weight : 3 }",
                "\"lb\" = weighted-random\n\"lb.weight\" = 3",
                "lb = weighted-random\n\"lb.weight\" = 3",
                "lb = weighted-random\nlb.weight = 3\nregistry = ${lb.weight}",
                "server.host = random\nlb = weighted-${server.host}\nlb.weight = 3",
                "{\"lb\": \"weighted-random\", \"lb.weight\": 3}",
            })
    void aKeyThatIsThePrefixOfAnotherIsReadInEverySpelling(String text) throws IOException {
        Settings settings = withFile("agent.conf", text);

        assertThat(settings.text("lb")).isEqualTo("weighted-random");
        assertThat(settings.text("lb.weight")).isEqualTo("3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "request.timeout = 2 s\nrequest.timeout.max = 9 s",
                "request.timeout.max = 9 s\nrequest.timeout = 2 s",
                "request.timeout = 2 s\nrequest.timeout.max = 9 s\ntimeout.max = 1 s",
                "request.timeout { max = 9 s }\nlb = x",
                "request { timeout { max = 9 s } }",
                "request { timeout.max = 9 s }",
                "{\"request\": {\"timeout\": {\"max\": \"9 s\"}}}",
                "{\"request.timeout\": {\"max\": \"9 s\"}}",
            })
    void aKeyMayBeNestedUnlessItsPrefixIsAssigned(String text) throws IOException {
        assertThat(withFile("agent.conf", text).text("request.timeout.max")).isEqualTo("9 s");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lb { weight = 3 }\nlb = weighted-random",
                "lb = weighted-random\nlb { weight = 3 }",
                "lb = weighted-random\nlb = { weight = 3 }",
            })
    void aSettingHiddenByAnotherIsRefused(String text) throws IOException {
        Path file = file("agent.conf", text);

        assertThatThrownBy(() -> with(Map.of("config.file", file.toString())).check())
                .isInstanceOf(SettingsException.class)
                .hasMessage("config.file: " + file
                        + ": lb is a setting itself, so do not nest lb.weight in it: write it flat");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "request { timeout = 2 s, timeout.max = 9 s }",
                "request { timeout.max = 9 s\n timeout = 2 s }",
                "request.timeout = 2 s\nrequest { timeout { max = 9 s } }",
            })
    void aSettingHiddenByADeeperOneIsRefused(String text) throws IOException {
        Path file = file("agent.conf", text);

        assertThatThrownBy(() -> with(Map.of("config.file", file.toString())).check())
                .hasMessageEndingWith("so do not nest request.timeout.max in it: write it flat");
    }

    @Test
    void includeIsRefused() throws IOException {
        Path file = file("agent.conf", "lb = x\ninclude \"other.conf\"");

        assertThatThrownBy(() -> with(Map.of("config.file", file.toString())).check())
                .hasMessage("config.file: " + file + ": include is not supported");
    }

    @Test
    void aJsonFileIsRead() throws IOException {
        Settings settings =
                withFile("agent.json", "{\"lb\": \"a\", \"lb.weight\": 3, \"server\": {\"port\": 1}, \"tls\": true}");

        assertThat(settings.text("lb")).isEqualTo("a");
        assertThat(settings.text("lb.weight")).isEqualTo("3");
        assertThat(settings.text("server.port")).isEqualTo("1");
        assertThat(settings.flag("tls")).isTrue();
    }

    @Test
    void aPropertiesFileIsRead() throws IOException {
        Settings settings = withFile("agent.properties", "lb=a\nlb.weight=3\nrequest.timeout = 2 s\n");

        assertThat(settings.text("lb")).isEqualTo("a");
        assertThat(settings.text("lb.weight")).isEqualTo("3");
        assertThat(settings.duration("request.timeout", MS, MINUTE)).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void aListInTheFileBecomesItsItemsWithCommas() throws IOException {
        Settings settings = withFile("agent.conf", "dubbo.services = [\"demo.Hello:1.0\", demo.Other]");

        assertThat(settings.list("dubbo.services")).containsExactly("demo.Hello:1.0", "demo.Other");
    }

    @Test
    void nullInTheFileIsNotSet() throws IOException {
        assertThat(withFile("agent.conf", "lb.weight = null").isSet("lb.weight"))
                .isFalse();
    }

    @Test
    void aKeySetTwiceInTheFileIsRefused() throws IOException {
        Path file = file("agent.conf", "server.port = 1\n\"server.port\" = 2");

        assertThatThrownBy(() -> with(Map.of("config.file", file.toString())).check())
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("config.file: server.port is set in two places: ");
    }

    @Test
    void nothingElseIsToldWhereTheFileCannotBeParsed() throws IOException {
        Path broken = file("broken.conf", "server.port = 1\nlb.weight = {");

        assertThatThrownBy(() -> with(Map.of("config.file", broken.toString(), "server.prot", "1")))
                .isInstanceOfSatisfying(
                        SettingsException.class,
                        e -> assertThat(e.problems())
                                .singleElement()
                                .asString()
                                .startsWith("config.file: " + broken + ": 2: "));
    }

    @Test
    void aFileThatCannotBeReadOrParsedIsRefused() throws IOException {
        Path missing = directory.resolve("missing.conf");
        assertThatThrownBy(() -> with(Map.of("config.file", missing.toString())).check())
                .hasMessage("config.file: " + missing + " (expected: a readable file)");

        Path broken = file("broken.conf", "server.port = {");
        assertThatThrownBy(() -> with(Map.of("config.file", broken.toString())))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("config.file: " + broken + ": 1: ");

        Path notUtf8 = directory.resolve("latin.conf");
        Files.write(notUtf8, new byte[] {'l', 'b', '=', (byte) 0xe4});
        assertThatThrownBy(() -> with(Map.of("config.file", notUtf8.toString())).check())
                .hasMessage("config.file: " + notUtf8 + ": not UTF-8");
    }
}
