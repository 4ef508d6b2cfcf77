package io.dubbomesh.registry.zookeeper;

/** A request failed; whether the session is of use any more, it says itself. */
class ZooKeeperFailure extends Exception {
    private static final long serialVersionUID = 1;

    ZooKeeperFailure(String message, Throwable cause) {
        super(message, cause, false, false);
    }
}
