package io.dubbomesh.provider;

import io.dubbomesh.client.discovery.Exports;
import io.dubbomesh.registry.RegistrationRequest;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.runtime.Backoff;
import io.dubbomesh.runtime.Count;
import io.dubbomesh.runtime.HostPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * All services that the provider exports ({@code dubbo.services=auto}). It is asked every now and then, since services
 * may come and go.
 */
final class ExportedServices implements OfferedServices {
    private static final Logger LOG = LoggerFactory.getLogger(ExportedServices.class);

    private static final long FIRST_PAUSE_MS = 1_000;
    private static final int MAX_NAMED = 50;

    private final HostPort provider;
    private final long intervalMs;
    /** The pauses between questions while nothing is known. */
    private final Backoff pauses;
    /** Null until the provider has listed them. */
    private Map<String, List<Variant>> known;

    private Set<String> names = Set.of();
    private String source = "";
    /** The interfaces that are exported and not to be registered. */
    private Set<String> leftOut = Set.of();

    private boolean isAnswered = true;
    private boolean silenceLogged;

    ExportedServices(HostPort provider, long intervalMs) {
        this.provider = provider;
        this.intervalMs = intervalMs;
        pauses = new Backoff(Math.min(FIRST_PAUSE_MS, intervalMs), intervalMs);
    }

    @Override
    public Map<String, List<Variant>> update(Exports found) {
        isAnswered = found.all() != null;
        if (isAnswered) {
            silenceLogged = false;
            learn(found);
        } else if (!silenceLogged) {
            silenceLogged = true;
            LOG.warn(
                    "provider {} does not list what it exports, as dubbo.services=auto needs; {}",
                    provider,
                    consequence());
        }
        return known;
    }

    private String unlistedMessage() {
        return "provider " + provider + " does not list what it exports, as dubbo.services=auto needs; "
                + consequence();
    }

    private String consequence() {
        return known == null
                ? "nothing is registered until it does: name the services in dubbo.services"
                : "what is registered stays";
    }

    private void learn(Exports found) {
        Set<String> now = new TreeSet<>();
        found.all().forEach(service -> now.add(service.toString()));
        if (known == null) {
            LOG.info(
                    "provider {} exports {}, {}: {}",
                    provider,
                    Count.of(now.size(), "service"),
                    found.source(),
                    text(now));
        } else if (!now.equals(names)) {
            Set<String> begun = without(now, names);
            Set<String> ended = without(names, now);
            LOG.info(
                    "provider {} exports {} now; new: {}; not exported any more: {}",
                    provider,
                    Count.of(now.size(), "service"),
                    text(begun),
                    text(ended));
        }
        if (known != null && !source.equals(found.source())) {
            LOG.info("provider {}: its services are known now {}", provider, found.source());
        }
        source = found.source();
        names = now;
        known = registrable(found.variants());
    }

    /** Returns the services without those that no registry takes: its threads fail with them. */
    private Map<String, List<Variant>> registrable(Map<String, List<Variant>> exported) {
        Map<String, List<Variant>> good = new TreeMap<>();
        Map<String, String> bad = new TreeMap<>();
        exported.forEach((service, variants) -> {
            try {
                RegistrationRequest.checkService(service, variants);
                good.put(service, variants);
            } catch (IllegalArgumentException e) {
                bad.put(service, service + ": " + e.getMessage());
            }
        });
        if (!leftOut.containsAll(bad.keySet())) {
            LOG.warn(
                    "provider {} exports services that cannot be registered and are left out: {}",
                    provider,
                    text(new TreeSet<>(bad.values())));
        }
        leftOut = Set.copyOf(bad.keySet());
        return good;
    }

    private static Set<String> without(Set<String> from, Set<String> removed) {
        Set<String> left = new TreeSet<>(from);
        left.removeAll(removed);
        return left;
    }

    private static String text(Set<String> services) {
        if (services.isEmpty()) {
            return "none";
        }
        String first = String.join(", ", services.stream().limit(MAX_NAMED).toList());
        return services.size() <= MAX_NAMED ? first : first + " and " + (services.size() - MAX_NAMED) + " more";
    }

    @Override
    public long nextQuestionMs() {
        if (isAnswered) {
            pauses.reset();
            return intervalMs;
        }
        return pauses.nextMs();
    }

    @Override
    public void providerIsBack() {
        pauses.reset();
    }

    @Override
    public String source() {
        return source;
    }

    @Override
    public String problem() {
        if (!isAnswered) {
            return unlistedMessage();
        }
        if (!leftOut.isEmpty()) {
            return "provider " + provider + " exports services that cannot be registered: "
                    + text(new TreeSet<>(leftOut));
        }
        return known != null && known.isEmpty() ? "provider " + provider + " exports no service" : "";
    }
}
