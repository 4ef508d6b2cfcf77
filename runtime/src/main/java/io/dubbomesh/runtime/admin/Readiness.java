package io.dubbomesh.runtime.admin;

/**
 * Whether calls should be sent to this process.
 *
 * @param text a line: why not, or "ready" and what an operator should know all the same
 */
public record Readiness(boolean isReady, String text) {
    private static final String READY = "ready";

    public static Readiness ready() {
        return new Readiness(true, READY);
    }

    public static Readiness readyWithNote(String note) {
        return new Readiness(true, READY + "; " + note);
    }

    public static Readiness notReady(String reason) {
        return new Readiness(false, reason);
    }

    /** @param reasonNotReady null if it is ready */
    public static Readiness of(String reasonNotReady) {
        return reasonNotReady == null ? ready() : notReady(reasonNotReady);
    }
}
