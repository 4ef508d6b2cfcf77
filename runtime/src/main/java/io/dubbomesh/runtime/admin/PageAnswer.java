package io.dubbomesh.runtime.admin;

import java.util.Map;
import java.util.TreeMap;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A whole answer of the admin port.
 *
 * @param headers those that do not follow from the message itself
 */
public record PageAnswer(int status, Map<String, String> headers, byte[] body) {
    /** Returns a line of text. */
    public static PageAnswer line(int status, String line) {
        return of(status, "text/plain;charset=UTF-8", (line + '\n').getBytes(UTF_8));
    }

    public static PageAnswer of(int status, String contentType, byte[] body) {
        return new PageAnswer(status, Map.of("Content-Type", contentType, "Cache-Control", "no-store"), body);
    }

    /** Returns the same with one more header. */
    public PageAnswer with(String name, String value) {
        Map<String, String> more = new TreeMap<>(headers);
        more.put(name, value);
        return new PageAnswer(status, more, body);
    }
}
