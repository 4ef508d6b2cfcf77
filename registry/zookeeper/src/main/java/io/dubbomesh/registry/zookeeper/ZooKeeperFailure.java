package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.keep.StoreFailure;

/** A request failed; whether the session is of use any more, it says itself. */
class ZooKeeperFailure extends StoreFailure {
    private static final long serialVersionUID = 1;

    ZooKeeperFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
