package io.dubbomesh.provider;

import io.dubbomesh.client.discovery.Exports;
import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.runtime.HostPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The served services that the provider does not export; logs when they become others, and when nothing is known of
 * some. Guarded by the lock of its owner.
 */
final class MissingServices {
    private static final Logger LOG = LoggerFactory.getLogger(MissingServices.class);

    private static final int MAX_NAMED = 50;

    private final HostPort provider;
    /** Each with what the provider answers about it. */
    private final Map<ServiceKey, String> answers = new LinkedHashMap<>();

    private String text = "";
    /** The log says of some that nothing is known of them. */
    private boolean unsaidLogged;

    MissingServices(HostPort provider) {
        this.provider = provider;
    }

    /** Returns which are missing now. Those about which nothing was said are if they were before. */
    Set<ServiceKey> update(Exports found) {
        Map<ServiceKey, String> before = Map.copyOf(answers);
        answers.keySet().retainAll(found.unsaid());
        answers.putAll(found.missing());
        if (!answers.keySet().equals(before.keySet())) {
            text = text(found);
            if (answers.isEmpty()) {
                LOG.info("provider {} exports {} now", provider, names(before.keySet()));
            } else {
                LOG.warn("{}; not registered until it does", text);
            }
        } else if (!found.listed().isEmpty()) {
            // A busy provider may have answered for the services alone before.
            text = text(found);
        }
        logUnsaid(found.unsaid());
        return Set.copyOf(answers.keySet());
    }

    /** Once until all of them have answers: a busy provider answers now for one, now for another. */
    private void logUnsaid(Set<ServiceKey> unsaid) {
        Set<ServiceKey> registered = new LinkedHashSet<>(unsaid);
        registered.removeAll(answers.keySet());
        if (!unsaidLogged && !registered.isEmpty()) {
            unsaidLogged = true;
            LOG.warn(
                    "provider {} has not answered whether it exports {} of dubbo.services; registered all the same, and asked for again",
                    provider,
                    names(registered));
        } else if (unsaid.isEmpty()) {
            unsaidLogged = false;
        }
    }

    private String text(Exports found) {
        String exports = found.listed().isEmpty()
                ? "it answers: " + answers.values().stream().distinct().collect(Collectors.joining("; "))
                : "it exports " + String.join(", ", found.listed());
        return "provider " + provider + " does not export " + names(answers.keySet()) + " of dubbo.services; "
                + exports;
    }

    private static String names(Set<ServiceKey> services) {
        String first =
                services.stream().limit(MAX_NAMED).map(ServiceKey::toString).collect(Collectors.joining(", "));
        return services.size() <= MAX_NAMED ? first : first + " and " + (services.size() - MAX_NAMED) + " more";
    }

    boolean isAny() {
        return !answers.isEmpty();
    }

    /** Returns a sentence for operators, if there are any. */
    String text() {
        return text;
    }
}
