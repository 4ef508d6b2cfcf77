package io.dubbomesh.registry.dubbo.rule;

import io.dubbomesh.registry.RoutedCall;

import java.util.ArrayList;
import java.util.List;

/**
 * Conditions that are applied one after the other, each to what the one before it left.
 *
 * @param key        under which it stands in the registry
 * @param force whether a condition that leaves no provider is obeyed; otherwise it is passed over
 * @param conditions none if the rule is not enabled
 */
public record ConditionRule(String key, boolean force, List<RouteCondition> conditions) {
    private static final int MAX_CONDITIONS = 256;
    /** The most values of all conditions: an event loop compares them with each endpoint. */
    static final int MAX_VALUES = 1024;

    private static final String UNSUPPORTED_VERSION = "v3.1";

    /** @throws IllegalArgumentException naming what is wrong with it, or what of it is not supported */
    public static ConditionRule parse(String key, String text) {
        RuleDocument rule = RuleDocument.parse(text);
        String version = rule.text("configVersion");
        if (version.compareToIgnoreCase(UNSUPPORTED_VERSION) >= 0) {
            throw new IllegalArgumentException("configVersion " + version + " is not supported");
        }
        return of(key, rule.flag("force", false), rule.flag("enabled", true), rule.texts("conditions"));
    }

    /** @throws IllegalArgumentException as {@link #parse} */
    public static ConditionRule of(String key, boolean force, boolean enabled, List<String> texts) {
        if (texts.size() > MAX_CONDITIONS) {
            throw new IllegalArgumentException(texts.size() + " conditions (expected: at most " + MAX_CONDITIONS + ")");
        }
        List<RouteCondition> conditions = new ArrayList<>();
        for (String text : texts) {
            conditions.add(RouteCondition.parse(text));
        }
        ConditionRule rule = new ConditionRule(key, force, List.copyOf(conditions));
        if (rule.values() > MAX_VALUES) {
            throw new IllegalArgumentException(
                    rule.values() + " values in all conditions (expected: at most " + MAX_VALUES + ")");
        }
        return enabled ? rule : new ConditionRule(key, force, List.of());
    }

    /** Returns the number of values that its conditions name. */
    public int values() {
        return conditions.stream().mapToInt(RouteCondition::values).sum();
    }

    /** Appends for each condition whether it is for the call. */
    void select(RoutedCall call, StringBuilder selection) {
        conditions.forEach(condition -> selection.append(condition.isFor(call) ? '1' : '0'));
    }

    /** Routes a call. The text of the condition that left no provider is put into {@code emptiedBy}. */
    List<RoutedProvider> route(List<RoutedProvider> providers, RoutedCall call, StringBuilder emptiedBy) {
        List<RoutedProvider> left = providers;
        for (RouteCondition condition : conditions) {
            if (!condition.isFor(call)) {
                continue;
            }
            List<RoutedProvider> allowed = condition.forbids()
                    ? List.of()
                    : left.stream()
                            .filter(provider -> condition.allows(provider, call))
                            .toList();
            if (!allowed.isEmpty()) {
                left = allowed;
            } else if (force || condition.forbids()) {
                emptiedBy
                        .append("the condition \"")
                        .append(condition.text)
                        .append("\" of ")
                        .append(key);
                return List.of();
            }
        }
        return left;
    }
}
