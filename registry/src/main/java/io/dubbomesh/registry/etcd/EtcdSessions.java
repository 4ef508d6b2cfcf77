package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.Outage;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.runtime.Backoff;
import io.dubbomesh.runtime.PrintableText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.TimeUnit;

/**
 * Runs work in sessions with etcd, one after the other. A session is with the next member of the cluster and ends with its
 * first failure. That etcd is away is logged as {@link Outage} says, until {@link #isBack} is called. Belongs to one thread.
 */
final class EtcdSessions {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);

    private final EtcdMembers members;
    private final String consequence;
    private final Backoff backoff;
    private final Outage outage;
    private final long stableNs;

    @FunctionalInterface
    interface Work {
        void run(EtcdSession session) throws EtcdFailure, InterruptedException;
    }

    /** @param consequence what it means that etcd is away, for the log */
    EtcdSessions(EtcdMembers members, EtcdTimes times, String consequence) {
        this.members = members;
        this.consequence = consequence;
        this.backoff = new Backoff(times.retryMinMs(), times.retryMaxMs());
        this.stableNs = TimeUnit.MILLISECONDS.toNanos(2 * times.timeoutMs());
        this.outage = new Outage(members.count(), stableNs);
    }

    /**
     * Runs the work until it ends or fails.
     *
     * @return milliseconds to wait before the next session
     */
    long run(Work work) throws InterruptedException {
        long startedNs = System.nanoTime();
        try (EtcdSession session = members.next()) {
            if (outage.isFailing()) {
                session.checkReachable();
            }
            work.run(session);
        } catch (EtcdFailure e) {
            failed(e.getMessage(), null);
        } catch (RuntimeException e) {
            failed(e.toString(), e);
        }
        if (System.nanoTime() - startedNs > stableNs) {
            backoff.reset();
        }
        return backoff.nextMs();
    }

    private void failed(String reason, RuntimeException unexpected) {
        String line = outage.failed(PrintableText.brief(reason), System.nanoTime());
        if (line == null) {
            LOG.debug("registry {}: {}", members, PrintableText.brief(reason), unexpected);
        } else {
            LOG.warn("registry {} {}; {}", members, line, consequence, unexpected);
        }
    }

    /** To be called when etcd has answered; returns whether it was away until now. */
    boolean isBack() {
        return outage.end();
    }
}
