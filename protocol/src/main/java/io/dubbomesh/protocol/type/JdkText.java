package io.dubbomesh.protocol.type;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Currency;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Classes of the JDK, other than those of time, a value of which is one text. */
final class JdkText {
    private static final Pattern UUID = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");
    /**
     * Language, country and variant, as {@link Locale#toString} or with hyphens. Dubbo's Hessian has no scripts and
     * extensions.
     */
    private static final Pattern LOCALE =
            Pattern.compile("([a-zA-Z]{2,8})?(?:[_-]([a-zA-Z]{2}|[0-9]{3})?(?:[_-](\\w+))?)?");

    private static final Map<String, UnaryOperator<String>> PARSERS = Map.of(
            "java.util.UUID", JdkText::uuid,
            "java.net.URI", JdkText::uri,
            "java.util.Locale", JdkText::locale,
            "java.util.Currency", JdkText::currency);

    private static final Map<String, String> EXAMPLES = Map.of(
            "java.util.UUID", "0f8fad5b-d9cb-469f-a165-70867728950e",
            "java.net.URI", "https://example.com/a",
            "java.util.Locale", "en_US",
            "java.util.Currency", "EUR");

    private JdkText() {}

    static boolean isKnown(String className) {
        return PARSERS.containsKey(className);
    }

    /** Returns the text of the same value as the class itself writes it, or null if it is not one of this class. */
    static String parse(String className, String text) {
        return PARSERS.get(className).apply(text);
    }

    /** Returns a value of this class. */
    static String example(String className) {
        return EXAMPLES.get(className);
    }

    private static String uuid(String text) {
        return UUID.matcher(text).matches() ? text.toLowerCase(Locale.ROOT) : null;
    }

    private static String uri(String text) {
        try {
            return new URI(text).toString();
        } catch (URISyntaxException e) {
            return null;
        }
    }

    private static String locale(String text) {
        Matcher parts = LOCALE.matcher(text);
        return parts.matches()
                ? new Locale.Builder()
                                .setLanguage(parts.group(1))
                                .setRegion(parts.group(2))
                                .build()
                                .toString()
                        + variant(parts.group(2), parts.group(3))
                : null;
    }

    /** {@code Locale.Builder} takes none of Java's own, such as {@code POSIX_x}. */
    private static String variant(String country, String variant) {
        if (variant == null) {
            return "";
        }
        return (country == null ? "__" : "_") + variant;
    }

    private static String currency(String text) {
        try {
            return Currency.getInstance(text).getCurrencyCode();
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
