package io.dubbomesh.registry.dubbo.rule;

import java.util.List;

/** A parameter of a provider's URL, and what its value has to be. */
public record ParameterMatch(String name, TextPattern value) {
    /** @throws IllegalArgumentException naming what is wrong with it */
    public static List<ParameterMatch> listOf(List<RuleDocument> parts) {
        return parts.stream().map(ParameterMatch::of).toList();
    }

    private static ParameterMatch of(RuleDocument part) {
        String name = part.text("key");
        if (!RoutedProvider.isKept(name)) {
            throw new IllegalArgumentException("a match of the parameter " + name + " is not supported");
        }
        return new ParameterMatch(name, TextPattern.of(part.part("value")));
    }

    public boolean matches(RoutedProvider provider) {
        return value.matches(provider.value(name));
    }
}
