package io.dubbomesh.client.discovery;

import io.dubbomesh.client.grpc.BlockingGrpcConnection;
import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.runtime.PrintableText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.URLDecoder;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Asks a provider by Triple which of the served services it exports, over a short connection. The question is a call of
 * a method that no service has: Dubbo 3.0 to 3.3 refuse it before anything is executed, and say so in another way than
 * of a service that they do not export. {@code $echo} would do from 3.2 on only.
 */
final class TripleExportCheck {
    private static final Logger LOG = LoggerFactory.getLogger(TripleExportCheck.class);

    private static final String NO_METHOD = "/$dubboMeshExportCheck";
    private static final String CONTENT_TYPE = "application/grpc+proto";
    /** Dubbo 3.0 to 3.2, in {@code grpc-message} with the status UNIMPLEMENTED. */
    private static final String NOT_FOUND = "Service not found";
    /** Dubbo 3.3, which answers no other question of this check with it. */
    private static final String HTTP_NOT_FOUND = "HTTP status 404";

    private final ProviderContact provider;
    private final Set<ServiceKey> services;
    private final ServedServices paths;
    private final long timeoutMs;

    /**
     * @param paths     knows the paths of the services that have one
     * @param timeoutMs for all answers together
     */
    TripleExportCheck(ProviderContact provider, Set<ServiceKey> services, ServedServices paths, long timeoutMs) {
        this.provider = provider;
        this.services = services;
        this.paths = paths;
        this.timeoutMs = timeoutMs;
    }

    /** Blocks until the provider has answered, or the time is over. */
    Exports run() {
        Map<ServiceKey, String> missing = new LinkedHashMap<>();
        Set<ServiceKey> unsaid = new LinkedHashSet<>(services);
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        try (BlockingGrpcConnection connection = provider.openTriple(deadlineNs)) {
            for (ServiceKey service : services) {
                String refusal = ask(connection, service);
                unsaid.remove(service);
                if (isNotFound(refusal)) {
                    missing.put(service, PrintableText.brief(refusal));
                }
            }
        } catch (IOException e) {
            LOG.debug("provider {}: what it exports by Triple: {}", provider, e.getMessage());
        }
        return new Exports(Collections.unmodifiableMap(missing), Collections.unmodifiableSet(unsaid), List.of());
    }

    /** Returns what the provider refuses the call with; empty if it does not. */
    private String ask(BlockingGrpcConnection connection, ServiceKey service) throws IOException {
        try {
            connection.call('/' + path(paths, service) + NO_METHOD, CONTENT_TYPE, fields(service), new byte[0]);
            return "";
        } catch (BlockingGrpcConnection.StatusException e) {
            return decoded(e.getMessage());
        }
    }

    static String path(ServedServices paths, ServiceKey service) {
        String path = paths.path(service.service(), service.version(), service.group());
        return path == null ? service.service() : path;
    }

    /** Returns the header fields that name a version and group. */
    static Map<String, String> fields(ServiceKey service) {
        Map<String, String> fields = new LinkedHashMap<>();
        if (!service.version().isEmpty()) {
            fields.put("tri-service-version", service.version());
        }
        if (!service.group().isEmpty()) {
            fields.put("tri-service-group", service.group());
        }
        return fields;
    }

    /** Dubbo encodes the message by percent signs up to 3.2. */
    private static String decoded(String message) {
        try {
            return URLDecoder.decode(message.replace("+", "%2B"), UTF_8);
        } catch (IllegalArgumentException e) {
            return message;
        }
    }

    private static boolean isNotFound(String refusal) {
        return refusal.contains(NOT_FOUND) || refusal.startsWith(HTTP_NOT_FOUND);
    }
}
