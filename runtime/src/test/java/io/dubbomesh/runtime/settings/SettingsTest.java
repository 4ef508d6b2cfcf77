package io.dubbomesh.runtime.settings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests the sources of settings, and the messages about wrong ones. */
class SettingsTest extends SettingsFixture {
    @Test
    void theDefaultsAreThoseOfTheReferenceFile() {
        Settings settings = with(Map.of());

        assertThat(settings.integer("server.port", 1, 65535)).isEqualTo(20000);
        assertThat(settings.text("server.host")).isEqualTo("127.0.0.1");
        assertThat(settings.size("http.max-body", 1, 8 * MIB)).isEqualTo(MIB);
        assertThat(settings.duration("request.timeout", MS, MINUTE)).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.duration("request.timeout.max", MS, MINUTE)).isEqualTo(MINUTE);
        assertThat(settings.choice("lb", "weighted-round-robin")).isEqualTo("weighted-round-robin");
        assertThat(settings.integer("lb.weight", 0, 1000)).isEqualTo(1);
        assertThat(settings.flag("tls")).isFalse();
        assertThat(settings.path("logs.dir")).isNull();
        assertThat(settings.list("dubbo.services")).isEmpty();
    }

    @Test
    void aPropertyOverridesAVariableAndAVariableOverridesTheFile() throws IOException {
        Path file = file("agent.conf", "server.port = 1, lb.weight = 2, tls = true");
        Map<String, String> environment = Map.of("DUBBOMESH_SERVER_PORT", "3", "DUBBOMESH_LB_WEIGHT", "4");

        Settings settings =
                Settings.of(REFERENCE, Map.of("config.file", file.toString(), "server.port", "5"), environment);

        assertThat(settings.text("server.port")).isEqualTo("5");
        assertThat(settings.text("lb.weight")).isEqualTo("4");
        assertThat(settings.text("tls")).isEqualTo("true");
        assertThat(settings.text("server.host")).isEqualTo("127.0.0.1");
    }

    @Test
    void theSettingsInForceHaveTheirOrigins() throws IOException {
        Path file = file("agent.conf", "server.host = a, tls = true");
        Settings settings = Settings.of(
                REFERENCE,
                Map.of("config.file", file.toString(), "server.port", "5"),
                Map.of("DUBBOMESH_TLS", "false"));

        assertThat(settings.effective())
                .contains(
                        new Settings.Effective("server.port", "5", "20000", "-Dserver.port"),
                        new Settings.Effective("server.host", "a", "127.0.0.1", file + ": 1"),
                        new Settings.Effective("tls", "false", "false", "environment variable DUBBOMESH_TLS"),
                        new Settings.Effective("lb.weight", "1", "1", "default"));
    }

    @ParameterizedTest
    @CsvSource({
        "request.timeout, 5, 5 ms",
        "request.timeout, ' 0.5 ', 0.5 ms",
        "request.timeout, 5s, 5s",
        "timeout.max, 7, 7 ms",
        "http.max-body, 5, 5",
        "server.port, 5, 5",
    })
    void aDurationWithoutAUnitIsShownWithTheOneThatIsTaken(String key, String text, String shown) {
        assertThat(with(Map.of(key, text)).effective())
                .filteredOn(setting -> setting.key().equals(key))
                .extracting(Settings.Effective::value)
                .containsExactly(shown);
    }

    @Test
    void secretsAreHiddenWhereSettingsAreShown() {
        Settings settings = with(Map.of("dubbo.token", "s3cret", "dubbo.token-file", "/etc/token"));

        assertThat(settings.text("dubbo.token")).isEqualTo("s3cret");
        assertThat(settings.effective())
                .contains(
                        new Settings.Effective("dubbo.token", "***", "", "-Ddubbo.token"),
                        new Settings.Effective("dubbo.token-file", "/etc/token", "", "-Ddubbo.token-file"))
                .noneMatch(setting -> setting.toString().contains("s3cret"));
        assertThat(with(Map.of()).effective()).contains(new Settings.Effective("dubbo.token", "", "", "default"));
    }

    @Test
    void aUrlOfKeysIsShownWithoutTheValuesOfItsOptions() {
        Settings settings = with(Map.of("http.auth.jwks", "https://login.example.com/keys?tenant=a&code=s3cret"));

        assertThat(settings.text("http.auth.jwks")).endsWith("s3cret");
        assertThat(settings.effective())
                .contains(new Settings.Effective(
                        "http.auth.jwks",
                        "https://login.example.com/keys?tenant=...&code=...",
                        "",
                        "-Dhttp.auth.jwks"));
        assertThat(with(Map.of("http.auth.jwks", "/etc/keys?#.json")).effective())
                .contains(new Settings.Effective("http.auth.jwks", "/etc/keys?#.json", "", "-Dhttp.auth.jwks"));
    }

    @Test
    void aSecretOnTheCommandLineIsToldFromOneInAFileOrAVariable() throws IOException {
        assertThat(with(Map.of("dubbo.token", "s3cret", "dubbo.token-file", "/etc/token"))
                        .secretsOnCommandLine())
                .containsExactly("dubbo.token");

        Path file = file("agent.conf", "dubbo.token = s3cret");
        assertThat(with(Map.of("config.file", file.toString())).secretsOnCommandLine())
                .isEmpty();
        assertThat(Settings.of(REFERENCE, Map.of(), Map.of("DUBBOMESH_DUBBO_TOKEN", "s3cret"))
                        .secretsOnCommandLine())
                .isEmpty();
        assertThat(with(Map.of("dubbo.token", "")).secretsOnCommandLine()).isEmpty();
    }

    @Test
    void theEnvironmentMayNameTheFile() throws IOException {
        Path file = file("agent.conf", "server.port = 1");

        Settings settings = Settings.of(REFERENCE, Map.of(), Map.of("DUBBOMESH_CONFIG_FILE", file.toString()));

        assertThat(settings.text("server.port")).isEqualTo("1");
    }

    @Test
    void aVariablesNameHasUnderscoresForDotsAndDashes() {
        Settings settings = Settings.of(REFERENCE, Map.of(), Map.of("DUBBOMESH_HTTP_MAX_BODY", "2 MiB"));

        assertThat(settings.size("http.max-body", 0, 8 * MIB)).isEqualTo(2 * MIB);
    }

    @Test
    void anEmptyVariableIsNotSetAndAnEmptyPropertyIsEmpty() {
        Settings settings =
                Settings.of(REFERENCE, Map.of("registry", ""), Map.of("DUBBOMESH_SERVER_HOST", "", "OTHER", "x"));

        assertThat(settings.text("server.host")).isEqualTo("127.0.0.1");
        assertThat(settings.isSet("server.host")).isFalse();
        assertThat(settings.text("registry")).isEmpty();
    }

    @Test
    void loadReadsThePropertiesOfTheProcess() {
        System.setProperty("lb.weight", "7");
        try {
            assertThat(Settings.load(REFERENCE).text("lb.weight")).isEqualTo("7");
        } finally {
            System.clearProperty("lb.weight");
        }
    }

    @Test
    void isSetTellsWhetherAKeyIsSet() {
        Settings settings = with(Map.of("lb.weight", "1"));

        assertThat(settings.isSet("lb.weight")).isTrue();
        assertThat(settings.isSet("server.port")).isFalse();
    }

    @Test
    void aKeyThatTheReferenceDoesNotListIsAnError() {
        assertThatThrownBy(() -> with(Map.of("colour", "red")).text("colour"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("colour: not in the reference file");
    }

    @Test
    void aReferenceThatIsMissingOrHasUnquotedKeysIsAnError() {
        assertThatThrownBy(() -> Settings.of("missing.conf", Map.of(), Map.of()))
                .hasMessage("no missing.conf on the class path");
        assertThatThrownBy(() -> Settings.of("unquoted-reference.conf", Map.of(), Map.of()))
                .hasMessage("unquoted-reference.conf: quote the key that begins with lb");
    }

    @Test
    void everyWrongSettingIsReportedOnceWithALineOfItsOwn() throws IOException {
        Path file = file("agent.conf", "server.prot = 1\nlb.weight = heavy\ncolour = red");
        Settings settings = with(Map.of("config.file", file.toString(), "server.port", "70000"));

        settings.integer("server.port", 1, 65535);
        settings.integer("server.port", 1, 65535);
        settings.integer("lb.weight", 0, 1000);
        settings.parse("registry", SettingsTest::refused, null);
        settings.reject("tls", "true, for a reason");

        assertThatThrownBy(settings::check)
                .isInstanceOfSatisfying(
                        SettingsException.class,
                        e -> assertThat(e.problems())
                                .containsExactlyInAnyOrder(
                                        "server.prot: no such setting (did you mean server.port?), in " + file + ": 1",
                                        "colour: no such setting, in " + file + ": 3",
                                        "server.port: 70000 (expected: 1-65535)",
                                        "lb.weight: heavy (expected: 0-1000), in " + file + ": 2",
                                        "registry: nowhere (expected: somewhere)",
                                        "tls: false (expected: true, for a reason)"));
    }

    private static String refused(String text) {
        throw new IllegalArgumentException("nowhere (expected: somewhere)");
    }

    @Test
    void aWrongSettingReadsAsItsDefaultSoThatOthersDoNotLookWrongBecauseOfIt() {
        Settings settings = with(Map.of("server.port", "70000", "http.max-body", "x", "lb", "magic"));

        assertThat(settings.integer("server.port", 1, 65535)).isEqualTo(20000);
        assertThat(settings.size("http.max-body", 0, 8 * MIB)).isEqualTo(MIB);
        assertThat(settings.choice("lb", "weighted-random", "weighted-round-robin"))
                .isEqualTo("weighted-round-robin");
        assertThat(settings.choice("registry", "a", "b")).isEqualTo("a");
    }

    @Test
    void settingsThatAreAllRightPassTheCheck() {
        Settings settings = with(Map.of("server.port", "1"));

        Integer port = settings.parse("server.port", Integer::valueOf, null);

        assertThat(port).isEqualTo(1);
        settings.check();
    }
}
