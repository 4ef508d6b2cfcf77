package io.dubbomesh.provider.mesh;

import java.util.Locale;

/** Counts the connections that did not become links, because of this side, by the reason. Owned by one event loop. */
public final class RefusedLinks {
    /** The reason for which a connection was refused. */
    public enum Reason {
        /** The HELLO did not come in time. */
        NO_HELLO,
        /** The peer sent what is no HELLO, nor the begin of one. */
        PROTOCOL,
        /** The peer has not proven to have a token. */
        TOKEN,
        /**
         * The connection was closed for another one that had not sent its HELLO either, or there was no place for it
         * among these.
         */
        MAX_OPENING,
        /** There are too many links. */
        MAX_CONNECTIONS;

        /** Returns the label in metrics. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final long[] counts = new long[Reason.values().length];

    void add(Reason reason) {
        counts[reason.ordinal()]++;
    }

    public long count(Reason reason) {
        return counts[reason.ordinal()];
    }
}
