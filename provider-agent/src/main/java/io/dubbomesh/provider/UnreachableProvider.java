package io.dubbomesh.provider;

import io.dubbomesh.client.discovery.Discovery;
import io.dubbomesh.runtime.HostPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.TimeUnit;

/**
 * The reason why the provider cannot be reached: attempts fail each second or more often, but what is found to be the
 * reason is logged once. What listens at its port without answering heartbeats is looked at, which needs connections,
 * only if it may have changed. Thread-safe.
 */
final class UnreachableProvider {
    private static final Logger LOG = LoggerFactory.getLogger(UnreachableProvider.class);

    private static final long LOOK_INTERVAL_NS = TimeUnit.SECONDS.toNanos(30);

    private final HostPort provider;
    private final Discovery discovery;
    /** The failure of attempts when the port was looked at last; null if it was not, since the provider was reached. */
    private String how;

    private long lookedNs;
    private boolean looking;
    /** The reason that was logged last; null if none was since the provider was reached. */
    private String logged;
    /** Null if it is not known. */
    private String reason;

    UnreachableProvider(HostPort provider, Discovery discovery) {
        this.provider = provider;
        this.discovery = discovery;
    }

    synchronized void reached() {
        how = null;
        logged = null;
        reason = null;
    }

    /**
     * @param accepted whether a connection was accepted, and then no heartbeat answered
     * @param failure  what happened instead
     */
    synchronized void attemptFailed(boolean accepted, String failure) {
        if (!accepted) {
            how = null;
            reason = "not connected: " + failure;
            return;
        }
        if (looking || failure.equals(how)) {
            return;
        }
        long nowNs = System.nanoTime();
        if (lookedNs != 0 && nowNs - lookedNs < LOOK_INTERVAL_NS) {
            reason = unanswered(failure);
            return;
        }
        how = failure;
        lookedNs = nowNs;
        looking = true;
        discovery.protocol().thenAccept(this::inspected);
    }

    private static String unanswered(String how) {
        return "it does not answer a Dubbo heartbeat (" + how.replaceFirst("^no answer to a heartbeat ", "") + ")";
    }

    private synchronized void inspected(String found) {
        looking = false;
        if (how == null) {
            return;
        }
        reason = unanswered(how) + "; " + found;
        if (!found.equals(logged)) {
            logged = found;
            LOG.warn("provider {} takes no calls: {}", provider, reason);
        }
    }

    /** Returns why it takes no calls, null if that is not known. */
    synchronized String reason() {
        return reason;
    }
}
