package io.dubbomesh.consumer;

import io.dubbomesh.loadbalance.Strategy;
import io.dubbomesh.runtime.Settings;
import io.dubbomesh.runtime.SettingsException;
import io.dubbomesh.transport.SocketSettings;
import io.dubbomesh.transport.Transport;

import java.time.Duration;

/** The consumer agent's settings, read once at the start; reference.conf says what each one means. */
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
        Strategy strategy,
        int maxMethods,
        String registry,
        int maxFrame,
        long heartbeatMs,
        int ioThreads,
        Transport transport,
        SocketSettings httpSockets,
        SocketSettings linkSockets) {

    private static final int MAX_LOOPS = 8;
    private static final int HTTP_READ_SIZE = 4 * 1024;
    private static final int LINK_READ_SIZE = 64 * 1024;
    /** A link carries the answers of many clients: it is full when it is full of several turns' worth. */
    private static final int LINK_WATER_MARKS = 8;

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofHours(24);

    static ConsumerSettings from(Settings settings) {
        return new ConsumerSettings(
                settings.text("server.host"),
                settings.integer("server.port", 0, 65535),
                settings.text("admin.host"),
                settings.integer("admin.port", 0, 65535),
                new HttpLimits(
                        size(settings, "http.max-request-line", 64, 1 << 20),
                        size(settings, "http.max-head", 256, 1 << 20),
                        settings.integer("http.max-headers", 1, 10_000),
                        size(settings, "http.max-body", 0, 1 << 28)),
                settings.integer("http.max-connections", 1, 10_000_000),
                settings.integer("http.max-form-fields", 3, 10_000),
                settings.integer("http.max-pipelined", 1, 100_000),
                nanos(settings, "http.head-timeout"),
                nanos(settings, "http.body-timeout"),
                nanos(settings, "http.idle-timeout"),
                nanos(settings, "http.write-timeout"),
                nanos(settings, "request.timeout"),
                millis(settings, "request.timeout.max"),
                settings.integer("queue.size", 0, 1_000_000),
                Strategy.named(settings.choice("lb", Strategy.settingNames())),
                settings.integer("methods.max", 0, 1 << 20),
                registry(settings),
                size(settings, "mesh.max-frame", 4096, 1 << 30),
                millis(settings, "mesh.heartbeat"),
                loops(settings.integer("io.threads", 0, 1024)),
                transport(settings),
                sockets(settings, HTTP_READ_SIZE, 1),
                sockets(settings, LINK_READ_SIZE, LINK_WATER_MARKS));
    }

    private static int loops(int threads) {
        return threads > 0
                ? threads
                : Math.min(MAX_LOOPS, Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
    }

    private static long nanos(Settings settings, String key) {
        return settings.duration(key, SHORTEST, LONGEST).toNanos();
    }

    private static long millis(Settings settings, String key) {
        return settings.duration(key, SHORTEST, LONGEST).toMillis();
    }

    private static int size(Settings settings, String key, long min, long max) {
        return (int) settings.size(key, min, max);
    }

    private static Transport transport(Settings settings) {
        try {
            return Transport.of(settings.text("io.transport"));
        } catch (IllegalArgumentException e) {
            throw new SettingsException("io.transport: " + e.getMessage());
        }
    }

    /** {@code etcd.url} is another way to write a registry that is etcd. */
    private static String registry(Settings settings) {
        String registry = settings.text("registry");
        String etcdUrl = settings.text("etcd.url");
        if (etcdUrl.isEmpty()) {
            return registry;
        }
        if (settings.isSet("registry") && !address(registry).equals(address(etcdUrl))) {
            throw settings.invalid("etcd.url", "the same as registry, which is " + registry + ", or one of them alone");
        }
        return etcdUrl;
    }

    private static String address(String url) {
        return url.substring(url.indexOf("//") + 2);
    }

    private static SocketSettings sockets(Settings settings, int readSize, int waterMarks) {
        int high = size(settings, "tcp.high-water-mark", 1024, 1 << 28);
        int low = size(settings, "tcp.low-water-mark", 0, high);
        return new SocketSettings(
                settings.flag("tcp.no-delay"),
                settings.flag("tcp.quick-ack"),
                settings.integer("tcp.backlog", 1, 1 << 20),
                size(settings, "tcp.receive-buffer", 0, 1 << 28),
                size(settings, "tcp.send-buffer", 0, 1 << 28),
                readSize,
                low * waterMarks,
                high * waterMarks,
                (int) millis(settings, "mesh.connect-timeout"));
    }
}
