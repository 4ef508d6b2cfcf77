package io.dubbomesh.runtime.admin;

import io.dubbomesh.runtime.PrintableText;

import java.util.Map;

/**
 * A request of the admin interface.
 *
 * @param name    what stands in the path for the {@code {...}} of the route, decoded; null for a route without one
 * @param query   its parameters, decoded
 * @param members of the JSON object in its body, empty for GET
 * @param refusal why this client may change nothing; null if it may
 * @param authorization the header field of that name, which is not for the admin interface but for calls that it makes;
 *     null if there is none
 */
public record AdminRequest(
        String name, Map<String, String> query, Map<String, Object> members, String refusal, String authorization) {
    /**
     * Returns a parameter of the query that must be a whole number, or is missing: then it is the default.
     *
     * @throws AdminException BAD_REQUEST if it is none, or not from {@code min} to {@code max}
     */
    public int number(String parameter, int min, int max, int missing) throws AdminException {
        String value = query.get(parameter);
        if (value == null) {
            return missing;
        }
        try {
            int number = Integer.parseInt(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Refused below.
        }
        throw AdminException.badRequest(
                parameter + ": " + PrintableText.brief(value) + " (expected: " + min + "-" + max + ")");
    }

    /** Returns a member that must be text, or is missing: then it is the default. */
    public String text(String member, String missing) throws AdminException {
        Object value = members.get(member);
        if (value == null || value instanceof String) {
            return value == null ? missing : (String) value;
        }
        throw AdminException.badRequest(member + ": " + value + " (expected: a string)");
    }

    /**
     * Returns a member that must be a whole number.
     *
     * @throws AdminException BAD_REQUEST if it is none, or not from {@code min} to {@code max}
     */
    public int integer(String member, int min, int max) throws AdminException {
        if (members.get(member) instanceof Long number && number >= min && number <= max) {
            return number.intValue();
        }
        throw AdminException.badRequest(member + ": " + members.get(member) + " (expected: " + min + "-" + max + ")");
    }
}
