package io.dubbomesh.consumer.auth;

/**
 * The known callers and what they may call, at one moment. Immutable; a change makes another one.
 *
 * @param tokens null where there are none
 * @param keys   of JWTs; null where there are none, or none yet
 * @param rules  null where each authenticated caller may call everything
 */
record AuthState(TokenTable tokens, SigningKeys keys, RuleTable rules) {
    AuthState withTokens(TokenTable changed) {
        return new AuthState(changed, keys, rules);
    }

    AuthState withKeys(SigningKeys changed) {
        return new AuthState(tokens, changed, rules);
    }

    AuthState withRules(RuleTable changed) {
        return new AuthState(tokens, keys, changed);
    }
}
