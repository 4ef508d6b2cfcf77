package io.dubbomesh.acceptance;

import java.io.IOException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * What is to come back.
 *
 * @param json of a good answer (200) the value, otherwise the members that the problem document has among others
 */
record ExpectedAnswer(int status, String json) {
    private static final Pattern PROBLEM = Pattern.compile("([1-5]\\d\\d) (\\{.*})");

    /** {@code JSON}, or {@code STATUS JSON}. */
    static ExpectedAnswer of(String text) {
        Matcher problem = PROBLEM.matcher(text);
        return problem.matches()
                ? new ExpectedAnswer(Integer.parseInt(problem.group(1)), problem.group(2))
                : new ExpectedAnswer(200, text);
    }

    /** Null if the answer is this one, otherwise what is wrong with it. */
    String faultOf(HttpAnswer answer, boolean form) throws IOException {
        String contentType = answer.header("content-type");
        if (answer.status() != status) {
            return told(answer);
        } else if (status != 200) {
            return "application/problem+json".equals(contentType)
                            && CanonicalJson.members(answer.text())
                                    .entrySet()
                                    .containsAll(CanonicalJson.members(json).entrySet())
                    ? null
                    : told(answer);
        }
        boolean right = form
                ? "text/plain;charset=UTF-8".equals(contentType) && isText(answer.text())
                : "application/json".equals(contentType) && isJson(answer.text());
        return right ? null : told(answer);
    }

    private boolean isText(String text) throws IOException {
        String string = CanonicalJson.string(json);
        return string == null ? isJson(text) : text.equals(string);
    }

    private boolean isJson(String text) {
        try {
            return CanonicalJson.of(text).equals(CanonicalJson.of(json));
        } catch (IOException e) {
            return false;
        }
    }

    private static String told(HttpAnswer answer) {
        String text = new String(answer.body(), UTF_8);
        return answer.status() + " " + (text.length() > 300 ? text.substring(0, 300) + "..." : text);
    }

    Map<String, String> members() throws IOException {
        return CanonicalJson.members(json);
    }
}
