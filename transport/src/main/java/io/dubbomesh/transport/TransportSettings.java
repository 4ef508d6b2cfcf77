package io.dubbomesh.transport;

import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.transport.socket.SocketSettings;
import io.dubbomesh.transport.socket.Transport;
import io.dubbomesh.transport.tls.TlsSettings;
import io.netty.util.internal.PlatformDependent;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Reads the settings {@code io.*}, {@code tcp.*}, {@code memory.budget} and {@code mesh.tls.*}; each agent's reference.conf says what they mean. */
public final class TransportSettings {
    private static final int MAX_LOOPS = 8;
    /**
     * So much of the JVM's limit of direct memory: a pool of buffers of many sizes may need twice the bytes that are in use, and what
     * passes through without waiting is not counted.
     */
    private static final int BUDGET_PART = 6;

    private static final List<String> TLS_FILES = List.of("mesh.tls.cert", "mesh.tls.key", "mesh.tls.ca");

    private TransportSettings() {}

    /** {@code io.threads}; where it is 0, half of the processors, from 1 to 8. */
    public static int eventLoops(Settings settings) {
        int threads = settings.integer("io.threads", 0, 1024);
        return threads > 0
                ? threads
                : Math.min(MAX_LOOPS, Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
    }

    /** {@code io.transport}. */
    public static Transport transport(Settings settings) {
        return settings.parse("io.transport", Transport::of, Transport.NIO);
    }

    /** {@code memory.budget} in bytes; where it is 0, a sixth of the limit of direct memory. */
    public static long memoryBudget(Settings settings) {
        long budget = settings.size("memory.budget", 0L, Long.MAX_VALUE);
        return budget > 0 ? budget : PlatformDependent.maxDirectMemory() / BUDGET_PART;
    }

    /**
     * {@code tcp.*}, for one kind of connection.
     *
     * @param readSize         bytes that one read takes at most
     * @param waterMarks       how many times the water marks that are set: for connections that carry the traffic of many others
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

    /** {@code mesh.tls.*}; null for plain TCP. */
    public static TlsSettings tls(Settings settings) {
        List<Path> paths = TLS_FILES.stream().map(settings::path).toList();
        if (paths.stream().allMatch(Objects::isNull)) {
            return null;
        }
        for (int i = 0; i < paths.size(); i++) {
            Path path = paths.get(i);
            if (path == null) {
                settings.reject(
                        TLS_FILES.get(i), "a file, since others of " + String.join(", ", TLS_FILES) + " are set");
            } else if (!Files.isReadable(path)) {
                settings.reject(TLS_FILES.get(i), "a readable file");
            }
        }
        return new TlsSettings(
                paths.get(0),
                paths.get(1),
                paths.get(2),
                settings.list("mesh.tls.peer-names"),
                settings.millis("mesh.tls.handshake-timeout"));
    }
}
