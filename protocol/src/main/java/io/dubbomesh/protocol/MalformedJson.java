package io.dubbomesh.protocol;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;

import java.util.regex.Pattern;

/** Describes malformed JSON: line and column, and the parser's words without those about the parser itself. */
public final class MalformedJson {
    private static final Pattern OF_PARSER =
            Pattern.compile(" \\([^()]* at \\[Source: .*|, from `[^`]*`|: enable `[^`]*` to allow");

    private MalformedJson() {}

    public static String reason(JsonProcessingException e) {
        // What is nested too deep, or has too many digits, has no location.
        JsonLocation at = e.getLocation();
        String where = at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
        return "malformed JSON" + where + ": "
                + OF_PARSER.matcher(e.getOriginalMessage()).replaceAll("");
    }
}
