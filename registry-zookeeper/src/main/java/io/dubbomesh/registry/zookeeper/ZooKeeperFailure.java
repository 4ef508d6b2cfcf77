package io.dubbomesh.registry.zookeeper;

/** The session is of no more use. */
final class ZooKeeperFailure extends Exception {
    private static final long serialVersionUID = 1;

    ZooKeeperFailure(String message, Throwable cause) {
        super(message, cause, false, false);
    }
}
