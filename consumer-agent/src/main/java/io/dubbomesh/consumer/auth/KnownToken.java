package io.dubbomesh.consumer.auth;

import io.dubbomesh.protocol.MethodName;

import java.util.Arrays;

/**
 * A token that was verified, its owner, and the methods that the owner was lately found to be allowed to call. Owned by
 * one event loop.
 */
final class KnownToken {
    private static final int METHODS = 16;

    final byte[] token;
    final Caller caller;
    /** The name in answers and logs. */
    final String name;

    /**
     * Methods that {@link #rules} allow: a small direct-mapped cache by the identity of the {@link MethodName}, since a
     * route keeps one for all its calls. Valid only while the decision depends on the caller, the method and the rules
     * alone.
     */
    private final MethodName[] allowed = new MethodName[METHODS];

    private RuleTable rules;

    KnownToken(byte[] token, Caller caller, String name) {
        this.token = token;
        this.caller = caller;
        this.name = name;
    }

    /**
     * Returns whether the caller may call this, by these rules.
     *
     * @param isKept whether the agent keeps this name anyway: those that callers invent must not be kept by each of
     *     their tokens
     */
    boolean mayCall(MethodName method, boolean isKept, RuleTable byRules) {
        if (byRules != rules) {
            Arrays.fill(allowed, null);
            rules = byRules;
        }
        int place = System.identityHashCode(method) & METHODS - 1;
        if (allowed[place] == method) {
            return true;
        }
        if (!byRules.allows(caller, method.service(), method.method())) {
            return false;
        }
        if (isKept) {
            allowed[place] = method;
        }
        return true;
    }
}
