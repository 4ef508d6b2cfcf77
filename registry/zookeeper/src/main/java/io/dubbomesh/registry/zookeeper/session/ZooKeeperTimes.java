package io.dubbomesh.registry.zookeeper.session;

/**
 * The intervals and timeouts of everything that concerns ZooKeeper.
 *
 * @param sessionMs  how long a session outlives its connection; a member that says nothing for two thirds of it is left
 * @param confirmMs  between two checks that ZooKeeper answers
 * @param graceMs how long endpoints are kept when ZooKeeper has lost its data: the default timeout of a provider's
 *     session
 * @param batchMs    changes that follow each other within it reach the event loops together
 * @param retryMinMs pause before another session after a first failure; doubles
 * @param retryMaxMs up to this
 */
public record ZooKeeperTimes(
        int sessionMs, long confirmMs, long graceMs, long batchMs, long retryMinMs, long retryMaxMs) {
    public static final ZooKeeperTimes DEFAULT = new ZooKeeperTimes(12_000, 2_000, 60_000, 50, 100, 2_000);
}
