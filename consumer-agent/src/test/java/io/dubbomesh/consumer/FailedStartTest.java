package io.dubbomesh.consumer;

import io.dubbomesh.runtime.process.StartException;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.runtime.settings.SettingsException;
import io.netty.buffer.PooledByteBufAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Each says why, and leaves no thread and no buffer. */
class FailedStartTest {
    private static final long JOIN_MS = 10_000;

    private Set<Thread> threadsBefore;

    @BeforeEach
    void countThreads() {
        threadsBefore = agentThreads();
    }

    private static Set<Thread> agentThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("consumer-agent"))
                .collect(Collectors.toSet());
    }

    @AfterEach
    void nothingIsLeft() throws InterruptedException {
        for (Thread thread : agentThreads()) {
            if (!threadsBefore.contains(thread)) {
                // A loop reports its end a moment before its thread has ended.
                thread.join(JOIN_MS);
                assertThat(thread.isAlive()).as(thread.getName()).isFalse();
            }
        }
        // Netty reports a leaked buffer when it has been collected and the next one is allocated.
        System.gc();
        PooledByteBufAllocator.DEFAULT.directBuffer().release();
    }

    private static void start(String... settings) throws Exception {
        Map<String, String> properties = new HashMap<>(Map.of(
                "registry", "static:127.0.0.1:1*1", "server.host", "127.0.0.1", "server.port", "0", "admin.port", "0"));
        for (int i = 0; i < settings.length; i += 2) {
            properties.put(settings[i], settings[i + 1]);
        }
        new ConsumerAgent(Settings.of(ConsumerSettings.REFERENCE, properties, Map.of()));
    }

    @Test
    void aMalformedRegistryIsAWrongSetting() {
        assertThatThrownBy(() -> start("registry", "consul://host"))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("registry: consul://host (expected: etcd://host:2379");
    }

    @Test
    void aCertificateThatIsNotThereIsAWrongSetting() {
        assertThatThrownBy(() -> start(
                        "mesh.tls.cert", "/nowhere/a.crt",
                        "mesh.tls.key", "/nowhere/a.key",
                        "mesh.tls.ca", "/nowhere/ca.crt"))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("mesh.tls.cert: /nowhere/a.crt (");
    }

    @Test
    void aPortInUseIsReportedInOneLine() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = String.valueOf(taken.getLocalPort());
            assertThatThrownBy(() -> start("server.port", port))
                    .isInstanceOf(StartException.class)
                    .hasMessage("server.port: " + port + " (address already in use)");
            assertThatThrownBy(() -> start("admin.port", port))
                    .isInstanceOf(StartException.class)
                    .hasMessage("admin.port: " + port + " (address already in use)");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"server.port", "admin.port"})
    void aPortInUseIsReportedBeforeTheRegistryIsAsked(String setting) throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket taken = new ServerSocket(0, 1, loopback);
                ServerSocket etcd = new ServerSocket(0, 1, loopback)) {
            String port = String.valueOf(taken.getLocalPort());
            assertThatThrownBy(() -> start(setting, port, "registry", "etcd://127.0.0.1:" + etcd.getLocalPort()))
                    .isInstanceOf(StartException.class)
                    .hasMessage(setting + ": " + port + " (address already in use)");
            etcd.setSoTimeout(100);
            assertThatThrownBy(etcd::accept).isInstanceOf(SocketTimeoutException.class);
        }
    }
}
