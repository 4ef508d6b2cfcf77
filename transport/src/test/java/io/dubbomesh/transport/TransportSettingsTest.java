package io.dubbomesh.transport;

import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.runtime.settings.SettingsException;
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

class TransportSettingsTest {
    @Test
    void eventLoopsAreThoseThatAreSetOrFollowTheProcessors() {
        assertThat(TransportSettings.eventLoops(settings("io.threads", "3"))).isEqualTo(3);
        assertThat(TransportSettings.eventLoops(settings())).isBetween(1, 8);
    }

    @Test
    void anUnknownTransportIsNamed() {
        assertThat(TransportSettings.transport(settings("io.transport", "nio"))).isEqualTo(Transport.NIO);
        assertThatThrownBy(() -> TransportSettings.transport(settings("io.transport", "carrier-pigeon")))
                .isInstanceOf(SettingsException.class)
                .hasMessage("io.transport: carrier-pigeon (expected: auto, epoll, io_uring, nio)");
    }

    @Test
    void aLowWaterMarkAboveTheHighOneIsRefused() {
        SocketSettings sockets = TransportSettings.sockets(settings(), 4096, 8, 1000);
        assertThat(sockets.highWaterMark()).isEqualTo(8 * 64 * 1024);
        assertThatThrownBy(() -> TransportSettings.sockets(settings("tcp.low-water-mark", "65 KiB"), 4096, 1, 0))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("tcp.low-water-mark: 65 KiB (expected: ");
    }

    @Test
    void linksArePlainUnlessFilesAreNamed() {
        assertThat(TransportSettings.tls(settings())).isNull();
        assertThat(TransportSettings.tls(settings("mesh.tls.peer-names", "a"))).isNull();
        assertThat(TransportSettings.tls(settings(
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
        assertThatThrownBy(() -> TransportSettings.tls(settings("mesh.tls.cert", "c.pem", "mesh.tls.ca", "ca.pem")))
                .isInstanceOf(SettingsException.class)
                .hasMessage("mesh.tls.key:  (expected: a file, since others of mesh.tls.cert, mesh.tls.key, mesh.tls.ca"
                        + " are set)");
    }

    private static Settings settings(String... keysAndValues) {
        Map<String, String> properties = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            properties.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return Settings.of("transport-settings.conf", properties, Map.of());
    }
}
