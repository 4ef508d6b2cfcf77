package io.dubbomesh.registry.dubbo.rule;

import io.dubbomesh.runtime.HostPort;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which providers of an application have which tag, as an operator wrote it under {@code {application}.tag-router}.
 *
 * @param key   under which it stands
 * @param force whether a tag that names addresses, of which none is there, leaves nobody
 * @param tags  by name; empty if the rule is not enabled
 */
public record TagRule(String key, boolean force, Map<String, Tag> tags) {
    private static final String SEPARATOR = "|";

    /** Providers are named by their addresses or, if there are none, by their parameters. */
    record Tag(List<String> addresses, List<ParameterMatch> match) {}

    /** @throws IllegalArgumentException naming what is wrong with it */
    public static TagRule parse(String key, String text) {
        RuleDocument rule = RuleDocument.parse(text);
        boolean matches = rule.text("configVersion").startsWith("v3.0");
        Map<String, Tag> tags = new LinkedHashMap<>();
        for (RuleDocument tag : rule.parts("tags")) {
            List<String> addresses = tag.texts("addresses");
            List<ParameterMatch> match =
                    matches && addresses.isEmpty() ? ParameterMatch.listOf(tag.parts("match")) : List.of();
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

    /** The addresses of each tag that has any among these providers, or is named by addresses. */
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
     * Of a tag with levels, {@code beta|team1|partner1}, those of the longest part at its begin that has any.
     *
     * @return null if there are none
     */
    static Set<String> addressesOf(Map<String, Set<String>> addresses, String tag, boolean forced) {
        Set<String> exact = addresses.get(tag);
        if (exact != null || forced) {
            return exact;
        }
        for (String part : parts(tag)) {
            if (addresses.containsKey(part)) {
                return addresses.get(part);
            }
        }
        return null;
    }

    /** The parts at its begin, the longest first. */
    static List<String> parts(String tag) {
        List<String> parts = new ArrayList<>();
        for (int end = tag.lastIndexOf(SEPARATOR); end > 0; end = tag.lastIndexOf(SEPARATOR, end - 1)) {
            parts.add(tag.substring(0, end));
        }
        return parts;
    }

    static boolean matchesAny(Iterable<String> patterns, HostPort address) {
        for (String pattern : patterns) {
            if (AddressPattern.matches(pattern, address)) {
                return true;
            }
        }
        return false;
    }
}
