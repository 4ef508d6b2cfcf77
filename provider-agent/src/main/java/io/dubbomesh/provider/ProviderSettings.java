package io.dubbomesh.provider;

import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.runtime.Settings;
import io.dubbomesh.runtime.SettingsException;
import io.dubbomesh.transport.SocketSettings;
import io.dubbomesh.transport.Transport;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The provider agent's settings, read once at the start; reference.conf says what each one means.
 *
 * @param advertiseHost null for the local address of the connection to the registry
 * @param advertisePort 0 for the port listened on
 */
record ProviderSettings(
        String serverHost,
        int serverPort,
        int maxConnections,
        String registry,
        String advertiseHost,
        int advertisePort,
        int weight,
        int limit,
        int queue,
        ServedServices services,
        String dubboHost,
        int dubboPort,
        Serialization serialization,
        int maxPayload,
        long dubboHeartbeatMs,
        long reconnectFirstMs,
        long reconnectMaxMs,
        int maxFrame,
        int tableSize,
        long heartbeatMs,
        int threads,
        Transport transport,
        SocketSettings sockets,
        String adminHost,
        int adminPort) {

    private static final int MAX_LOOPS = 8;
    private static final int READ_SIZE = 64 * 1024;
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofHours(24);

    private static final String PROVIDER_HOST = "dubbo.protocol.host";
    private static final String PROVIDER_PORT = "dubbo.protocol.port";
    /** {@code host:port} or {@code [v6]:port}; an IPv6 address without brackets has more colons than one. */
    private static final Pattern HOST_AND_PORT = Pattern.compile("(?:([^:\\[\\]]+)|\\[([^\\[\\]]+)]):([0-9]{1,5})");

    static ProviderSettings from(Settings settings) {
        String host = settings.text(PROVIDER_HOST).strip();
        int port = settings.integer(PROVIDER_PORT, 1, 65535);
        Matcher both = HOST_AND_PORT.matcher(host);
        if (both.matches()) {
            int other = Integer.parseInt(both.group(3));
            if (other < 1 || other > 65535 || settings.isSet(PROVIDER_PORT) && other != port) {
                throw settings.invalid(PROVIDER_HOST, "a host, or host:port with the port of " + PROVIDER_PORT);
            }
            host = both.group(1) != null ? both.group(1) : both.group(2);
            port = other;
        } else if (host.isEmpty()) {
            throw settings.invalid(PROVIDER_HOST, "a host, or host:port");
        }
        String advertiseHost = settings.text("advertise.host").strip();
        return new ProviderSettings(
                settings.text("server.host"),
                settings.integer("server.port", 0, 65535),
                settings.integer("mesh.max-connections", 1, 1_000_000),
                registry(settings),
                advertiseHost.isEmpty() ? null : advertiseHost,
                settings.integer("advertise.port", 0, 65535),
                settings.integer("lb.weight", 0, 1000),
                settings.integer("lb.limit", 1, 100_000),
                settings.integer("dubbo.queue", 0, 100_000),
                services(settings),
                host,
                port,
                Serialization.valueOf(settings.choice("dubbo.serialization", "hessian2", "fastjson")
                        .toUpperCase(Locale.ROOT)),
                size(settings, "dubbo.max-payload", 1024, 1 << 30),
                millis(settings, "dubbo.heartbeat"),
                millis(settings, "dubbo.reconnect"),
                millis(settings, "dubbo.reconnect.max"),
                size(settings, "mesh.max-frame", 4096, 1 << 30),
                settings.integer("mesh.table-size", 0, 1 << 20),
                millis(settings, "mesh.heartbeat"),
                loops(settings.integer("io.threads", 0, 1024)),
                transport(settings),
                sockets(settings),
                settings.text("admin.host"),
                settings.integer("admin.port", 0, 65535));
    }

    /** {@code host:port} of the provider, for messages. */
    String provider() {
        return dubboHost.indexOf(':') >= 0 ? "[" + dubboHost + "]:" + dubboPort : dubboHost + ':' + dubboPort;
    }

    private static ServedServices services(Settings settings) {
        List<String> entries = settings.list("dubbo.services");
        if (entries.isEmpty()) {
            throw settings.invalid("dubbo.services", "interface[:version[:group]], by comma");
        }
        try {
            return ServedServices.parse(entries);
        } catch (IllegalArgumentException e) {
            throw new SettingsException("dubbo.services: " + e.getMessage());
        }
    }

    private static int loops(int threads) {
        return threads > 0
                ? threads
                : Math.min(MAX_LOOPS, Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
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

    /** What follows the scheme; the whole text where there is none. */
    private static String address(String url) {
        int scheme = url.indexOf("://");
        return scheme < 0 ? url : url.substring(scheme + 3);
    }

    private static SocketSettings sockets(Settings settings) {
        int high = size(settings, "tcp.high-water-mark", 1024, 1 << 28);
        return new SocketSettings(
                settings.flag("tcp.no-delay"),
                settings.flag("tcp.quick-ack"),
                settings.integer("tcp.backlog", 1, 1 << 20),
                size(settings, "tcp.receive-buffer", 0, 1 << 28),
                size(settings, "tcp.send-buffer", 0, 1 << 28),
                READ_SIZE,
                size(settings, "tcp.low-water-mark", 0, high),
                high,
                (int) millis(settings, "dubbo.connect-timeout"));
    }
}
