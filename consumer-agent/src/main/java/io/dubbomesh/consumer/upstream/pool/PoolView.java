package io.dubbomesh.consumer.upstream.pool;

import io.dubbomesh.consumer.upstream.link.ProviderEndpoint;
import io.dubbomesh.loadbalance.LoadView;

/** The view that a balancer has of a pool's members in one pick. Reused. */
final class PoolView implements LoadView {
    /** The members that have room for a call. */
    enum Reach {
        /** Those {@link #WITHIN_SHARE} in the zone of this agent that no consumer agent has filled. */
        IN_ZONE_WITHIN_SHARE,
        /** Those {@link #BEYOND_SHARE} in the zone of this agent that no consumer agent has filled. */
        IN_ZONE_BEYOND_SHARE,
        /** The members in rotation, within this event loop's share of their limits. */
        WITHIN_SHARE,
        /** The members in rotation, within what other loops do not use of the limits, too. */
        BEYOND_SHARE,
        /** The ejected members. */
        EJECTED;

        boolean isInZone() {
            return this == IN_ZONE_WITHIN_SHARE || this == IN_ZONE_BEYOND_SHARE;
        }

        boolean isWithinShare() {
            return this == WITHIN_SHARE || this == IN_ZONE_WITHIN_SHARE;
        }
    }

    private PoolMember[] members = {};
    private Reach reach;
    private ProviderEndpoint excluded;
    private long nowNs;

    void members(PoolMember[] changed) {
        members = changed;
    }

    /** @param except the endpoint that has no room for this call; null for none */
    PoolView bind(Reach wanted, ProviderEndpoint except, long pickedNs) {
        reach = wanted;
        excluded = except;
        nowNs = pickedNs;
        return this;
    }

    @Override
    public int size() {
        return members.length;
    }

    @Override
    public int weight(int index) {
        return members[index].weight();
    }

    @Override
    public boolean hasRoom(int index) {
        PoolMember member = members[index];
        return member.isEjected() == (reach == Reach.EJECTED)
                && member.endpoint() != excluded
                && (!reach.isInZone() || member.isInZone() && !member.endpoint().isFull(nowNs))
                && member.endpoint().hasRoom(!reach.isWithinShare(), nowNs);
    }
}
