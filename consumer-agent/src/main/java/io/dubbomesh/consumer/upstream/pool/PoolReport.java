package io.dubbomesh.consumer.upstream.pool;

/**
 * Says in problem documents what is known of endpoints: how many there are and, of the first ones, why each takes no
 * call.
 */
public final class PoolReport {
    /** Calls that fail may be many: their texts are short. */
    private static final int MAX_NAMED = 4;

    private PoolReport() {}

    /**
     * Returns the reason of each endpoint: {@code 2 endpoints: 192.0.2.7:30000: weight 0; 192.0.2.8:30000: Connection
     * refused, 12 ms ago}.
     */
    public static String of(EndpointPool pool, long nowNs) {
        PoolMember[] members = pool.members();
        if (members.length == 0) {
            String emptiedBy = pool.routing().emptiedBy();
            return emptiedBy == null ? "none is registered" : "the routing rules leave none: " + emptiedBy;
        }
        StringBuilder text = new StringBuilder(64);
        text.append(members.length);
        if (pool.candidates() > members.length) {
            text.append(" of ").append(pool.candidates());
        }
        text.append(members.length == 1 ? " endpoint: " : " endpoints: ");
        int named = Math.min(members.length, MAX_NAMED);
        for (int i = 0; i < named; i++) {
            text.append(i == 0 ? "" : "; ").append(members[i].endpoint()).append(": ");
            members[i].describe(text, nowNs);
        }
        if (members.length > named) {
            text.append("; and ").append(members.length - named).append(" more");
        }
        return text.toString();
    }
}
