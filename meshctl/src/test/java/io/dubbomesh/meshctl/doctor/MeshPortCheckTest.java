package io.dubbomesh.meshctl.doctor;

import io.dubbomesh.meshctl.document.Config;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class MeshPortCheckTest {
    private static final String PORT = "0.0.0.0:30000";

    private static Finding check(String listening, String token, String certificate) {
        return MeshPortCheck.check(
                listening,
                new Config(List.of(
                        new Config.Setting("mesh.open", "true", "", ""),
                        new Config.Setting("mesh.token-file", token, "", ""),
                        new Config.Setting("mesh.tls.cert", certificate, "", ""))));
    }

    @ParameterizedTest
    @ValueSource(strings = {PORT, "192.0.2.7:30000", "[::]:30000"})
    void aPortThatOthersReachAndThatDemandsNothingIsWorthAWarning(String listening) {
        assertThat(check(listening, "", ""))
                .isEqualTo(Finding.warn(
                        "port " + listening + ": everybody who reaches it may call every service, since consumer agents"
                                + " need neither a token nor a certificate (mesh.open=true)",
                        "set mesh.token-file or mesh.tls.* of all agents, or have only agents reach the port;"
                                + " docs/operate/settings.md (authentication of agents)"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:30000", "[::1]:30000", "127.8.0.9:1"})
    void aPortOfTheMachineAloneIsNot(String listening) {
        assertThat(check(listening, "", ""))
                .isEqualTo(Finding.ok("port " + listening + ": only programs of the agent's machine reach it"));
    }

    @Test
    void itSaysWhatConsumerAgentsNeed() {
        assertThat(check(PORT, "/run/token", ""))
                .isEqualTo(Finding.ok("port " + PORT + ": consumer agents need a token; links are not encrypted"));
        assertThat(check(PORT, "", "/run/tls.crt"))
                .isEqualTo(Finding.ok("port " + PORT + ": consumer agents need a certificate"));
        assertThat(check(PORT, "/run/token", "/run/tls.crt"))
                .isEqualTo(Finding.ok("port " + PORT + ": consumer agents need a certificate and a token"));
    }
}
