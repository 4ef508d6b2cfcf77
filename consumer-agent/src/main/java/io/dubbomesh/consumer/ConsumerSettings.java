package io.dubbomesh.consumer;

import io.dubbomesh.loadbalance.Strategy;
import io.dubbomesh.runtime.AgentSettings;
import io.dubbomesh.runtime.Settings;
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
        return new ConsumerSettings(
                settings.text("server.host"),
                AgentSettings.port(settings, "server.port"),
                settings.text("admin.host"),
                AgentSettings.port(settings, "admin.port"),
                new HttpLimits(
                        AgentSettings.size(settings, "http.max-request-line", 64, 1 << 20),
                        AgentSettings.size(settings, "http.max-head", 256, 1 << 20),
                        settings.integer("http.max-headers", 1, 10_000),
                        AgentSettings.size(settings, "http.max-body", 0, 1 << 28)),
                settings.integer("http.max-connections", 1, 10_000_000),
                settings.integer("http.max-form-fields", 3, 10_000),
                settings.integer("http.max-pipelined", 1, 100_000),
                AgentSettings.nanos(settings, "http.head-timeout"),
                AgentSettings.nanos(settings, "http.body-timeout"),
                AgentSettings.nanos(settings, "http.idle-timeout"),
                AgentSettings.nanos(settings, "http.write-timeout"),
                AgentSettings.nanos(settings, "request.timeout"),
                AgentSettings.millis(settings, "request.timeout.max"),
                settings.integer("queue.size", 0, 1_000_000),
                AgentSettings.size(settings, "queue.bytes", 0, 1 << 30),
                Strategy.named(settings.choice("lb", Strategy.settingNames())),
                settings.integer("methods.max", 0, 1 << 20),
                AgentSettings.registry(settings),
                AgentSettings.size(settings, "mesh.max-frame", 4096, 1 << 30),
                AgentSettings.millis(settings, "mesh.heartbeat"),
                AgentSettings.eventLoops(settings),
                AgentSettings.transport(settings),
                AgentSettings.sockets(settings, HTTP_READ_SIZE, 1, 0),
                AgentSettings.sockets(
                        settings,
                        LINK_READ_SIZE,
                        LINK_WATER_MARKS,
                        AgentSettings.millis(settings, "mesh.connect-timeout")),
                AgentSettings.tls(settings));
    }
}
