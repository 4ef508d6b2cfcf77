package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.etcd.client.LeaseState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The lease under an agent's keys; etcd deletes them when it is not prolonged in time. Belongs to one thread, except
 * for {@link #leftNs}.
 */
final class EtcdLease {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);

    private final EtcdMembers members;
    private final long seconds;
    private volatile long id;
    /** The earliest time at which it ends unless it is prolonged. */
    private volatile long endsNs;

    EtcdLease(EtcdMembers members, long seconds) {
        this.members = members;
        this.seconds = seconds;
    }

    boolean isHeld() {
        return id != 0;
    }

    /** Returns 0 if none is held. */
    long id() {
        return id;
    }

    void grant(EtcdSession session) throws EtcdFailure, InterruptedException {
        long askedNs = System.nanoTime();
        long granted = session.await(session.client().grantLease(seconds)).id();
        endsIn(seconds, askedNs);
        id = granted;
    }

    void prolong(EtcdSession session) throws EtcdFailure, InterruptedException {
        if (!isHeld()) {
            return;
        }
        try {
            long askedNs = System.nanoTime();
            long left = session.await(session.client().prolongLease(id)).leftSeconds();
            if (left <= 0) {
                lost();
            } else {
                endsIn(left, askedNs);
            }
        } catch (EtcdFailure e) {
            loseOrThrow(e);
        }
    }

    /**
     * Asks for the lease, and prolongs it once a third of its time has passed, as every client of etcd does.
     *
     * @return the keys attached to it; null if it is gone
     */
    Set<String> confirm(EtcdSession session) throws EtcdFailure, InterruptedException {
        long askedNs = System.nanoTime();
        LeaseState answer = session.await(session.client().leaseWithKeys(id));
        if (answer.leftSeconds() <= 0) {
            lost();
            return null;
        }
        endsIn(answer.leftSeconds(), askedNs);
        if (answer.leftSeconds() <= answer.grantedSeconds() * 2 / 3) {
            prolong(session);
        }
        return answer.keys();
    }

    void revoke(EtcdSession session) throws EtcdFailure, InterruptedException {
        if (!isHeld()) {
            return;
        }
        try {
            session.await(session.client().revokeLease(id));
            id = 0;
        } catch (EtcdFailure e) {
            loseOrThrow(e);
        }
    }

    /** Throws what failed, unless it says that the lease is gone. */
    void loseOrThrow(EtcdFailure failure) throws EtcdFailure {
        if (failure.kind() != EtcdFailure.Kind.NOT_FOUND) {
            throw failure;
        }
        lost();
    }

    private void endsIn(long leftSeconds, long askedNs) {
        endsNs = askedNs + TimeUnit.SECONDS.toNanos(leftSeconds);
    }

    /**
     * Returns the time until it ends unless it is prolonged; -1 if none is held. Called by any thread.
     */
    long leftNs() {
        return isHeld() ? Math.max(0, endsNs - System.nanoTime()) : -1;
    }

    private void lost() {
        LOG.info("registry {}: the lease of this agent is gone", members);
        id = 0;
    }
}
