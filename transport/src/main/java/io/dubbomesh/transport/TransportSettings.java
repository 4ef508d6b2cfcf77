package io.dubbomesh.transport;

import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.transport.socket.SocketSettings;
import io.dubbomesh.transport.socket.Transport;
import io.dubbomesh.transport.tls.TlsSettings;
import io.netty.handler.ssl.ClientAuth;
import io.netty.util.internal.PlatformDependent;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Reads the settings {@code io.*}, {@code tcp.*}, {@code memory.budget}, {@code mesh.tls.*}, {@code http.tls.*} and
 * {@code dubbo.tls.*}; each agent's reference.conf says what they mean.
 */
public final class TransportSettings {
    private static final int MAX_LOOPS = 8;
    /**
     * The part of the JVM's limit of direct memory: a pool of buffers of many sizes may need twice the bytes that are
     * in use, and what passes through without waiting is not counted.
     */
    private static final int BUDGET_PART = 6;

    private TransportSettings() {}

    /** Returns {@code io.threads}; where it is 0, half of the processors, from 1 to 8. */
    public static int eventLoops(Settings settings) {
        int threads = settings.integer("io.threads", 0, 1024);
        return threads > 0
                ? threads
                : Math.min(MAX_LOOPS, Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
    }

    /** Returns {@code io.transport}. */
    public static Transport transport(Settings settings) {
        return settings.parse("io.transport", Transport::of, Transport.NIO);
    }

    /** Returns {@code memory.budget} in bytes; where it is 0, a sixth of the limit of direct memory. */
    public static long memoryBudget(Settings settings) {
        long budget = settings.size("memory.budget", 0L, Long.MAX_VALUE);
        return budget > 0 ? budget : PlatformDependent.maxDirectMemory() / BUDGET_PART;
    }

    /**
     * Returns {@code tcp.*}, for one kind of connection.
     *
     * @param readSize         bytes that one read takes at most
     * @param waterMarks how many times the water marks that are set: for connections that carry the traffic of many
     *     others
     * @param connectTimeoutMs of outbound connections
     */
    public static SocketSettings sockets(Settings settings, int readSize, int waterMarks, long connectTimeoutMs) {
        int high = settings.size("tcp.high-water-mark", 1024, 1 << 26);
        int low = settings.size("tcp.low-water-mark", 0, high);
        return new SocketSettings(
                settings.flag("tcp.no-delay"),
                settings.flag("tcp.quick-ack"),
                settings.flag("tcp.reuse-address"),
                settings.integer("tcp.backlog", 1, 1 << 20),
                settings.size("tcp.receive-buffer", 0, 1 << 28),
                settings.size("tcp.send-buffer", 0, 1 << 28),
                readSize,
                low * waterMarks,
                high * waterMarks,
                (int) connectTimeoutMs,
                (int) settings.millis("tcp.user-timeout"));
    }

    /** Returns {@code mesh.tls.*}; null for plain TCP. */
    public static TlsSettings tls(Settings settings) {
        List<Path> files = tlsFiles(settings, List.of("mesh.tls.cert", "mesh.tls.key", "mesh.tls.ca"));
        if (files == null && !settings.list("mesh.tls.peer-names").isEmpty()) {
            // Who names peers does not mean links that every host can open and read.
            settings.reject("mesh.tls.peer-names", "nothing, or mesh.tls.cert, mesh.tls.key and mesh.tls.ca beside it");
        }
        return files == null
                ? null
                : TlsSettings.ofLinks(
                        files.get(0),
                        files.get(1),
                        files.get(2),
                        settings.list("mesh.tls.peer-names"),
                        settings.millis("mesh.tls.handshake-timeout"));
    }

    /** Returns {@code http.tls.*}; null for plain HTTP. */
    public static TlsSettings https(Settings settings) {
        ClientAuth demand = settings.parse("http.tls.client-auth", TransportSettings::clientAuth, ClientAuth.NONE);
        List<String> needed = new ArrayList<>(List.of("http.tls.cert", "http.tls.key"));
        if (demand != ClientAuth.NONE) {
            needed.add("http.tls.client-ca");
        } else if (settings.path("http.tls.client-ca") != null) {
            settings.reject("http.tls.client-auth", "optional or required, since http.tls.client-ca is set");
        }
        List<Path> files = tlsFiles(settings, needed);
        if (files == null) {
            if (demand != ClientAuth.NONE) {
                settings.reject("http.tls.client-auth", "none, since http.tls.cert and http.tls.key are not set");
            }
            return null;
        }
        return TlsSettings.ofHttp(
                files.get(0),
                files.get(1),
                demand,
                demand == ClientAuth.NONE ? null : files.get(2),
                settings.millis("http.tls.handshake-timeout"));
    }

    /** Returns {@code dubbo.tls.*} without its mode. */
    public static TlsSettings providers(Settings settings) {
        List<Path> own = tlsFiles(settings, List.of("dubbo.tls.cert", "dubbo.tls.key"));
        List<Path> authorities = tlsFiles(settings, List.of("dubbo.tls.ca"));
        return TlsSettings.ofProviders(
                own == null ? null : own.get(0),
                own == null ? null : own.get(1),
                authorities == null ? null : authorities.get(0),
                settings.list("dubbo.tls.peer-names"),
                settings.millis("dubbo.tls.handshake-timeout"));
    }

    private static ClientAuth clientAuth(String text) {
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "none" -> ClientAuth.NONE;
            case "optional" -> ClientAuth.OPTIONAL;
            case "required" -> ClientAuth.REQUIRE;
            default -> throw new IllegalArgumentException(text + " (expected: none, optional, required)");
        };
    }

    /** Returns null if none of them is set. */
    private static List<Path> tlsFiles(Settings settings, List<String> keys) {
        List<Path> paths = new ArrayList<>();
        keys.forEach(key -> paths.add(settings.path(key)));
        if (paths.stream().allMatch(Objects::isNull)) {
            return null;
        }
        for (int i = 0; i < keys.size(); i++) {
            if (paths.get(i) == null) {
                settings.reject(keys.get(i), "a file, since others of " + String.join(", ", keys) + " are set");
            } else if (!Files.isReadable(paths.get(i))) {
                settings.reject(keys.get(i), "a readable file");
            }
        }
        return paths;
    }
}
