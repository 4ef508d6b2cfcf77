package io.dubbomesh.registry.etcd;

import io.dubbomesh.registry.keep.StoreFailure;

/** A request to etcd that failed. */
final class EtcdFailure extends StoreFailure {
    private static final long serialVersionUID = 1L;

    enum Kind {
        /** The lease is not, or no longer, known. */
        NOT_FOUND,
        /** The answer is longer than the client accepts. */
        TOO_LARGE,
        /** etcd refuses the user or the password, or what the user may not do. */
        REFUSED,
        /** The token of this session has expired, or a user or role has changed since: another token may serve. */
        OLD_TOKEN,
        /** The revision asked for is no longer kept. */
        COMPACTED,
        /** Anything else: a request may have been executed. */
        OTHER
    }

    private final Kind kind;

    EtcdFailure(String message, Kind kind) {
        super(message);
        this.kind = kind;
    }

    Kind kind() {
        return kind;
    }
}
