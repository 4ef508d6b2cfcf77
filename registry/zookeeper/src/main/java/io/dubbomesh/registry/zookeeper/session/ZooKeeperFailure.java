package io.dubbomesh.registry.zookeeper.session;

import io.dubbomesh.registry.keep.StoreFailure;

/** A request failed; whether the session is of use any more, it says itself. */
public class ZooKeeperFailure extends StoreFailure {
    private static final long serialVersionUID = 1;

    public ZooKeeperFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
