package io.dubbomesh.acceptance.compatibility;

import io.dubbomesh.testsupport.HttpAnswer;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The expected answer.
 *
 * @param json  the value
 * @param whole whether that is all, not only some members of an object
 */
record ExpectedAnswer(int status, String json, boolean whole) {
    private static final Pattern SOME_MEMBERS = Pattern.compile("([1-5]\\d\\d) (\\{.*})");

    /** {@code JSON} of a good answer, or {@code STATUS {"member":value}} of an answer that has these among others. */
    static ExpectedAnswer of(String text) {
        Matcher members = SOME_MEMBERS.matcher(text);
        return members.matches()
                ? new ExpectedAnswer(Integer.parseInt(members.group(1)), members.group(2), false)
                : new ExpectedAnswer(200, text, true);
    }

    /** Null if the answer is this one, otherwise what is wrong with it. */
    String faultOf(HttpAnswer answer, boolean form) {
        String contentType =
                status != 200 ? "application/problem+json" : form ? "text/plain;charset=UTF-8" : "application/json";
        boolean right = answer.status() == status
                && contentType.equals(answer.header("content-type"))
                && (form && status == 200 ? isText(answer.text()) : isJson(answer.text()));
        return right ? null : told(answer);
    }

    private boolean isText(String text) {
        try {
            String string = CanonicalJson.string(json);
            return string == null ? isJson(text) : text.equals(string);
        } catch (IOException e) {
            throw new IllegalArgumentException(json, e);
        }
    }

    private boolean isJson(String text) {
        try {
            return whole
                    ? CanonicalJson.of(text).equals(CanonicalJson.of(json))
                    : CanonicalJson.members(text)
                            .entrySet()
                            .containsAll(CanonicalJson.members(json).entrySet());
        } catch (IOException e) {
            return false;
        }
    }

    private static String told(HttpAnswer answer) {
        String text = answer.text();
        return answer.status() + " " + (text.length() > 300 ? text.substring(0, 300) + "..." : text);
    }
}
