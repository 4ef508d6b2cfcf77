package io.dubbomesh.runtime.admin;

import java.util.Map;

/**
 * A request of the admin interface.
 *
 * @param name    what stands in the path for the {@code {...}} of the route, decoded; null for a route without one
 * @param query   its parameters, decoded
 * @param members of the JSON object in its body, empty for GET
 * @param refusal why this client may change nothing; null if it may
 */
public record AdminRequest(String name, Map<String, String> query, Map<String, Object> members, String refusal) {
    /** A member that must be text, or is missing: then it is the default. */
    public String text(String member, String missing) throws AdminException {
        Object value = members.get(member);
        if (value == null || value instanceof String) {
            return value == null ? missing : (String) value;
        }
        throw AdminException.badRequest(member + ": " + value + " (expected: a string)");
    }

    /**
     * A member that must be a whole number.
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
