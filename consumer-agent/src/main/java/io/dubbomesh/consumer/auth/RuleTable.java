package io.dubbomesh.consumer.auth;

import io.dubbomesh.runtime.PrintableText;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The call rules: lines {@code allow [token:|jwt:]SUBJECT SERVICE[#METHOD]}. A call that no line allows is forbidden.
 * Immutable.
 */
final class RuleTable {
    private static final String EXPECTED = "(expected: allow SUBJECT SERVICE[#METHOD])";
    private static final String ALLOW = "allow";
    private static final String ANYBODY = "*";
    private static final String GROUP = "group:";

    /** A name, or the beginning of names if a {@code *} ends it. */
    private record NamePattern(String text, boolean isPrefix) {
        static NamePattern of(String text) {
            int star = text.indexOf('*');
            if (text.isEmpty() || star >= 0 && star < text.length() - 1) {
                throw new IllegalArgumentException(
                        '"' + PrintableText.brief(text) + "\" (expected: a name, or the beginning of one and *)");
            }
            return star < 0 ? new NamePattern(text, false) : new NamePattern(text.substring(0, star), true);
        }

        boolean matches(String name) {
            return isPrefix ? name.startsWith(text) : name.equals(text);
        }
    }

    private record Rule(NamePattern service, NamePattern method) {
        boolean allows(String calledService, String calledMethod) {
            return service.matches(calledService) && method.matches(calledMethod);
        }
    }

    private final Set<AuthSettings.Kind> kinds;
    private final Map<AuthSettings.Kind, Map<String, List<Rule>>> ofSubjects = new EnumMap<>(AuthSettings.Kind.class);
    private final Map<String, List<Rule>> ofGroups = new HashMap<>();
    private final List<Rule> ofAnybody = new ArrayList<>();

    private RuleTable(Set<AuthSettings.Kind> kinds) {
        this.kinds = kinds;
        for (AuthSettings.Kind kind : AuthSettings.Kind.values()) {
            ofSubjects.put(kind, new HashMap<>());
        }
    }

    /**
     * Reads lines.
     *
     * @param kinds of callers that there are: a subject without a kind is of the only one
     * @throws IllegalArgumentException with the number of the line, what is wrong and what was expected
     */
    static RuleTable parse(String text, Set<AuthSettings.Kind> kinds) {
        RuleTable table = new RuleTable(kinds);
        SettingsLines.forEach(text, table::add);
        return table;
    }

    private void add(List<String> words) {
        if (!words.get(0).equals(ALLOW)) {
            throw new IllegalArgumentException('"' + PrintableText.brief(words.get(0)) + "\" " + EXPECTED);
        }
        if (words.size() != 3) {
            throw new IllegalArgumentException(words.size() + " words " + EXPECTED);
        }
        String called = words.get(2);
        if (called.indexOf(':') >= 0 || called.indexOf(',') >= 0) {
            // It would allow nothing: no interface or method has such a name.
            throw new IllegalArgumentException('"' + PrintableText.brief(called)
                    + "\" (expected: one SERVICE[#METHOD], without version and group, which a rule does not know)");
        }
        int hash = called.indexOf('#');
        Rule rule = new Rule(
                NamePattern.of(hash < 0 ? called : called.substring(0, hash)),
                NamePattern.of(hash < 0 ? ANYBODY : called.substring(hash + 1)));
        rulesOf(words.get(1)).add(rule);
    }

    private List<Rule> rulesOf(String who) {
        if (who.equals(ANYBODY)) {
            return ofAnybody;
        }
        if (who.indexOf('*') >= 0 || who.endsWith(":")) {
            throw new IllegalArgumentException('"' + PrintableText.brief(who)
                    + "\" (expected: a whole name, or * for everybody who is authenticated)");
        }
        if (who.startsWith(GROUP)) {
            return ofGroups.computeIfAbsent(who.substring(GROUP.length()), name -> new ArrayList<>());
        }
        for (AuthSettings.Kind kind : AuthSettings.Kind.values()) {
            if (who.startsWith(kind.prefix())) {
                return rulesOf(kind, who.substring(kind.prefix().length()));
            }
        }
        if (kinds.size() > 1) {
            String name = PrintableText.brief(who);
            throw new IllegalArgumentException(
                    '"' + name + "\" (expected: token:" + name + " for a token of the file, jwt:" + name
                            + " for a JWT, since " + AuthSettings.AUTH + " has both)");
        }
        return rulesOf(kinds.iterator().next(), who);
    }

    private List<Rule> rulesOf(AuthSettings.Kind kind, String subject) {
        return ofSubjects.get(kind).computeIfAbsent(subject, name -> new ArrayList<>());
    }

    boolean allows(Caller caller, String service, String method) {
        if (isAllowed(ofAnybody, service, method)
                || isAllowed(
                        ofSubjects.get(caller.kind()).getOrDefault(caller.subject(), List.of()), service, method)) {
            return true;
        }
        for (String group : caller.groups()) {
            if (isAllowed(ofGroups.getOrDefault(group, List.of()), service, method)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the groups of which each member may call this. */
    Set<String> groupsFor(String service, String method) {
        return ofGroups.entrySet().stream()
                .filter(group -> isAllowed(group.getValue(), service, method))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private static boolean isAllowed(List<Rule> rules, String service, String method) {
        for (Rule rule : rules) {
            if (rule.allows(service, method)) {
                return true;
            }
        }
        return false;
    }
}
