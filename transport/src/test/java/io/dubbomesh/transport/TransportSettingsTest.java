package io.dubbomesh.transport;

import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.runtime.settings.SettingsException;
import io.dubbomesh.transport.socket.SocketSettings;
import io.dubbomesh.transport.socket.Transport;
import io.dubbomesh.transport.tls.TlsSettings;
import io.netty.handler.ssl.ClientAuth;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TransportSettingsTest {
    @TempDir
    Path folder;

    @Test
    void eventLoopsAreThoseThatAreSetOrFollowTheProcessors() {
        assertThat(read(TransportSettings::eventLoops, "io.threads", "3")).isEqualTo(3);
        assertThat(read(TransportSettings::eventLoops)).isBetween(1, 8);
    }

    @Test
    void anUnknownTransportIsNamed() {
        assertThat(read(TransportSettings::transport, "io.transport", "nio")).isEqualTo(Transport.NIO);
        assertThatThrownBy(() -> read(TransportSettings::transport, "io.transport", "carrier-pigeon"))
                .isInstanceOf(SettingsException.class)
                .hasMessage("io.transport: carrier-pigeon (expected: auto, epoll, io_uring, nio)");
    }

    @Test
    void aLowWaterMarkAboveTheHighOneIsRefused() {
        SocketSettings sockets = read(s -> TransportSettings.sockets(s, 4096, 8, 1000));
        assertThat(sockets.highWaterMark()).isEqualTo(8 * 64 * 1024);
        assertThatThrownBy(() -> read(s -> TransportSettings.sockets(s, 4096, 1, 0), "tcp.low-water-mark", "65 KiB"))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("tcp.low-water-mark: 65 KiB (expected: ");
    }

    @Test
    void linksArePlainUnlessFilesAreSet() throws IOException {
        assertThat(read(TransportSettings::tls)).isNull();

        Path certificates = Files.createFile(folder.resolve("c.pem"));
        Path key = Files.createFile(folder.resolve("k.pem"));
        Path authorities = Files.createFile(folder.resolve("ca.pem"));
        assertThat(read(
                        TransportSettings::tls,
                        "mesh.tls.cert",
                        certificates.toString(),
                        "mesh.tls.key",
                        key.toString(),
                        "mesh.tls.ca",
                        authorities.toString(),
                        "mesh.tls.peer-names",
                        "a.test, b.test",
                        "mesh.tls.handshake-timeout",
                        "2 s"))
                .isEqualTo(TlsSettings.ofLinks(certificates, key, authorities, List.of("a.test", "b.test"), 2000));
    }

    @Test
    void namesOfPeersWithoutCertificatesAreRefused() {
        assertThatThrownBy(() -> read(TransportSettings::tls, "mesh.tls.peer-names", "consumer"))
                .isInstanceOf(SettingsException.class)
                .hasMessage("mesh.tls.peer-names: consumer (expected: nothing, or mesh.tls.cert, mesh.tls.key and"
                        + " mesh.tls.ca beside it)");
    }

    @Test
    void everyTlsFileThatIsMissingIsNamed() {
        assertThatThrownBy(() -> read(
                        TransportSettings::tls, "mesh.tls.cert", "/nowhere/c.pem", "mesh.tls.ca", "/nowhere/ca.pem"))
                .isInstanceOf(SettingsException.class)
                .hasMessage("mesh.tls.cert: /nowhere/c.pem (expected: a readable file)\n"
                        + "mesh.tls.key: not set (expected: a file, since others of mesh.tls.cert, mesh.tls.key, mesh.tls.ca"
                        + " are set)\n"
                        + "mesh.tls.ca: /nowhere/ca.pem (expected: a readable file)");
    }

    @Test
    void httpIsPlainUnlessACertificateIsSet() throws IOException {
        assertThat(read(TransportSettings::https)).isNull();

        Path certificates = Files.createFile(folder.resolve("c.pem"));
        Path key = Files.createFile(folder.resolve("k.pem"));
        Path authorities = Files.createFile(folder.resolve("ca.pem"));
        assertThat(read(
                        TransportSettings::https,
                        "http.tls.cert",
                        certificates.toString(),
                        "http.tls.key",
                        key.toString()))
                .isEqualTo(TlsSettings.ofHttp(certificates, key, ClientAuth.NONE, null, 3000));
        assertThat(read(
                        TransportSettings::https,
                        "http.tls.cert",
                        certificates.toString(),
                        "http.tls.key",
                        key.toString(),
                        "http.tls.client-auth",
                        "required",
                        "http.tls.client-ca",
                        authorities.toString()))
                .isEqualTo(TlsSettings.ofHttp(certificates, key, ClientAuth.REQUIRE, authorities, 3000));
    }

    @Test
    void whatWouldNotProtectWhatItSeemsToIsRefused() throws IOException {
        String file = Files.createFile(folder.resolve("a.pem")).toString();
        assertRefused("http.tls.key: not set (expected: a file, since", "http.tls.cert", file);
        assertRefused(
                "http.tls.client-auth: none (expected: optional or required, since http.tls.client-ca is set)",
                "http.tls.cert",
                file,
                "http.tls.key",
                file,
                "http.tls.client-ca",
                file);
        assertRefused(
                "http.tls.client-ca: not set (expected: a file, since",
                "http.tls.cert",
                file,
                "http.tls.key",
                file,
                "http.tls.client-auth",
                "required");
        assertRefused(
                "http.tls.client-auth: required (expected: none, since http.tls.cert and http.tls.key are not set)",
                "http.tls.client-auth",
                "required");
        assertRefused(
                "http.tls.client-auth: maybe (expected: none, optional, required)", "http.tls.client-auth", "maybe");
    }

    private static void assertRefused(String message, String... keysAndValues) {
        assertThatThrownBy(() -> read(TransportSettings::https, keysAndValues))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith(message);
    }

    private static <T> T read(Function<Settings, T> reader, String... keysAndValues) {
        Map<String, String> properties = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            properties.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        Settings settings = Settings.of("transport-settings.conf", properties, Map.of());
        T read = reader.apply(settings);
        settings.check();
        return read;
    }
}
