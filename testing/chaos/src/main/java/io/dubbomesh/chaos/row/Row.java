package io.dubbomesh.chaos.row;

import io.dubbomesh.chaos.site.ProviderProtocol;
import io.dubbomesh.chaos.site.Site;

/**
 * A fault, and what must hold while it lasts and after it.
 *
 * @param id         H: HTTP, F: failures, E: registry, P: protocol and provider, O: overload, S: security, L: long
 * @param fault      how the row makes it
 * @param wanted     the figures
 * @param maxSeconds after which the row has failed
 * @param quick      whether it is one of those that run with the tests
 * @param protocol   of the providers
 */
public record Row(
        String id, String fault, String wanted, int maxSeconds, boolean quick, ProviderProtocol protocol, Run run) {
    private static final int MAX_SECONDS = 120;

    /** Makes the fault at a site of its own, and takes the figures. */
    @FunctionalInterface
    public interface Run {
        void at(Site site, Figures figures) throws Exception;
    }

    /** Returns a row whose providers are called by Dubbo 2, unless it starts others itself. */
    public static Row of(String id, String fault, String wanted, Run run) {
        return new Row(id, fault, wanted, MAX_SECONDS, false, ProviderProtocol.DUBBO, run);
    }

    public Row within(int seconds) {
        return new Row(id, fault, wanted, seconds, quick, protocol, run);
    }

    public Row isQuick() {
        return new Row(id, fault, wanted, maxSeconds, true, protocol, run);
    }

    /** Returns the same row with providers of Triple, which has the same figures to reach. */
    public Row byTriple() {
        String providers = "; providers of Triple";
        return new Row(id + "-tri", fault + providers, wanted, maxSeconds, quick, ProviderProtocol.TRIPLE, run);
    }
}
