package io.dubbomesh.consumer.upstream.pool;

import io.dubbomesh.consumer.health.SlowStart;
import io.dubbomesh.consumer.upstream.directory.ServiceSubset;

/**
 * Which calls of a pool stay in the zone of this agent: all that its endpoints there have room for. What exceeds that
 * is spread over the others with room by their weights. Where none has room, zones do not count.
 *
 * <p>Envoy's zone aware routing (zone_aware_lb in load_balancer_impl.cc) knows neither what an upstream host can take
 * nor what it is given: it takes the zone's part of the upstream hosts for the capacity, and the zone's part of the
 * originating cluster for the demand, keeps {@code capacity / demand} of the calls, and spreads the rest by what
 * capacity the other zones have left. Here both are known: a provider agent tells its limit, and with each answer what
 * is in service. So the same quotient comes about call by call, and needs neither the number of consumer agents nor a
 * least number of endpoints: with a limit of 100 in the zone and 125 calls to be in service, 100 stay, which are 80 %.
 *
 * <p>Where all endpoints of the zone that have room start slowly and others do not, only the part stays by which the
 * farthest of them has started: else the first one of a zone would get the calls of all agents there at once, and one
 * that starts all those that the others of a busy zone have no room for.
 *
 * <p>Owned by one event loop.
 */
final class ZonePreference {
    private final LocalZone zone;
    /** Whether there are members in the zone and others: else there is nothing to prefer. */
    private boolean mixed;
    /** The hundredths of a call that may stay. */
    private int credit;

    ZonePreference(LocalZone zone) {
        this.zone = zone;
    }

    /** Notes which members are in the zone. */
    void update(PoolMember[] members, ServiceSubset.Choice chosen) {
        int inZone = 0;
        for (int i = 0; i < members.length; i++) {
            boolean isInZone = zone.has(chosen.endpoints().get(i));
            members[i].setInZone(isInZone);
            inZone += isInZone ? 1 : 0;
        }
        mixed = inZone > 0 && inZone < members.length;
    }

    boolean isMixed() {
        return mixed;
    }

    /**
     * Returns whether the next call is to stay in the zone, where members start slowly.
     *
     * @param inZone  the part of its calls that the farthest member in the zone gets of those with room; 0 for none
     * @param outside that of the farthest other one
     */
    boolean keepsNext(int inZone, int outside) {
        if (inZone >= outside) {
            return true;
        }
        credit += SlowStart.WHOLE * inZone / outside;
        if (credit < SlowStart.WHOLE) {
            return false;
        }
        credit -= SlowStart.WHOLE;
        return true;
    }

    /** Counts the call if it leaves a zone in which there are endpoints. */
    void picked(PoolMember member) {
        if (mixed && !member.isInZone()) {
            zone.countLeft();
        }
    }
}
