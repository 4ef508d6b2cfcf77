package io.dubbomesh.acceptance.document;

import java.util.regex.Pattern;

/**
 * The output of a command in a page. A line "..." stands for any number of lines, "..." within a line for any text.
 * Ids, times, durations (numbers with three decimals are milliseconds) and shares differ from run to run, and so do the
 * widths of columns: they are not compared.
 */
public final class ShownOutput {
    private static final String ANY = "...";

    private ShownOutput() {}

    public static boolean matches(String shown, String printed) {
        StringBuilder pattern = new StringBuilder();
        for (String line : normalized(shown).split("\n")) {
            if (line.equals(ANY)) {
                pattern.append("(?:.*\n)*");
            } else {
                int from = 0;
                for (int at = line.indexOf(ANY); at >= 0; at = line.indexOf(ANY, from)) {
                    pattern.append(Pattern.quote(line.substring(from, at))).append(".*");
                    from = at + ANY.length();
                }
                pattern.append(Pattern.quote(line.substring(from))).append('\n');
            }
        }
        return Pattern.matches(pattern.toString(), normalized(printed));
    }

    /** Ends with one line feed. */
    private static String normalized(String text) {
        return text.replace("\r", "")
                        .replaceAll("urn:uuid:[0-9a-f-]{36}", "urn:uuid:ID")
                        .replaceAll("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z", "TIME")
                        .replaceAll("\\b\\d+(\\.\\d+)? ?(us|ms|s)\\b", "DURATION")
                        .replaceAll("\\b\\d+\\.\\d{3}\\b", "MILLISECONDS")
                        .replaceAll("\\b\\d+ %", "SHARE")
                        .replaceAll(" +", " ")
                        .replaceAll("(?m) $", "")
                        .stripTrailing()
                + "\n";
    }
}
