package io.dubbomesh.protocol.dubbo;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes tokens, which are secrets, out of what clients are told of failures: those that the agent sends, wherever they
 * stand alone, and what Dubbo's own texts call a token, which may be that of another service. One thread sets them; any
 * may ask.
 */
final class TokenRedaction {
    /** A shorter one is no secret, and may be any word. */
    private static final int MIN_LENGTH = 4;

    private static final String HIDDEN = "...";

    /**
     * A token in a map, a URL, and a URL that is a parameter of another one, once or more. Its value may end where the
     * text was cut, or where a string of JSON does.
     */
    private static final Pattern NAMED = Pattern.compile(
            "(token(?: is |=))[^,&}\\]\\s\"\\\\]*+|(token%(?:25)*+3D)(?:(?!%(?:25)*+26)[^,&}\\]\\s\"\\\\])*+",
            Pattern.CASE_INSENSITIVE);

    /** A token in an object that has been a map, as the attachments of a call. */
    private static final Pattern MEMBER =
            Pattern.compile("(\"token\":\")(?:[^\"\\\\]|\\\\.)*+", Pattern.CASE_INSENSITIVE);

    private static final Pattern STRING = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*+\"");

    /**
     * The tokens that are sent now, and those before, which answers may still have; the longest first, since one may be
     * part of another.
     */
    private volatile List<String> known = List.of();

    private List<String> sent = List.of();

    /** The tokens that the agent sends from now on. */
    void use(Collection<String> tokens) {
        List<String> secrets =
                tokens.stream().filter(token -> token.length() >= MIN_LENGTH).toList();
        Set<String> both = new LinkedHashSet<>(secrets);
        both.addAll(sent);
        sent = secrets;
        known = both.stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
    }

    /** Redacts an error of Dubbo, which may show the attachments of a call and the URL of a service. */
    static String ofDubbo(String text) {
        return NAMED.matcher(text)
                .replaceAll(found -> (found.group(1) == null ? found.group(2) : found.group(1)) + HIDDEN);
    }

    /** @param ofDubbo whether the text is surely Dubbo's; a service's own may say that "the token is wrong" */
    String text(String text, boolean ofDubbo) {
        return withoutKnown(ofDubbo || mentionsDubbo(text) ? ofDubbo(text) : text, false);
    }

    /** Redacts the strings of an object of JSON, so that the rest is JSON. */
    String json(String object, boolean ofDubbo) {
        boolean named = ofDubbo || mentionsDubbo(object);
        String rest = named ? MEMBER.matcher(ofDubbo(object)).replaceAll("$1" + HIDDEN) : object;
        return known.isEmpty()
                ? rest
                : STRING.matcher(rest)
                        .replaceAll(string -> Matcher.quoteReplacement(withoutKnown(string.group(), false)));
    }

    /**
     * Redacts the name of a class, or a frame of a stack: a token that could be a part of it is left, since it is most
     * probably just that.
     */
    String name(String name) {
        return withoutKnown(name, true);
    }

    private static boolean mentionsDubbo(String text) {
        return text.contains("dubbo") || text.contains("RpcInvocation");
    }

    private String withoutKnown(String text, boolean keepsNames) {
        String rest = text;
        for (String token : known) {
            if (rest.contains(token) && !(keepsNames && isName(token))) {
                rest = replaced(rest, token);
            }
        }
        return rest;
    }

    private static boolean isName(String token) {
        return Character.isJavaIdentifierStart(token.charAt(0))
                && token.chars().allMatch(c -> Character.isJavaIdentifierPart(c) || c == '.');
    }

    /** Replaces a token where it is not part of a longer word. */
    private static String replaced(String text, String token) {
        StringBuilder rest = new StringBuilder(text.length());
        int from = 0;
        for (int at = text.indexOf(token); at >= 0; at = text.indexOf(token, at + 1)) {
            int end = at + token.length();
            boolean alone = at >= from
                    && (at == 0 || !Character.isLetterOrDigit(text.charAt(at - 1)))
                    && (end == text.length() || !Character.isLetterOrDigit(text.charAt(end)));
            if (alone) {
                rest.append(text, from, at).append(HIDDEN);
                from = end;
            }
        }
        return rest.append(text, from, text.length()).toString();
    }
}
