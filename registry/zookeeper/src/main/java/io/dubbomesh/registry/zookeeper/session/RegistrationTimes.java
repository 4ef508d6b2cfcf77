package io.dubbomesh.registry.zookeeper.session;

import java.time.Duration;

/**
 * The intervals and timeouts of an agent's registration in ZooKeeper.
 *
 * @param sessionMs how long nodes outlive their agent; ZooKeeper cuts it to what its administrator allows, 4 to 40 s
 *     unless told otherwise
 * @param confirmMs  between two checks that ZooKeeper answers
 * @param answerMs   for one answer, before the session is given up
 * @param patienceMs without a connection before another session is tried: a ZooKeeper that was emptied never takes the
 *     old one
 * @param leavingMs how long nodes say that the agent leaves before they are deleted: ZooKeeper reports that a node
 *     changed, but not what it said
 * @param retryMinMs pause before another session after a first failure; doubles
 * @param retryMaxMs up to this
 * @param closeMs    what closing may take if ZooKeeper does not answer
 */
public record RegistrationTimes(
        int sessionMs,
        long confirmMs,
        long answerMs,
        long patienceMs,
        long leavingMs,
        long retryMinMs,
        long retryMaxMs,
        long closeMs) {
    public static RegistrationTimes of(Duration lease) {
        int sessionMs = Math.toIntExact(lease.toMillis());
        return new RegistrationTimes(
                sessionMs,
                Math.min(2_000, sessionMs / 4),
                10_000,
                Math.min(4_000, sessionMs / 2),
                400,
                100,
                2_000,
                2_000);
    }
}
