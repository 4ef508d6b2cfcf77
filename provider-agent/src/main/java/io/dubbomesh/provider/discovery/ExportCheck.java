package io.dubbomesh.provider.discovery;

import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.DubboResponseReader;
import io.dubbomesh.protocol.dubbo.ResultFormat;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.PrintableText;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Asks the provider which of the served services it exports, over a short connection. The question is a call of {@code $echo}, which Dubbo
 * answers for every service that it exports, before filters of tokens or of the application, and executes nothing for it.
 */
final class ExportCheck {
    private static final Logger LOG = LoggerFactory.getLogger(ExportCheck.class);

    private static final String ECHO = "$echo";
    private static final String OBJECT = "Ljava/lang/Object;";
    private static final String ECHOED = "\"dubbomesh\"";

    private final HostPort provider;
    private final Serialization serialization;
    private final Set<ServiceKey> services;
    private final long timeoutMs;
    private final DubboResponseReader answers;
    private final Map<ServiceKey, String> missing = new LinkedHashMap<>();
    private final Set<ServiceKey> unsaid;

    /** @param timeoutMs for all answers together */
    ExportCheck(HostPort provider, Serialization serialization, Set<ServiceKey> services, long timeoutMs) {
        this.provider = provider;
        this.serialization = serialization;
        this.services = services;
        this.timeoutMs = timeoutMs;
        answers = new DubboResponseReader(DubboResponseReader.MAX_DOCUMENT, false, serialization);
        unsaid = new LinkedHashSet<>(services);
    }

    /** Blocks until the provider has answered, or the time is over. To be called once. */
    Exports run() {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        List<String> listed = List.of();
        try (DiscoveryConnection connection =
                new DiscoveryConnection(provider.host(), provider.port(), serialization, deadlineNs)) {
            for (ServiceKey service : services) {
                judge(service, connection.call(echo(service, OBJECT), ECHOED));
            }
            if (!missing.isEmpty()) {
                listed = ExportListing.parse(answers.error(connection.call(ExportListing.REQUEST), 0));
            }
        } catch (IOException e) {
            LOG.debug("provider {}: what it exports: {}", provider, e.getMessage());
        }
        return new Exports(Collections.unmodifiableMap(missing), Collections.unmodifiableSet(unsaid), listed);
    }

    private static MethodName echo(ServiceKey service, String descriptor) {
        return new MethodName(service.service(), ECHO, descriptor, service.version(), service.group());
    }

    /** What is neither a service that is not found, nor a busy provider, nor an answer that cannot be read, is one of the service. */
    private void judge(ServiceKey service, ByteBuf answer) {
        Outcome outcome = answers.read(answer, 0, ResultFormat.of(true, false, false), Unpooled.buffer());
        if (outcome == Outcome.OVERLOADED) {
            return;
        }
        unsaid.remove(service);
        if (outcome == Outcome.SERVICE_NOT_FOUND
                || outcome == Outcome.METHOD_NOT_FOUND
                || answers.refusesSerialization(answer, 0)) {
            missing.put(service, PrintableText.brief(answers.failure(answer, 0)));
        }
    }
}
