package io.dubbomesh.meshctl.document;

import java.util.List;
import java.util.Optional;

/**
 * An endpoint as a consumer agent or a gateway knows it, or a provider agent as it lists itself.
 *
 * @param kind         {@code mesh} or {@code dubbo}; empty if it is not known
 * @param weight       empty if it is not known
 * @param zone         empty if it is not known
 * @param alive        whether there is a link to it; empty in the list of a provider agent, which has no such links
 * @param reason       why there is no link
 * @param ejectedFrom  services
 * @param notCallable  why no agent of this version can call it; empty if one can
 */
public record EndpointDocument(
        String id,
        String kind,
        Optional<Long> weight,
        long limit,
        String zone,
        long callsInFlight,
        List<String> services,
        boolean listed,
        Optional<Boolean> alive,
        boolean idle,
        String reason,
        List<String> ejectedFrom,
        String ejectionReason,
        String notCallable) {
    private static final String DUBBO = "dubbo";

    /** Returns whether it is a Dubbo provider, which has no agent. */
    public boolean isProvider() {
        return DUBBO.equals(kind);
    }

    /** Returns the services from which it is ejected, by comma. */
    public String ejections() {
        return String.join(",", ejectedFrom);
    }
}
