package io.dubbomesh.consumer;

import io.dubbomesh.loadbalance.Strategy;
import io.dubbomesh.registry.config.RegistrySettings;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.transport.TransportSettings;
import io.dubbomesh.transport.socket.SocketSettings;
import io.dubbomesh.transport.socket.Transport;
import io.dubbomesh.transport.tls.TlsSettings;

/**
 * The consumer agent's settings, read once at the start; reference.conf says what each one means.
 *
 * @param tls null for plain TCP
 */
record ConsumerSettings(
        String host,
        int port,
        String adminHost,
        int adminPort,
        HttpLimits httpLimits,
        int maxConnections,
        int maxFormFields,
        int maxPipelined,
        long headTimeoutNs,
        long bodyTimeoutNs,
        int minBodyRate,
        long idleTimeoutNs,
        long writeTimeoutNs,
        long requestTimeoutNs,
        long maxRequestTimeoutMs,
        int queueSize,
        long queueBytes,
        Strategy strategy,
        int maxMethods,
        String registry,
        int maxFrame,
        long heartbeatMs,
        int ioThreads,
        Transport transport,
        SocketSettings httpSockets,
        SocketSettings linkSockets,
        TlsSettings tls) {

    static final String REFERENCE = "io/dubbomesh/consumer/reference.conf";

    private static final int HTTP_READ_SIZE = 4 * 1024;
    private static final int LINK_READ_SIZE = 64 * 1024;
    /** A link carries the answers of many clients: it is full when it is full of several turns' worth. */
    private static final int LINK_WATER_MARKS = 8;

    static ConsumerSettings from(Settings settings) {
        ConsumerSettings parsed = new ConsumerSettings(
                settings.text("server.host"),
                settings.port("server.port"),
                settings.text("admin.host"),
                settings.port("admin.port"),
                new HttpLimits(
                        settings.size("http.max-request-line", 64, 1 << 20),
                        settings.size("http.max-head", 256, 1 << 20),
                        settings.integer("http.max-headers", 1, 10_000),
                        settings.size("http.max-body", 0, 1 << 28)),
                settings.integer("http.max-connections", 1, 10_000_000),
                settings.integer("http.max-form-fields", 3, 10_000),
                settings.integer("http.max-pipelined", 1, 100_000),
                settings.nanos("http.head-timeout"),
                settings.nanos("http.body-timeout"),
                settings.size("http.min-body-rate", 1, 1 << 30),
                settings.nanos("http.idle-timeout"),
                settings.nanos("http.write-timeout"),
                settings.nanos("request.timeout"),
                settings.millis("request.timeout.max"),
                settings.integer("queue.size", 0, 1_000_000),
                settings.size("queue.bytes", 0, 1 << 30),
                Strategy.named(settings.choice("lb", Strategy.settingNames())),
                settings.integer("methods.max", 0, 1 << 20),
                RegistrySettings.uri(settings),
                settings.size("mesh.max-frame", 4096, 1 << 30),
                settings.millis("mesh.heartbeat"),
                TransportSettings.eventLoops(settings),
                TransportSettings.transport(settings),
                TransportSettings.sockets(settings, HTTP_READ_SIZE, 1, 0),
                TransportSettings.sockets(
                        settings, LINK_READ_SIZE, LINK_WATER_MARKS, settings.millis("mesh.connect-timeout")),
                TransportSettings.tls(settings));
        settings.check();
        return parsed;
    }
}
