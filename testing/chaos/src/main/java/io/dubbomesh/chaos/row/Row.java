package io.dubbomesh.chaos.row;

import io.dubbomesh.chaos.site.Site;

/**
 * A fault, and what must hold while it lasts and after it.
 *
 * @param id         H: HTTP, F: failures, E: registry, P: protocol and provider, O: overload, S: security, L: long
 * @param fault      how the row makes it
 * @param wanted     the figures
 * @param maxSeconds after which the row has failed
 * @param quick      whether it is one of those that run with the tests
 */
public record Row(String id, String fault, String wanted, int maxSeconds, boolean quick, Run run) {
    private static final int MAX_SECONDS = 120;

    /** Makes the fault at a site of its own, and takes the figures. */
    @FunctionalInterface
    public interface Run {
        void at(Site site, Figures figures) throws Exception;
    }

    public static Row of(String id, String fault, String wanted, Run run) {
        return new Row(id, fault, wanted, MAX_SECONDS, false, run);
    }

    public Row within(int seconds) {
        return new Row(id, fault, wanted, seconds, quick, run);
    }

    public Row isQuick() {
        return new Row(id, fault, wanted, maxSeconds, true, run);
    }
}
