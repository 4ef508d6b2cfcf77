package io.dubbomesh.consumer.upstream.pool;

import io.dubbomesh.consumer.upstream.link.LatestLoad;
import io.dubbomesh.consumer.upstream.link.ProviderEndpoint;
import io.dubbomesh.loadbalance.LoadView;

/** The view that a balancer has of a pool's members in one pick. Reused. */
final class PoolView implements LoadView {
    /** The members that have room for a call. */
    enum Reach {
        /** The members in rotation, within this event loop's share of their limits. */
        WITHIN_SHARE,
        /** The members in rotation, within what other loops do not use of the limits, too. */
        BEYOND_SHARE,
        /** The ejected members. */
        EJECTED
    }

    /** The members that may get a call, by where they are. */
    enum Place {
        ANYWHERE,
        /** The members in the zone of this agent that all consumer agents together have not filled. */
        IN_ZONE,
        OUT_OF_ZONE
    }

    private final PoolRotation rotation;
    private PoolMember[] members = {};
    private Place place;
    private Reach reach;
    private long key;
    private ProviderEndpoint excluded;
    private boolean unproven;
    private long nowNs;

    /** @param rotation that sets the weights of the members */
    PoolView(PoolRotation rotation) {
        this.rotation = rotation;
    }

    void members(PoolMember[] changed) {
        members = changed;
    }

    /**
     * Takes another call.
     *
     * @param ofCall the key, or {@link #NO_KEY}
     * @param except the endpoint that has no room for this call; null for none
     * @param ofUnproven whether it only goes where {@link ProviderEndpoint#takesUnproven}
     */
    void bind(long ofCall, ProviderEndpoint except, boolean ofUnproven, long pickedNs) {
        key = ofCall;
        excluded = except;
        unproven = ofUnproven;
        nowNs = pickedNs;
    }

    /** Takes those members for the call that may get it. */
    PoolView narrow(Place where, Reach wanted) {
        place = where;
        reach = wanted;
        return this;
    }

    @Override
    public long key() {
        return key;
    }

    @Override
    public int size() {
        return members.length;
    }

    @Override
    public long identity(int index) {
        return members[index].endpoint().id().address().identity();
    }

    @Override
    public int weight(int index) {
        return members[index].weight();
    }

    @Override
    public int weightsVersion() {
        return rotation.weightsVersion();
    }

    @Override
    public boolean hasRoom(int index) {
        PoolMember member = members[index];
        return member.isEjected() == (reach == Reach.EJECTED)
                && member.endpoint() != excluded
                && isInPlace(member)
                && (!unproven || member.endpoint().takesUnproven())
                && member.endpoint().hasRoom(reach != Reach.WITHIN_SHARE, nowNs);
    }

    /** Returns the largest part of a member with room, in hundredths; 0 if none has room. */
    int largestPart() {
        int largest = 0;
        for (int i = 0; i < members.length; i++) {
            if (members[i].part() > largest && weight(i) > 0 && hasRoom(i)) {
                largest = members[i].part();
            }
        }
        return largest;
    }

    private boolean isInPlace(PoolMember member) {
        return switch (place) {
            case ANYWHERE -> true;
            case IN_ZONE -> member.isInZone() && !member.endpoint().isFull(nowNs);
            case OUT_OF_ZONE -> !member.isInZone();
        };
    }

    /** Returns the calls of all services, since they keep the same provider busy. */
    @Override
    public int inFlight(int index) {
        return members[index].endpoint().inFlight();
    }

    @Override
    public boolean reportsLoad(int index) {
        return members[index].endpoint().load().isKnown();
    }

    @Override
    public int providerCalls(int index) {
        LatestLoad load = members[index].endpoint().load();
        return load.inService() + load.waiting() + load.sentSince();
    }

    @Override
    public long providerCallNs(int index) {
        return members[index].endpoint().load().timeNs();
    }
}
