package io.dubbomesh.runtime;

import io.dubbomesh.transport.socket.SocketSettings;
import io.dubbomesh.transport.socket.Transport;
import io.dubbomesh.transport.tls.TlsSettings;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class AgentSettingsTest {
    @Test
    void theRegistryIsWhatItsSettingSays() {
        assertThat(AgentSettings.registry(settings())).isEqualTo("etcd://127.0.0.1:2379");
        assertThat(AgentSettings.registry(settings("registry", "file:/tmp/r"))).isEqualTo("file:/tmp/r");
    }

    @Test
    void anEtcdUrlIsARegistry() {
        assertThat(AgentSettings.registry(settings("etcd.url", "http://etcd:2379")))
                .isEqualTo("http://etcd:2379");
    }

    @Test
    void registryAndEtcdUrlMaySayTheSame() {
        assertThat(AgentSettings.registry(settings("registry", "etcd://etcd:2379", "etcd.url", "http://etcd:2379")))
                .isEqualTo("http://etcd:2379");
    }

    @Test
    void registryAndEtcdUrlMustNotDisagree() {
        assertThatThrownBy(
                        () -> AgentSettings.registry(settings("registry", "file:/r", "etcd.url", "http://etcd:2379")))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith(
                        "etcd.url: http://etcd:2379 (expected: the same as registry, which is file:/r, or one of them alone)");
    }

    @Test
    void aPortOutOfRangeIsNamedWithTheRange() {
        assertThat(AgentSettings.port(settings("server.port", "20000"), "server.port"))
                .isEqualTo(20000);
        assertThat(AgentSettings.port(settings("server.port", "0"), "server.port"))
                .isZero();
        assertThatThrownBy(() -> AgentSettings.port(settings("server.port", "70000"), "server.port"))
                .isInstanceOf(SettingsException.class)
                .hasMessage("server.port: 70000 (expected: 1-65535)");
    }

    @Test
    void eventLoopsAreThoseThatAreSetOrFollowTheProcessors() {
        assertThat(AgentSettings.eventLoops(settings("io.threads", "3"))).isEqualTo(3);
        assertThat(AgentSettings.eventLoops(settings())).isBetween(1, 8);
    }

    @Test
    void anUnknownTransportIsNamed() {
        assertThat(AgentSettings.transport(settings("io.transport", "nio"))).isEqualTo(Transport.NIO);
        assertThatThrownBy(() -> AgentSettings.transport(settings("io.transport", "carrier-pigeon")))
                .isInstanceOf(SettingsException.class)
                .hasMessage("io.transport: carrier-pigeon (expected: auto, epoll, io_uring, nio)");
    }

    @Test
    void aLowWaterMarkAboveTheHighOneIsRefused() {
        SocketSettings sockets = AgentSettings.sockets(settings(), 4096, 8, 1000);
        assertThat(sockets.highWaterMark()).isEqualTo(8 * 64 * 1024);
        assertThatThrownBy(() -> AgentSettings.sockets(settings("tcp.low-water-mark", "65 KiB"), 4096, 1, 0))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("tcp.low-water-mark: 65 KiB (expected: ");
    }

    @Test
    void linksArePlainUnlessFilesAreNamed() {
        assertThat(AgentSettings.tls(settings())).isNull();
        assertThat(AgentSettings.tls(settings("mesh.tls.peer-names", "a"))).isNull();
        assertThat(AgentSettings.tls(settings(
                        "mesh.tls.cert",
                        "c.pem",
                        "mesh.tls.key",
                        "k.pem",
                        "mesh.tls.ca",
                        "ca.pem",
                        "mesh.tls.peer-names",
                        "a.test, b.test",
                        "mesh.tls.handshake-timeout",
                        "2 s")))
                .isEqualTo(new TlsSettings(
                        Path.of("c.pem"), Path.of("k.pem"), Path.of("ca.pem"), List.of("a.test", "b.test"), 2000));
    }

    @Test
    void aFileThatIsMissingForTlsIsNamed() {
        assertThatThrownBy(() -> AgentSettings.tls(settings("mesh.tls.cert", "c.pem", "mesh.tls.ca", "ca.pem")))
                .isInstanceOf(SettingsException.class)
                .hasMessage("mesh.tls.key:  (expected: a file, since others of mesh.tls.cert, mesh.tls.key, mesh.tls.ca"
                        + " are set)");
    }

    private static Settings settings(String... keysAndValues) {
        Map<String, String> properties = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            properties.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return Settings.of("agent-settings.conf", properties, Map.of());
    }
}
