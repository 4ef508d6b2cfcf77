package io.dubbomesh.runtime.settings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SettingsTest {
    private static final String REFERENCE = "test-reference.conf";
    private static final long KIB = 1024;
    private static final long MIB = 1024 * KIB;
    private static final Duration MS = Duration.ofMillis(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @TempDir
    Path directory;

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
    void anUnknownKeyOfTheFileIsNamedWithTheKnownOneNearest() throws IOException {
        Path file = file("agent.conf", "\nserver { prot = 1 }");

        assertThatThrownBy(() -> with(Map.of("config.file", file.toString())).check())
                .isInstanceOf(SettingsException.class)
                .hasMessage("server.prot: no such setting (did you mean server.port?), in " + file + ": 2");
    }

    @Test
    void anUnknownKeyUnlikeAllOthersHasNoHint() throws IOException {
        Path file = file("agent.properties", "colour=red");

        assertThatThrownBy(() -> with(Map.of("config.file", file.toString())).check())
                .hasMessage("colour: no such setting, in " + file);
    }

    @ParameterizedTest
    @CsvSource({
        "server.prot, ' (did you mean server.port?)'",
        "Server.Port, ' (did you mean server.port?)'",
        "http.maxBody, ' (did you mean http.max-body?)'",
        "sever.port, ' (did you mean server.port?)'",
        "requesttimeout, ' (did you mean request.timeout?)'",
        "lb.algorithm, ''",
        "config.fiel, ' (did you mean config.file?)'",
        "http.auth.rule, ' (did you mean http.auth.rules?)'",
        "http.auth.subject-clam, ''",
    })
    void anUnknownPropertyThatMustBeMeantAsASettingIsRefused(String name, String hint) {
        assertThatThrownBy(() -> with(Map.of(name, "1")).check())
                .isInstanceOf(SettingsException.class)
                .hasMessage(name + ": no such setting" + hint);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http.proxyHost",
                "http.nonProxyHosts",
                "http.keepAlive.time.server",
                "http.auth.preference",
                "http.auth.serializeRequests",
                "http.auth.digest.validateProxy",
                "http.auth.ntlm.domain",
                "io.netty.leakDetection.level",
                "javax.net.ssl.trustStore",
                "test.seed",
                "type",
                "config.file",
            })
    void thePropertiesOfOthersAreLeftToThem(String name) {
        assertThatCode(() -> with(Map.of(name, "")).check()).doesNotThrowAnyException();
    }

    @Test
    void theProcessHasNoPropertyThatLooksLikeASetting() {
        assertThatCode(() -> Settings.load(REFERENCE).check()).doesNotThrowAnyException();
    }

    @Test
    void aMistypedVariableIsRefused() {
        assertThatThrownBy(() -> Settings.of(REFERENCE, Map.of(), Map.of("DUBBOMESH_SERVER_PROT", "1"))
                        .check())
                .hasMessage("environment variable DUBBOMESH_SERVER_PROT: no such setting"
                        + " (did you mean DUBBOMESH_SERVER_PORT?)");
    }

    /** Those that Kubernetes sets for a service called dubbomesh-shop, and a setting of the other agent. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "DUBBOMESH_SHOP_SERVICE_HOST",
                "DUBBOMESH_SHOP_SERVICE_PORT",
                "DUBBOMESH_SHOP_PORT",
                "DUBBOMESH_SHOP_PORT_20000_TCP_ADDR",
                "DUBBOMESH_QUEUE_SIZE",
            })
    void otherVariablesAreIgnored(String name) {
        assertThatCode(() -> Settings.of(REFERENCE, Map.of(), Map.of(name, "1")).check())
                .doesNotThrowAnyException();
    }

    @Test
    void aKeySetTwiceInTheFileIsRefused() throws IOException {
        Path file = file("agent.conf", "server.port = 1\n\"server.port\" = 2");

        assertThatThrownBy(() -> with(Map.of("config.file", file.toString())).check())
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("config.file: server.port is set in two places: ");
    }

    @Test
    void aFileThatCannotBeReadOrParsedIsRefused() throws IOException {
        Path missing = directory.resolve("missing.conf");
        assertThatThrownBy(() -> with(Map.of("config.file", missing.toString())).check())
                .hasMessage("config.file: " + missing + " (expected: a readable file)");

        Path broken = file("broken.conf", "server.port = {");
        assertThatThrownBy(() -> with(Map.of("config.file", broken.toString())).check())
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("config.file: " + broken + ": 1: ");

        Path notUtf8 = directory.resolve("latin.conf");
        Files.write(notUtf8, new byte[] {'l', 'b', '=', (byte) 0xe4});
        assertThatThrownBy(() -> with(Map.of("config.file", notUtf8.toString())).check())
                .hasMessage("config.file: " + notUtf8 + ": not UTF-8");
    }

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
    @ValueSource(strings = {"0", "61 s", "-5 s", "soon", "", "5 parsecs"})
    void aWrongDurationIsRefused(String text) {
        assertThatThrownBy(() ->
                        read(with(Map.of("request.timeout", text)), s -> s.duration("request.timeout", MS, MINUTE)))
                .isInstanceOf(SettingsException.class)
                .hasMessage("request.timeout: " + shown(text) + " (expected: 1 ms-60 s)");
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
        settings.reject("tls", "true, since somebody has to");

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
                                        "tls: false (expected: true, since somebody has to)"));
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

    private static void read(Settings settings, Consumer<Settings> reader) {
        reader.accept(settings);
        settings.check();
    }

    private static Settings with(Map<String, String> properties) {
        return Settings.of(REFERENCE, properties, Map.of());
    }

    private Settings withFile(String name, String text) throws IOException {
        return with(Map.of("config.file", file(name, text).toString()));
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }
}
