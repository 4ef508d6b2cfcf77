package io.dubbomesh.runtime.process;

import io.dubbomesh.runtime.PrintableText;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words behind the jar on a command line: settings stand before it, so Java would ignore them there. */
public final class CommandLine {
    private static final int WRONG_SETTING = 2;
    private static final String USAGE = "usage: java [-Dkey=value ...] -jar JAR";

    /** A setting as other programs take it: {@code --server.port=1}, {@code server.port=1}, {@code -Dserver.port=1}. */
    private static final Pattern SETTING =
            Pattern.compile("(?:-+D|-*)(?:DUBBOMESH_)?([a-zA-Z][\\w.-]*)(?:=(.*))?", Pattern.DOTALL);

    private CommandLine() {}

    /** Ends the process, with what was meant, if there are arguments. */
    public static void refuse(String... arguments) {
        if (arguments.length > 0) {
            System.err.println(PrintableText.of(refusal(arguments)));
            System.err.println(USAGE);
            System.exit(WRONG_SETTING);
        }
    }

    /** Returns the reason for the first one. */
    static String refusal(String... arguments) {
        Matcher setting = SETTING.matcher(arguments[0]);
        String begin = arguments[0] + ": no such option ";
        boolean isNamed = setting.matches()
                && (setting.group(2) != null || setting.group(1).indexOf('.') > 0);
        if (!isNamed) {
            return begin + "(expected: -Dkey=value, before -jar)";
        }
        String next = arguments.length > 1 && !arguments[1].startsWith("-") ? arguments[1] : "VALUE";
        String key = setting.group(1).toLowerCase(Locale.ROOT).replace('_', '.');
        return begin + "(did you mean -D" + key + '=' + (setting.group(2) == null ? next : setting.group(2))
                + ", before -jar?)";
    }
}
