package io.dubbomesh.runtime;

import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A URI of a setting for a message, without what may be a secret. Who copies one from another program may have a user
 * and a password in it, with any characters, or a token among its options; and a URI that is refused is one that
 * could not be parsed.
 */
public final class ShownUri {
    private static final String CUT = "...";
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://");
    /** The character before a host, also as it is encoded. */
    private static final Pattern AT = Pattern.compile("@|%40");

    private ShownUri() {}

    /**
     * Returns the scheme, what follows the last {@code @}, and the names of the options: {@code
     * etcd://...@host:2379?password=...}.
     */
    public static String of(String uri) {
        Matcher scheme = SCHEME.matcher(uri);
        String begin = scheme.lookingAt() ? scheme.group() : "";
        String rest = uri.substring(begin.length());
        int options = indexOfOptions(rest);
        int host = afterLastAt(rest);
        if (options < host && options >= 0) {
            // An @ in an option, or a question mark in a password.
            return PrintableText.brief(begin + CUT);
        }
        String place = options < 0 ? rest : rest.substring(0, options);
        String shown = host < 0 ? place : CUT + '@' + place.substring(host);
        return PrintableText.brief(begin + shown + (options < 0 ? "" : shownOptions(rest.substring(options))));
    }

    private static int indexOfOptions(String rest) {
        for (int i = 0; i < rest.length(); i++) {
            if (rest.charAt(i) == '?' || rest.charAt(i) == '#') {
                return i;
            }
        }
        return -1;
    }

    /** Returns a negative number if there is none. */
    private static int afterLastAt(String rest) {
        Matcher at = AT.matcher(rest);
        int after = -1;
        while (at.find()) {
            after = at.end();
        }
        return after;
    }

    private static String shownOptions(String options) {
        StringJoiner shown = new StringJoiner("&", options.substring(0, 1), "");
        for (String option : options.substring(1).split("&", -1)) {
            int equals = option.indexOf('=');
            shown.add(equals < 0 ? CUT : option.substring(0, equals + 1) + CUT);
        }
        return shown.toString();
    }
}
