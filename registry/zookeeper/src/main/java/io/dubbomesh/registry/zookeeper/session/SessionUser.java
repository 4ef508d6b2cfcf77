package io.dubbomesh.registry.zookeeper.session;

import io.dubbomesh.registry.address.AccessFiles;
import org.apache.zookeeper.ZooKeeper;

/**
 * The user of a session, whose name and password stand in a file that may change. Used by the thread of the session.
 */
final class SessionUser {
    private final Ensemble ensemble;
    private final ZooKeeper client;
    /** The user that was given to ZooKeeper last. */
    private AccessFiles.User user;
    /** The user that was in the file when it was read last; null before. */
    private AccessFiles.User read;

    /** @param user with whom the client was connected; null for none */
    SessionUser(Ensemble ensemble, ZooKeeper client, AccessFiles.User user) {
        this.ensemble = ensemble;
        this.client = client;
        this.user = user;
    }

    /**
     * Gives ZooKeeper the user who is in the file now, and was at the last call, if it is another one.
     *
     * @return who it is; null if it is the same
     * @throws ZooKeeperFailure if the file cannot be used
     */
    AccessFiles.User readChanged() throws ZooKeeperFailure {
        AccessFiles.User now = ensemble.user();
        // The first half of a password may be read while the file is written.
        boolean isReadTwice = now != null && now.equals(read);
        read = now;
        if (!isReadTwice || now.equals(user)) {
            return null;
        }
        user = now;
        Ensemble.add(client, now);
        return now;
    }
}
