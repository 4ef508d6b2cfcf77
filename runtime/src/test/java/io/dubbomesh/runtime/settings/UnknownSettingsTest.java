package io.dubbomesh.runtime.settings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Checks keys that are not read: mistyped keys, properties and variables. */
class UnknownSettingsTest extends SettingsFixture {
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
}
