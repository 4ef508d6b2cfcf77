package io.dubbomesh.registry.nacos;

/**
 * Whether Nacos tells of the changes of a key of rules.
 *
 * <pre>
 *   NEW ----- asked ------> ASKED ------ answered ---> FOLLOWED
 *    ^                        |                         ^   |
 *    `------- failed ---------'     answered or failed  |   | asked again
 *                                                       |   v
 *                                                     ASKED_AGAIN
 *   NEW, FOLLOWED --- no service has had the key for long ---> RELEASED
 * </pre>
 */
enum RuleState {
    /** The rule is to be asked for, maybe again, or is none that Nacos can have. */
    NEW,
    ASKED,
    FOLLOWED,
    /** Changes are told while it is asked for. */
    ASKED_AGAIN,
    RELEASED;

    boolean isAsked() {
        return this == ASKED || this == ASKED_AGAIN;
    }

    /** Returns the state of one that is asked for. */
    RuleState asked() {
        assert !isAsked() && this != RELEASED : this;
        return this == FOLLOWED ? ASKED_AGAIN : ASKED;
    }

    /** Returns the state after a question that has failed. */
    RuleState failed() {
        assert isAsked() : this;
        return this == ASKED_AGAIN ? FOLLOWED : NEW;
    }
}
