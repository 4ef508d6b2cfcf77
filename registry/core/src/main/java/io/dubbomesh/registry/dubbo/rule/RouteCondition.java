package io.dubbomesh.registry.dubbo.rule;

import io.dubbomesh.registry.RoutedCall;
import io.dubbomesh.runtime.PrintableText;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line of a condition rule: which calls it is for, and which providers these may go to.
 * <pre>
 *   method=find*,list* &amp; host!=192.0.2.7 =&gt; address=192.0.2.*:20880
 *   host=192.0.2.9 =&gt;                           such calls may go nowhere
 *   =&gt; region=$region                           all calls
 * </pre>
 */
final class RouteCondition {
    private static final Pattern TERM = Pattern.compile("([&!=,]*)\\s*([^&!=,\\s]+)");
    private static final Pattern ATTACHMENT = Pattern.compile("attachments\\[([^\\]]+)\\]");
    private static final String ARGUMENTS = "arguments";
    private static final String ATTACHMENTS = "attachments";
    /** Reading a condition may take a time that grows with the square of its length. */
    private static final int MAX_LENGTH = 4096;
    /** The parameters of the caller's URL that differ from call to call here, and not in Dubbo. */
    private static final Set<String> NOT_OF_CALLER = Set.of("$method", "$methods");

    final String text;
    private final Map<String, ValueCondition> when;
    /** The condition of the provider; null if calls may go nowhere. */
    private final Map<String, ValueCondition> then;

    private RouteCondition(String text, Map<String, ValueCondition> when, Map<String, ValueCondition> then) {
        this.text = text;
        this.when = when;
        this.then = then;
    }

    /** @throws IllegalArgumentException naming what is wrong with it, or what of it is not supported */
    static RouteCondition parse(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("an empty condition");
        }
        if (text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "a condition of " + text.length() + " characters (expected: at most " + MAX_LENGTH + ")");
        }
        String rule = text.replace("consumer.", "").replace("provider.", "");
        int arrow = rule.indexOf("=>");
        String calls = arrow < 0 ? "" : rule.substring(0, arrow).strip();
        String providers = arrow < 0 ? rule.strip() : rule.substring(arrow + 2).strip();
        RouteCondition condition = new RouteCondition(
                text,
                calls.isEmpty() || calls.equals("true") ? Map.of() : terms(text, calls),
                providers.isEmpty() || providers.equals("false") ? null : terms(text, providers));
        condition.checkSupported();
        return condition;
    }

    private static Map<String, ValueCondition> terms(String text, String side) {
        Map<String, ValueCondition> conditions = new LinkedHashMap<>();
        ValueCondition condition = null;
        ValueCondition.Values values = null;
        Matcher matcher = TERM.matcher(side);
        while (matcher.find()) {
            String content = matcher.group(2);
            switch (matcher.group(1)) {
                case "" -> {
                    condition = new ValueCondition(content);
                    conditions.put(content, condition);
                }
                case "&" -> condition = conditions.computeIfAbsent(content, ValueCondition::new);
                case "=" -> values = condition == null ? null : condition.matches;
                case "!=" -> values = condition == null ? null : condition.mismatches;
                case "," -> values = values == null || values.isEmpty() ? null : values;
                default -> values = null;
            }
            if (!matcher.group(1).isEmpty() && !matcher.group(1).equals("&")) {
                if (values == null) {
                    throw new IllegalArgumentException("condition " + PrintableText.brief(text) + ": "
                            + matcher.group(1) + " is not expected before " + PrintableText.brief(content));
                }
                values.add(content);
            }
        }
        return conditions;
    }

    private void checkSupported() {
        for (String name : when.keySet()) {
            boolean readable = !name.startsWith(ATTACHMENTS) || attachment(name) != null;
            if (name.startsWith(ARGUMENTS) || !readable) {
                throw unsupported(name);
            }
        }
        if (then != null) {
            for (ValueCondition condition : then.values()) {
                String name = condition.name;
                if (name.startsWith(ARGUMENTS) || name.startsWith(ATTACHMENTS) || !RoutedProvider.isKept(name)) {
                    throw unsupported(name);
                }
                for (String value : NOT_OF_CALLER) {
                    if (condition.matches.contains(value) || condition.mismatches.contains(value)) {
                        throw unsupported(value);
                    }
                }
            }
        }
    }

    private IllegalArgumentException unsupported(String name) {
        return new IllegalArgumentException("condition " + PrintableText.brief(text) + ": " + PrintableText.brief(name)
                + " is not supported there");
    }

    /** Returns null if it names none. */
    private static String attachment(String name) {
        Matcher matcher = ATTACHMENT.matcher(name);
        return matcher.matches() ? matcher.group(1) : null;
    }

    /** Returns the number of values that it names. */
    int values() {
        return values(when) + (then == null ? 0 : values(then));
    }

    private static int values(Map<String, ValueCondition> terms) {
        return terms.values().stream()
                .mapToInt(term -> term.matches.size() + term.mismatches.size())
                .sum();
    }

    /** Returns the names of the attachments that it looks at. */
    Set<String> attachments() {
        Set<String> names = new LinkedHashSet<>();
        when.keySet().stream()
                .filter(name -> name.startsWith(ATTACHMENTS))
                .forEach(name -> names.add(attachment(name)));
        return names;
    }

    boolean isFor(RoutedCall call) {
        for (ValueCondition condition : when.values()) {
            String attachment = attachment(condition.name);
            String value = attachment == null
                    ? callValue(call, condition.name)
                    : call.attachments().get(attachment);
            if (!condition.isFulfilled(value, null, false)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the value that Dubbo finds in the URL of a consumer; null if it is not there. */
    private static String callValue(RoutedCall call, String name) {
        return switch (name) {
            case "method", "methods" -> call.method();
            case "interface", "path" -> call.service();
            case "version" -> RoutedProvider.nullIfEmpty(call.version());
            case "group" -> RoutedProvider.nullIfEmpty(call.group());
            case "application" -> RoutedProvider.nullIfEmpty(call.consumer().application());
            case "host", "address" -> RoutedProvider.nullIfEmpty(call.consumer().host());
            case "protocol", "side" -> "consumer";
            case RoutedProvider.TAG ->
                RoutedProvider.nullIfEmpty(call.consumer().tag());
            default -> null;
        };
    }

    /** Returns whether calls that it is for may go nowhere. */
    boolean forbids() {
        return then == null;
    }

    boolean allows(RoutedProvider provider, RoutedCall call) {
        for (ValueCondition condition : then.values()) {
            if (!condition.isFulfilled(provider.value(condition.name), name -> callValue(call, name), true)) {
                return false;
            }
        }
        return !then.isEmpty();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RouteCondition condition && condition.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }
}
