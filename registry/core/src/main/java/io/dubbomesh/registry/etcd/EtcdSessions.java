package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.address.AccessFiles;
import io.dubbomesh.registry.keep.StoreFailure;
import io.dubbomesh.registry.thread.Outage;
import io.dubbomesh.registry.thread.RegistryContact;
import io.dubbomesh.runtime.Backoff;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Runs work in sessions with etcd, one after the other. A session is with the next member of the cluster and ends with
 * its first failure. That etcd is away is logged as {@link Outage} says, until {@link #isBack} is called. Belongs to
 * one thread.
 */
final class EtcdSessions {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    private static final long MAX_REFUSED_MS = 30_000;
    /** The time between two readings of the file of a user whom etcd refuses. */
    private static final long CHECK_MS = 1_000;

    private final EtcdMembers members;
    private final RegistryContact contact;
    private final long stableNs;
    /** etcd checks each password with much of its CPU, so that a wrong one must not be sent again and again. */
    private final Backoff refusedBackoff;

    /** Whether etcd refused the last session. */
    private boolean refused;

    /** Whether a session has ended because of its token since etcd answered last. */
    private boolean isRenewed;

    private AccessFiles.User refusedUser;
    private long refusedUntilNs;

    @FunctionalInterface
    interface Work {
        void run(EtcdSession session) throws StoreFailure, InterruptedException;
    }

    /** @param consequence what it means that etcd is away, for the log */
    EtcdSessions(EtcdMembers members, EtcdTimes times, Supplier<String> consequence) {
        this.members = members;
        this.stableNs = TimeUnit.MILLISECONDS.toNanos(2 * times.timeoutMs());
        this.refusedBackoff = new Backoff(times.retryMinMs(), MAX_REFUSED_MS);
        this.contact = new RegistryContact(
                members,
                new Outage(members.count(), stableNs),
                new Backoff(times.retryMinMs(), times.retryMaxMs()),
                consequence);
    }

    /**
     * Runs the work until it ends or fails. After etcd has refused the user it does nothing for a while, unless the
     * file names another one.
     *
     * @return milliseconds to wait before the next session
     */
    long run(Work work) throws InterruptedException {
        long startedNs = System.nanoTime();
        if (refused
                && startedNs - refusedUntilNs < 0
                && Objects.equals(members.access().user(), refusedUser)) {
            return Math.min(CHECK_MS, TimeUnit.NANOSECONDS.toMillis(refusedUntilNs - startedNs) + 1);
        }
        refused = false;
        refusedUser = members.access().user();
        try (EtcdSession session = members.next()) {
            if (contact.isFailing()) {
                session.checkReachable();
            }
            work.run(session);
        } catch (StoreFailure e) {
            EtcdFailure.Kind kind = e instanceof EtcdFailure failure ? failure.kind() : EtcdFailure.Kind.OTHER;
            if (kind == EtcdFailure.Kind.OLD_TOKEN && !isRenewed) {
                LOG.debug("registry {}: {}; beginning another session", members, e.getMessage());
                isRenewed = true;
                return contact.pauseMs();
            }
            contact.failed(e.getMessage());
            refused = kind == EtcdFailure.Kind.REFUSED;
        } catch (RuntimeException e) {
            contact.failed(e);
        }
        if (System.nanoTime() - startedNs > stableNs) {
            contact.resetPause();
        }
        if (refused) {
            refusedUntilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(refusedBackoff.nextMs());
            return 0;
        }
        return contact.pauseMs();
    }

    /** Called when etcd has answered; returns whether it was away until now. */
    boolean isBack() {
        refusedBackoff.reset();
        isRenewed = false;
        return contact.answered();
    }
}
