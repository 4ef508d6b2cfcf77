package io.dubbomesh.registry.dubbo;

import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Variant;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/**
 * A change to what providers registered, as an operator writes it into the registry:
 * {@code override://192.0.2.7:20880/com.example.Greeter?category=configurators&enabled=true&weight=50}. Weight,
 * {@code disabled}, {@code enabled} and time-outs are obeyed; the rest concerns Dubbo's own consumers.
 */
final class DubboOverride {
    /**
     * The order of overrides: those for one host come after those for all, so that they win; then by their own
     * priority.
     */
    static final Comparator<DubboOverride> ORDER = Comparator.comparing(
                    (DubboOverride override) -> !override.isForEveryHost())
            .thenComparingLong(override -> override.priority)
            .thenComparing(override -> override.url.host())
            .thenComparing(override -> override.url.parameters().toString());

    private static final String EVERY_HOST = "0.0.0.0";

    private final DubboUrl url;
    private final Variant variant;
    private final long priority;
    /** Whether it changes only what the provider did not set. */
    private final boolean ifAbsent;

    private final long weight;

    private DubboOverride(DubboUrl url) {
        this.url = url;
        this.variant = new Variant(url.parameter("version"), url.parameter("group"));
        this.priority = url.number("priority", 0);
        this.ifAbsent = url.protocol().equals("absent");
        this.weight = url.number("weight", -1);
    }

    /**
     * Reads an entry below {@code configurators}.
     *
     * @return null if it is not in force, or not for the agents
     * @throws IllegalArgumentException naming what is wrong with it
     */
    static DubboOverride of(DubboUrl url) {
        boolean override = url.protocol().equals("override") || url.protocol().equals("absent");
        // With a host, one for consumers means that consumer.
        boolean others = url.parameter("side").equals("consumer") && !url.host().equals(EVERY_HOST);
        if (!override || others || !url.flag("enabled", true)) {
            return null;
        }
        return new DubboOverride(url);
    }

    private boolean isForEveryHost() {
        return url.host().equals(EVERY_HOST);
    }

    private boolean appliesTo(DubboProvider provider) {
        String application = url.parameter("application");
        return (isForEveryHost() || url.host().equals(provider.address().host()))
                && (url.port() == 0 || url.port() == provider.address().port())
                && provider.export().variant().isAskedForBy(variant.version(), variant.group())
                && (application.isEmpty()
                        || application.equals(Variant.ANY)
                        || application.equals(provider.export().application()));
    }

    /** Returns the provider as it is with this override; the same object if nothing changes. */
    DubboProvider applied(DubboProvider provider) {
        if (!appliesTo(provider)) {
            return provider;
        }
        int changedWeight = provider.weight();
        if (weight >= 0 && !(ifAbsent && provider.export().parameters().containsKey("weight"))) {
            changedWeight = (int) Math.min(Endpoint.MAX_WEIGHT, weight);
        }
        boolean enabled = provider.enabled();
        if (!url.parameter("disabled").isEmpty()) {
            enabled = !url.flag("disabled", false);
        }
        Map<String, String> timeouts = new HashMap<>(url.parameters());
        timeouts.keySet()
                .removeIf(name -> !DubboExport.isTimeout(name)
                        || ifAbsent && provider.export().parameters().containsKey(name));
        return provider.with(changedWeight, enabled, timeouts);
    }
}
