package io.dubbomesh.consumer.auth;

/**
 * Who is known and what they may call, at one moment. Immutable; a change makes another one.
 *
 * @param tokens null where there are none
 * @param keys   of JWTs; null where there are none, or none yet
 * @param rules  null where each authenticated caller may call everything
 */
record Policy(TokenTable tokens, SigningKeys keys, RuleTable rules) {
    Policy with(TokenTable changed) {
        return new Policy(changed, keys, rules);
    }

    Policy with(SigningKeys changed) {
        return new Policy(tokens, changed, rules);
    }

    Policy with(RuleTable changed) {
        return new Policy(tokens, keys, changed);
    }
}
