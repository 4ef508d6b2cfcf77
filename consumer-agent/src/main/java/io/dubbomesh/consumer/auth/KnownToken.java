package io.dubbomesh.consumer.auth;

import io.dubbomesh.protocol.MethodName;

import java.util.Arrays;

/** A token that was verified, with whose it is and what its caller was lately found to be allowed. Owned by one event loop. */
final class KnownToken {
    private static final int METHODS = 16;
    /** Where a rule has a wildcard, callers may invent names, of any length that a request has. */
    private static final int MAX_KEPT_NAME = 512;

    final byte[] token;
    final Caller caller;
    /** In answers and logs. */
    final String name;

    /** Those that {@link #rules} allow; a place of its own for each, by identity, which names of methods that are called often keep. */
    private final MethodName[] allowed = new MethodName[METHODS];

    private RuleTable rules;

    KnownToken(byte[] token, Caller caller, String name) {
        this.token = token;
        this.caller = caller;
        this.name = name;
    }

    /** Whether the caller may call this, by these rules. */
    boolean mayCall(MethodName name, RuleTable byRules) {
        if (byRules != rules) {
            Arrays.fill(allowed, null);
            rules = byRules;
        }
        int place = System.identityHashCode(name) & METHODS - 1;
        if (allowed[place] == name) {
            return true;
        }
        if (!byRules.allows(caller, name.service(), name.method())) {
            return false;
        }
        if (lengthOf(name) <= MAX_KEPT_NAME) {
            allowed[place] = name;
        }
        return true;
    }

    private static int lengthOf(MethodName name) {
        return name.service().length()
                + name.method().length()
                + name.descriptor().length()
                + name.version().length()
                + name.group().length();
    }
}
