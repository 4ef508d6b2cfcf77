package io.dubbomesh.acceptance.compatibility;

/**
 * The result of a call.
 *
 * @param reason the number of the provider's limit that explains a wrong answer, or -1
 * @param fault  what is wrong and not explained, or null
 * @param status of the answer
 */
record Verdict(Setup setup, CallStyle style, Call call, int reason, String fault, int status) {

    boolean isRight() {
        return reason < 0 && fault == null;
    }

    @Override
    public String toString() {
        return setup + ", " + style + ", line " + call.line() + ", " + call + ": " + fault;
    }
}
