package io.dubbomesh.registry.dubbo.rule;

import java.util.List;

/** A parameter of a provider's URL, and what its value has to be. */
public record ParameterMatch(String name, TextPattern value) {
    /** @throws IllegalArgumentException naming what is wrong with it */
    public static List<ParameterMatch> listOf(List<RuleDocument> parts) {
        return parts.stream()
                .map(part -> new ParameterMatch(part.text("key"), TextPattern.of(part.part("value"))))
                .toList();
    }

    public boolean matches(RoutedProvider provider) {
        return value.matches(provider.value(name));
    }
}
