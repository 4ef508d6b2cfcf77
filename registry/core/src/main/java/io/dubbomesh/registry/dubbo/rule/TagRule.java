package io.dubbomesh.registry.dubbo.rule;

import io.dubbomesh.runtime.HostPort;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The tags of an application's providers, as an operator wrote them under {@code {application}.tag-router}.
 *
 * @param key   under which it stands
 * @param force whether a tag that names addresses, of which none is there, leaves no provider
 * @param tags  by name; empty if the rule is not enabled
 */
public record TagRule(String key, boolean force, Map<String, Tag> tags) {
    private static final char SEPARATOR = '|';
    /** Each of them is tried on each provider, on an event loop. */
    private static final int MAX_PATTERNS = 256;

    /** Providers are named by their addresses or, if there are none, by their parameters. */
    record Tag(List<String> addresses, List<ParameterMatch> match) {}

    /** @throws IllegalArgumentException naming what is wrong with it */
    public static TagRule parse(String key, String text) {
        RuleDocument rule = RuleDocument.parse(text);
        boolean matches = rule.text("configVersion").startsWith("v3.0");
        Map<String, Tag> tags = new LinkedHashMap<>();
        int patterns = 0;
        int matched = 0;
        for (RuleDocument tag : rule.parts("tags")) {
            List<String> addresses = tag.texts("addresses");
            List<ParameterMatch> match =
                    matches && addresses.isEmpty() ? ParameterMatch.listOf(tag.parts("match")) : List.of();
            patterns += (int) addresses.stream()
                    .filter(address -> !AddressPattern.isExact(address))
                    .count();
            matched += match.size();
            if (patterns > MAX_PATTERNS || matched > MAX_PATTERNS) {
                throw new IllegalArgumentException(
                        "more than " + MAX_PATTERNS + " addresses with wildcards, or parameters to match");
            }
            if (tag.text("name").isEmpty()) {
                throw new IllegalArgumentException("a tag without a name");
            }
            if (!addresses.isEmpty() || !match.isEmpty()) {
                tags.put(tag.text("name"), new Tag(addresses, match));
            }
        }
        boolean enabled = rule.flag("enabled", true);
        return new TagRule(key, rule.flag("force", false), enabled ? tags : Map.of());
    }

    boolean isInForce() {
        return !tags.isEmpty();
    }

    /** Returns the addresses of each tag that has any among these providers, or is named by addresses. */
    Map<String, Set<String>> addresses(List<RoutedProvider> providers) {
        Map<String, Set<String>> addresses = new LinkedHashMap<>();
        tags.forEach((name, tag) -> {
            Set<String> ofTag = new LinkedHashSet<>(tag.addresses());
            if (ofTag.isEmpty()) {
                for (RoutedProvider provider : providers) {
                    if (tag.match().stream().allMatch(match -> match.matches(provider))) {
                        ofTag.add(provider.address().toString());
                    }
                }
            }
            if (!ofTag.isEmpty()) {
                addresses.put(name, ofTag);
            }
        });
        return addresses;
    }

    /**
     * Returns the addresses of a tag; with levels, {@code beta|team1|partner1}, those of the longest
     * part at its begin that has any.
     *
     * @return null if there are none
     */
    static Set<String> addressesOf(Map<String, Set<String>> addresses, String tag, boolean forced) {
        Set<String> exact = addresses.get(tag);
        if (exact != null || forced) {
            return exact;
        }
        List<String> parts = parts(addresses.keySet(), tag);
        return parts.isEmpty() ? null : addresses.get(parts.get(0));
    }

    /**
     * Returns those of the known tags that are levels at the begin of a tag, the longest first. Clients decide how many
     * levels theirs has.
     */
    static List<String> parts(Set<String> known, String tag) {
        List<String> parts = new ArrayList<>();
        for (String each : known) {
            if (!each.isEmpty()
                    && each.length() < tag.length()
                    && tag.charAt(each.length()) == SEPARATOR
                    && tag.startsWith(each)) {
                parts.add(each);
            }
        }
        parts.sort(Comparator.comparingInt(String::length).reversed());
        return parts;
    }

    /** Returns a test for addresses that any of these names: those with wildcards are few, see {@link #parse}. */
    static Predicate<HostPort> anyOf(Set<String> addresses) {
        List<String> patterns = addresses.stream()
                .filter(address -> !AddressPattern.isExact(address))
                .toList();
        return address -> addresses.contains(address.toString())
                || addresses.contains(address.host())
                || patterns.stream().anyMatch(pattern -> AddressPattern.matches(pattern, address));
    }
}
