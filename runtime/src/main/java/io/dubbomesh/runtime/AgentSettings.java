package io.dubbomesh.runtime;

import io.dubbomesh.transport.socket.SocketSettings;
import io.dubbomesh.transport.socket.Transport;
import io.dubbomesh.transport.tls.TlsSettings;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Reads the settings that both agents have; each agent's reference.conf says what they mean. */
public final class AgentSettings {
    private static final int MAX_LOOPS = 8;
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofHours(24);

    private AgentSettings() {}

    /** {@code registry}; {@code etcd.url} is another way to write one that is etcd. */
    public static String registry(Settings settings) {
        String registry = settings.text("registry");
        String etcdUrl = settings.text("etcd.url");
        if (etcdUrl.isEmpty()) {
            return registry;
        }
        if (settings.isSet("registry") && !withoutScheme(registry).equals(withoutScheme(etcdUrl))) {
            throw settings.invalid("etcd.url", "the same as registry, which is " + registry + ", or one of them alone");
        }
        return etcdUrl;
    }

    private static String withoutScheme(String url) {
        int scheme = url.indexOf("://");
        return scheme < 0 ? url : url.substring(scheme + 3);
    }

    /** A port to listen on; 0, which messages keep to themselves, is any free one. */
    public static int port(Settings settings, String key) {
        return settings.text(key).strip().equals("0") ? 0 : settings.integer(key, 1, 65535);
    }

    /** {@code io.threads}; where it is 0, half of the processors, from 1 to 8. */
    public static int eventLoops(Settings settings) {
        int threads = settings.integer("io.threads", 0, 1024);
        return threads > 0
                ? threads
                : Math.min(MAX_LOOPS, Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
    }

    /** {@code io.transport}. */
    public static Transport transport(Settings settings) {
        try {
            return Transport.of(settings.text("io.transport"));
        } catch (IllegalArgumentException e) {
            throw new SettingsException("io.transport: " + e.getMessage());
        }
    }

    /**
     * {@code tcp.*}, for one kind of connection.
     *
     * @param readSize         bytes that one read takes at most
     * @param waterMarks       how many times the water marks that are set: for connections that carry the traffic of many others
     * @param connectTimeoutMs of outbound connections
     */
    public static SocketSettings sockets(Settings settings, int readSize, int waterMarks, long connectTimeoutMs) {
        int high = size(settings, "tcp.high-water-mark", 1024, 1 << 26);
        int low = size(settings, "tcp.low-water-mark", 0, high);
        return new SocketSettings(
                settings.flag("tcp.no-delay"),
                settings.flag("tcp.quick-ack"),
                settings.flag("tcp.reuse-address"),
                settings.integer("tcp.backlog", 1, 1 << 20),
                size(settings, "tcp.receive-buffer", 0, 1 << 28),
                size(settings, "tcp.send-buffer", 0, 1 << 28),
                readSize,
                low * waterMarks,
                high * waterMarks,
                (int) connectTimeoutMs);
    }

    /** {@code mesh.tls.*}; null for plain TCP. */
    public static TlsSettings tls(Settings settings) {
        List<String> keys = List.of("mesh.tls.cert", "mesh.tls.key", "mesh.tls.ca");
        List<Path> paths =
                keys.stream().map(settings::path).filter(Objects::nonNull).toList();
        if (paths.isEmpty()) {
            return null;
        }
        for (String key : keys) {
            if (settings.path(key) == null) {
                throw settings.invalid(key, "a file, since others of " + String.join(", ", keys) + " are set");
            }
        }
        return new TlsSettings(
                paths.get(0),
                paths.get(1),
                paths.get(2),
                settings.list("mesh.tls.peer-names"),
                millis(settings, "mesh.tls.handshake-timeout"));
    }

    /** Bytes, as an int. */
    public static int size(Settings settings, String key, int min, int max) {
        return (int) settings.size(key, min, max);
    }

    /** A duration of at least a millisecond and at most a day. */
    public static long millis(Settings settings, String key) {
        return settings.duration(key, SHORTEST, LONGEST).toMillis();
    }

    /** Likewise. */
    public static long nanos(Settings settings, String key) {
        return settings.duration(key, SHORTEST, LONGEST).toNanos();
    }
}
