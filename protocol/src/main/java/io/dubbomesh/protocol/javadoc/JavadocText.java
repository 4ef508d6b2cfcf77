package io.dubbomesh.protocol.javadoc;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a Javadoc comment says, as Markdown.
 *
 * @param description null if there is none; likewise the result
 * @param parameters  by name
 */
record JavadocText(String description, String result, Map<String, String> parameters) {
    static final JavadocText NONE = new JavadocText(null, null, Map.of());

    private static final int MAX_LENGTH = 2000;
    /** The longest comment with its tags; what follows is not read. */
    private static final int MAX_COMMENT = 8000;

    private static final Pattern MARGIN = Pattern.compile("(?m)^[ \\t]*\\*?[ \\t]?");
    private static final Pattern BLOCK = Pattern.compile("(?m)^[ \\t]*@(?=[a-z]+\\b)");
    private static final Pattern RETURN = Pattern.compile("\\{@return\\s+([^{}]*)}\\.?");
    private static final Pattern CODE = Pattern.compile("\\{@(?:code|literal)\\s+([^{}]*)}");
    private static final Pattern LINK =
            Pattern.compile("\\{@link(?:plain)?\\s+([^\\s{}()]+(?:\\([^{}()]*\\))?)(?:\\s+([^{}]*))?}");
    private static final Pattern OTHER_INLINE = Pattern.compile("\\{@[a-zA-Z]+(?:\\s+([^{}]*))?}");
    private static final Pattern PARAGRAPH = Pattern.compile("</?(?:p|ul|ol|li|pre|br|h[1-6])\\b[^<>]*>");
    private static final Pattern TAG = Pattern.compile("</?[a-zA-Z][^<>]*>");
    private static final Pattern BLANK = Pattern.compile("[ \\t]*\\R\\s*\\R\\s*");

    /** @param comment what is between the marks of begin and end */
    static JavadocText of(String comment) {
        String begin = comment.substring(0, Math.min(MAX_COMMENT, comment.length()));
        String[] blocks = BLOCK.split(MARGIN.matcher(begin).replaceAll(""), -1);
        String main = blocks[0];
        String result = null;
        Matcher returned = RETURN.matcher(main);
        if (returned.find()) {
            result = text(returned.group(1));
            main = returned.replaceFirst(Matcher.quoteReplacement("Returns " + returned.group(1) + '.'));
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        for (int i = 1; i < blocks.length; i++) {
            String[] words = blocks[i].strip().split("\\s+", 3);
            if (words[0].equals("param") && words.length == 3) {
                putIfPresent(parameters, words[1], text(words[2]));
            } else if (words[0].equals("return") && words.length > 1) {
                result = text(blocks[i].strip().substring("return".length()));
            }
        }
        return new JavadocText(text(main), result, parameters);
    }

    private static void putIfPresent(Map<String, String> texts, String name, String text) {
        if (text != null) {
            texts.put(name, text);
        }
    }

    /** Returns null for a blank one. */
    private static String text(String javadoc) {
        String text = LINK.matcher(javadoc)
                .replaceAll(link -> Matcher.quoteReplacement(
                        link.group(2) == null
                                ? '`' + link.group(1).replaceFirst("^#", "").replace('#', '.') + '`'
                                : link.group(2)));
        text = CODE.matcher(text).replaceAll(code -> Matcher.quoteReplacement('`' + code.group(1) + '`'));
        text = OTHER_INLINE
                .matcher(text)
                .replaceAll(other -> Matcher.quoteReplacement(other.group(1) == null ? "" : other.group(1)));
        text = TAG.matcher(PARAGRAPH.matcher(text).replaceAll("\n\n")).replaceAll("");
        text = text.replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&nbsp;", " ")
                .replace("&#64;", "@")
                .replace("&amp;", "&");
        StringBuilder lines = new StringBuilder();
        for (String paragraph : BLANK.split(text.strip())) {
            lines.append(lines.isEmpty() ? "" : "\n\n").append(paragraph.strip().replaceAll("\\s+", " "));
        }
        if (lines.isEmpty()) {
            return null;
        }
        return lines.length() <= MAX_LENGTH ? lines.toString() : lines.substring(0, MAX_LENGTH - 3) + "...";
    }
}
