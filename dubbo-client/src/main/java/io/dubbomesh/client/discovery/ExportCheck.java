package io.dubbomesh.client.discovery;

import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.DubboResponseReader;
import io.dubbomesh.protocol.dubbo.ResultFormat;
import io.dubbomesh.protocol.request.ExportedAs;
import io.dubbomesh.runtime.PrintableText;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Asks the provider which of the served services it exports, over a short connection. The question is a call of
 * {@code $echo}, which Dubbo answers for every service that it exports, before filters of tokens or of the application,
 * and executes nothing for it. All of them are asked about at once, so that one that hangs hides no other. What has not
 * answered in half the time is looked for in the provider's own list.
 */
final class ExportCheck {
    private static final Logger LOG = LoggerFactory.getLogger(ExportCheck.class);

    private static final String ECHO = "$echo";
    private static final String OBJECT = "Ljava/lang/Object;";
    private static final String ECHOED = "\"dubbomesh\"";
    /** Each takes a thread of the provider, of which it has 200 at the most unless it was given more. */
    private static final int MAX_UNANSWERED = 64;

    private static final String NOT_LISTED = "no answer, and it is not among what the provider lists";

    private final ProviderContact provider;
    private final Set<ServiceKey> services;
    private final ServedServices paths;
    private final long timeoutMs;
    private final DubboResponseReader answers;
    /** The services by the ids of their echoes that have no answer yet. */
    private final Map<Long, ServiceKey> asked = new HashMap<>();

    private final Map<ServiceKey, String> missing = new LinkedHashMap<>();
    private final Set<ServiceKey> unsaid;
    private ExportListing listing = ExportListing.NONE;

    /**
     * @param paths     knows the paths of the services that have one
     * @param timeoutMs for all answers together
     */
    ExportCheck(ProviderContact provider, Set<ServiceKey> services, ServedServices paths, long timeoutMs) {
        this.paths = paths;
        this.provider = provider;
        this.services = services;
        this.timeoutMs = timeoutMs;
        answers = new DubboResponseReader(DubboResponseReader.MAX_DOCUMENT, false, provider.serialization());
        unsaid = new LinkedHashSet<>(services);
    }

    /** Blocks until the provider has answered, or the time is over. To be called once. */
    Exports run() {
        long startNs = System.nanoTime();
        long timeoutNs = TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        try (DiscoveryConnection connection = provider.open(startNs + timeoutNs)) {
            askAboutEach(connection, startNs + timeoutNs / 2);
            if (!missing.isEmpty() || !unsaid.isEmpty()) {
                askForList(connection, startNs + timeoutNs);
            }
        } catch (IOException e) {
            LOG.debug("provider {}: what it exports: {}", provider, e.getMessage());
        }
        return new Exports(Collections.unmodifiableMap(missing), Collections.unmodifiableSet(unsaid), listing.names());
    }

    private void askAboutEach(DiscoveryConnection connection, long untilNs) throws IOException {
        Iterator<ServiceKey> next = services.iterator();
        while (next.hasNext() || !asked.isEmpty()) {
            while (next.hasNext() && asked.size() < MAX_UNANSWERED) {
                ServiceKey service = next.next();
                asked.put(connection.send(echo(service), new ExportedAs(path(service), null), ECHOED), service);
            }
            ByteBuf answer = connection.readAnswer(untilNs);
            if (answer == null) {
                return;
            }
            answered(answer);
        }
    }

    /** Returns null for the name of the interface. */
    private String path(ServiceKey service) {
        return paths.path(service.service(), service.version(), service.group());
    }

    private static MethodName echo(ServiceKey service) {
        return new MethodName(service.service(), ECHO, OBJECT, service.version(), service.group());
    }

    /** Asks for the list. If it is complete, nothing more is to be waited for. */
    private void askForList(DiscoveryConnection connection, long untilNs) throws IOException {
        long list = connection.send(ExportListing.REQUEST);
        boolean listed = false;
        while (!listed || !asked.isEmpty()) {
            ByteBuf answer = connection.readAnswer(untilNs);
            if (answer == null) {
                return;
            }
            if (DubboHeader.requestId(answer, 0) == list) {
                listed = true;
                useList(ExportListing.parse(answers.error(answer, 0)));
            } else {
                answered(answer);
            }
        }
    }

    private void useList(ExportListing found) {
        listing = found;
        if (!found.isComplete()) {
            return;
        }
        for (ServiceKey service : unsaid) {
            String path = path(service);
            if (!found.has(path == null ? service : new ServiceKey(path, service.version(), service.group()))) {
                missing.put(service, NOT_LISTED);
            }
        }
        unsaid.clear();
        asked.clear();
    }

    /**
     * Called with the answer to an echo. Unless it says that the service is not found or the provider is busy, or
     * cannot be read, the provider exports the service.
     */
    private void answered(ByteBuf answer) {
        ServiceKey service = asked.remove(DubboHeader.requestId(answer, 0));
        if (service == null) {
            return;
        }
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
