package io.dubbomesh.registry.dubbo;

import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.dubbo.rule.AddressPattern;
import io.dubbomesh.registry.dubbo.rule.ParameterMatch;
import io.dubbomesh.registry.dubbo.rule.RoutedProvider;
import io.dubbomesh.registry.dubbo.rule.RuleDocument;
import io.dubbomesh.registry.dubbo.rule.TextPattern;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.PrintableText;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * A change to what providers registered, as an operator writes it since Dubbo 2.7: an item of {@code configs} in the
 * YAML under {@code {interface}:{version}:{group}.configurators} or {@code {application}.configurators}. Weight,
 * {@code disabled} and time-outs are obeyed.
 */
final class ConfiguredOverride {
    private static final String EVERY_HOST = "0.0.0.0";
    private static final String CONSUMER = "consumer";
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

    private final List<Predicate<RoutedProvider>> conditions = new ArrayList<>();
    /** Negative for none. */
    private int weight = -1;
    /** Null for none. */
    private Boolean disabled;

    private Map<String, String> timeouts = Map.of();

    private ConfiguredOverride() {}

    /**
     * The overrides of a text.
     *
     * @param ignored why items are not obeyed that change a weight, {@code disabled} or a time-out
     */
    record Parsed(List<ConfiguredOverride> overrides, List<String> ignored) {}

    /**
     * @param of the application whose providers are meant; null where the key names a service
     * @throws IllegalArgumentException naming what is wrong with it
     */
    static Parsed parse(String text, String of) {
        List<ConfiguredOverride> overrides = new ArrayList<>();
        List<String> ignored = new ArrayList<>();
        RuleDocument rule = RuleDocument.parse(text);
        for (RuleDocument item : rule.parts("configs")) {
            ConfiguredOverride override = new ConfiguredOverride();
            override.readParameters(item.part("parameters"));
            boolean general = item.text("type").isEmpty() || item.text("type").equals("general");
            boolean enabled = general ? rule.flag("enabled", true) : item.flag("enabled", false);
            if (!enabled || override.weight < 0 && override.disabled == null && override.timeouts.isEmpty()) {
                continue;
            }
            String reason =
                    override.readConditions(item, of, rule.text("configVersion").startsWith("v3.0"));
            if (reason == null) {
                overrides.add(override);
            } else {
                ignored.add(reason);
            }
        }
        return new Parsed(List.copyOf(overrides), List.copyOf(ignored));
    }

    private void readParameters(RuleDocument parameters) {
        Map<String, String> scalars = parameters == null ? Map.of() : parameters.scalars();
        String changed = scalars.get("weight");
        if (changed != null && !NUMBER.matcher(changed).matches()) {
            throw new IllegalArgumentException("weight: " + PrintableText.brief(changed) + " (expected: a number)");
        }
        weight = changed == null ? -1 : Math.min(Endpoint.MAX_WEIGHT, Integer.parseInt(changed));
        timeouts = new HashMap<>(scalars);
        timeouts.keySet().removeIf(name -> !DubboExport.isTimeout(name));
        disabled = scalars.containsKey("disabled") ? Boolean.valueOf(scalars.get("disabled")) : null;
    }

    /** Returns why it is not obeyed; null if it is. */
    private String readConditions(RuleDocument item, String application, boolean matches) {
        String side = item.text("side");
        List<String> addresses = item.texts("addresses");
        List<String> applications = item.texts("applications");
        if (side.isEmpty()) {
            return "an item without a side, which nobody obeys (expected: side: provider, or consumer)";
        }
        if (side.equals(CONSUMER)) {
            if (application != null || !applications.isEmpty() && !applications.contains(Variant.ANY)) {
                return "an item for the consumers of one application";
            }
            if (!addresses.isEmpty() && !addresses.contains(EVERY_HOST)) {
                return "an item for the consumers at some addresses";
            }
        } else {
            if (!addresses.isEmpty()) {
                conditions.add(provider -> isAnyOf(addresses, provider.address()));
            }
            if (application != null) {
                applications = List.of(application);
            }
            if (!applications.isEmpty() && !applications.contains(Variant.ANY)) {
                List<String> named = applications;
                conditions.add(provider -> named.contains(provider.value("application")));
            }
        }
        List<String> providers = item.texts("providerAddresses");
        if (!providers.isEmpty()) {
            conditions.add(provider -> isAnyOf(providers, provider.address()));
        }
        List<String> services = item.texts("services");
        if (application != null && !services.isEmpty() && !services.contains(Variant.ANY)) {
            conditions.add(provider -> services.contains(serviceKey(provider)));
        }
        RuleDocument match = matches ? item.part("match") : null;
        return match == null ? null : readMatch(match, side);
    }

    private String readMatch(RuleDocument match, String side) {
        RuleDocument address = match.part("address");
        if (address != null && side.equals(CONSUMER)) {
            return "an item for the consumers at some addresses";
        }
        addAddress(address);
        addAddress(match.part("providerAddress"));
        addOneOf(match.part("service"), ConfiguredOverride::serviceKey);
        addOneOf(match.part("app"), provider -> provider.value("application"));
        List<ParameterMatch> parameters = ParameterMatch.listOf(match.parts("param"));
        if (!parameters.isEmpty()) {
            conditions.add(provider -> parameters.stream().allMatch(each -> each.matches(provider)));
        }
        return null;
    }

    private void addAddress(RuleDocument pattern) {
        if (pattern == null) {
            return;
        }
        // Dubbo writes it so.
        List<String> patterns = List.of(pattern.text("cird"), pattern.text("wildcard"), pattern.text("exact"));
        conditions.add(provider -> isAnyOf(patterns, provider.address()));
    }

    private void addOneOf(RuleDocument list, Function<RoutedProvider, String> value) {
        if (list != null) {
            List<TextPattern> patterns =
                    list.parts("oneof").stream().map(TextPattern::of).toList();
            conditions.add(provider -> patterns.stream().anyMatch(pattern -> pattern.matches(value.apply(provider))));
        }
    }

    private static boolean isAnyOf(List<String> addresses, HostPort provider) {
        for (String address : addresses) {
            if (!address.isEmpty()
                    && (address.equals(EVERY_HOST)
                            || address.equals(EVERY_HOST + ":*")
                            || AddressPattern.matches(address, provider))) {
                return true;
            }
        }
        return false;
    }

    /** Returns the key as Dubbo writes it: {@code group/interface:version}. */
    private static String serviceKey(RoutedProvider provider) {
        Variant variant = provider.export().variant();
        return (variant.group().isEmpty() ? "" : variant.group() + '/')
                + provider.service()
                + (variant.version().isEmpty() ? "" : ':' + variant.version());
    }

    /** Returns the provider as it is with this override; the same object if nothing changes. */
    DubboProvider applied(String service, DubboProvider provider) {
        RoutedProvider seen = new RoutedProvider(service, provider.address(), provider.export());
        for (Predicate<RoutedProvider> condition : conditions) {
            if (!condition.test(seen)) {
                return provider;
            }
        }
        int changedWeight = weight < 0 ? provider.weight() : weight;
        boolean enabled = disabled == null ? provider.enabled() : !disabled;
        return provider.with(changedWeight, enabled, timeouts);
    }
}
