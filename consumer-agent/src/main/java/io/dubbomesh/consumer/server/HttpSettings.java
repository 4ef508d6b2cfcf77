package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.http.AllowedOrigins;
import io.dubbomesh.consumer.http.HttpLimits;
import io.dubbomesh.runtime.settings.Settings;

import java.net.URI;

/**
 * The limits of HTTP clients; reference.conf says what each setting means.
 *
 * @param fittingConnections the number of them that the heap has room for
 * @param maxConnections of the whole agent
 * @param origins        of the pages that may call from a browser; null where pages are not told from other clients
 * @param errorsPage     a URI
 */
public record HttpSettings(
        HttpLimits limits,
        int maxConnections,
        int fittingConnections,
        int maxPipelined,
        Timeouts timeouts,
        AllowedOrigins origins,
        String errorsPage) {
    private static final int MOST_BY_DEFAULT = 16_384;
    private static final int LEAST_BY_DEFAULT = 64;

    /** Bytes of the heap that an agent takes without clients. */
    private static final long HEAP_OF_AGENT = 8 << 20;
    /** Bytes of the heap for each client: what an idle one takes, and for TLS what its handshake leaves. */
    private static final long HEAP_OF_CLIENT = 1_700;

    private static final long HEAP_OF_TLS_CLIENT = 9_000;

    /**
     * @param minBodyRate bytes a second
     * @param minReadRate bytes a second
     * @param roomNs      for a large request that waits for room in the memory budget
     * @param heartbeatNs without a message of a stream, after which its client gets a sign
     */
    public record Timeouts(
            long headNs,
            long bodyNs,
            int minBodyRate,
            long idleNs,
            long writeNs,
            int minReadRate,
            long roomNs,
            long heartbeatNs) {}

    /** @param https whether clients use TLS */
    public static HttpSettings from(Settings settings, boolean https) {
        int maxConnections = settings.integer("http.max-connections", 0, 10_000_000);
        int fitting = fittingConnections(Runtime.getRuntime().maxMemory(), https);
        return new HttpSettings(
                new HttpLimits(
                        settings.size("http.max-request-line", 64, 1 << 20),
                        settings.size("http.max-head", 256, 1 << 20),
                        settings.integer("http.max-headers", 1, 10_000),
                        settings.size("http.max-body", 0, 1 << 28)),
                maxConnections > 0 ? maxConnections : Math.min(fitting, MOST_BY_DEFAULT),
                fitting,
                settings.integer("http.max-pipelined", 1, 100_000),
                new Timeouts(
                        settings.nanos("http.head-timeout"),
                        settings.nanos("http.body-timeout"),
                        settings.size("http.min-body-rate", 1, 1 << 30),
                        settings.nanos("http.idle-timeout"),
                        settings.nanos("http.write-timeout"),
                        settings.size("http.min-read-rate", 0, 1 << 30),
                        settings.nanos("memory.wait"),
                        settings.nanos("http.stream-heartbeat")),
                settings.parse("http.cors.origins", AllowedOrigins::parse, null),
                errorsPage(settings));
    }

    /** Returns the same, with requests refused that come from a page which may not call. */
    public HttpSettings withoutOtherPages() {
        return new HttpSettings(
                limits,
                maxConnections,
                fittingConnections,
                maxPipelined,
                timeouts,
                AllowedOrigins.alone(origins),
                errorsPage);
    }

    /** Returns the number of clients that the old generation, two thirds of the heap, has room for. */
    static int fittingConnections(long heapBytes, boolean https) {
        long clients = (heapBytes / 3 * 2 - HEAP_OF_AGENT) / (https ? HEAP_OF_TLS_CLIENT : HEAP_OF_CLIENT);
        return (int) Math.max(LEAST_BY_DEFAULT, Math.min(clients, Integer.MAX_VALUE));
    }

    private static String errorsPage(Settings settings) {
        return settings.parse(
                "http.errors-page",
                text -> {
                    URI page = URI.create(text.strip());
                    if (text.isBlank() || page.getRawFragment() != null) {
                        throw new IllegalArgumentException(text + " (expected: a URI without a fragment)");
                    }
                    return page.toASCIIString();
                },
                "docs/errors.md");
    }
}
