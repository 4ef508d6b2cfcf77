package io.dubbomesh.transport.socket;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * The connections of peers that have not shown yet who they are. Every host can open one, so their number is bounded,
 * and one makes room for a new one: a peer that opens many keeps no other out. What it has depends on the shares:
 * <pre>
 *   shares                    makes room
 *   -----------------------   ----------------------------------------------------------------------------------
 *   of networks               the oldest one of the address that has most in the {@linkplain PeerNetwork network}
 *                             that has most; the oldest of all decides among equals
 *   none                      the oldest one
 * </pre>
 * With shares, strangers take from each other and not from agents elsewhere, and one with addresses in many networks
 * leaves each new connection the time in which he opens as many others as there may be.
 *
 * <p>Where the address of the new one would have most of them, and always without shares, connections keep their places
 * for 100 ms, and the new one is closed itself: so peers which all connect at once do not push each other out.
 *
 * <p>What is done for a connection takes a time that grows with the logarithm of their number. For any thread.
 *
 * @param <C> a connection
 */
public final class PeerPlaces<C> {
    private static final long LEAST_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Whether networks and addresses have shares. */
    private final boolean hasShares;

    private final int max;
    private final Map<ByteBuffer, Network<C>> networks = new HashMap<>();
    /** The same ones; the first of them makes room. */
    private final TreeSet<Network<C>> ranked = new TreeSet<>(
            Comparator.<Network<C>>comparingInt(Network::count).reversed().thenComparingLong(Network::number));

    private int size;
    private long lastNumber;

    private PeerPlaces(int max, boolean hasShares) {
        this.max = max;
        this.hasShares = hasShares;
    }

    /** Makes places in which networks and addresses have shares. */
    public static <C> PeerPlaces<C> shared(int max) {
        return new PeerPlaces<>(max, true);
    }

    /** Makes places that are taken by age alone. */
    public static <C> PeerPlaces<C> byAge(int max) {
        return new PeerPlaces<>(max, false);
    }

    /**
     * Adds a connection if there is room for it or can be made.
     *
     * @return the one that is to be closed: another one, which is not among these any more, {@code connection} itself,
     *     which is not added then, or null for none
     */
    public synchronized C add(C connection, InetAddress from, long nowNs) {
        InetAddress address = origin(from);
        C replaced = null;
        if (size >= max) {
            Network<C> own = networks.get(PeerNetwork.of(address));
            boolean isOwnNetwork =
                    own != null && own.count() + 1 >= ranked.first().count();
            Network<C> network = isOwnNetwork ? own : ranked.first();
            Origin<C> most = network.first();
            Origin<C> ownOrigin = network.origin(address);
            if (ownOrigin != null && ownOrigin.count() + 1 >= most.count()) {
                if (nowNs - ownOrigin.oldest().getValue().openedNs < LEAST_NS) {
                    return connection;
                }
                most = ownOrigin;
            }
            replaced = most.oldest().getKey();
            remove(replaced, most.address);
        }
        Network<C> network = networks.computeIfAbsent(PeerNetwork.of(address), first -> new Network<>());
        ranked.remove(network);
        network.add(connection, address, new Opened(++lastNumber, nowNs));
        ranked.add(network);
        size++;
        return replaced;
    }

    private InetAddress origin(InetAddress from) {
        return hasShares ? from : InetAddress.getLoopbackAddress();
    }

    /** Returns the number of connections. */
    public synchronized int count() {
        return size;
    }

    /** Removes a connection whose peer is known now, or that is closed; nothing happens if it has no place. */
    public synchronized void remove(C connection, InetAddress from) {
        InetAddress address = origin(from);
        ByteBuffer key = PeerNetwork.of(address);
        Network<C> network = networks.get(key);
        if (network == null || !network.has(connection, address)) {
            return;
        }
        ranked.remove(network);
        network.remove(connection, address);
        size--;
        if (network.count() == 0) {
            networks.remove(key);
        } else {
            ranked.add(network);
        }
    }

    /** @param number counts the connections */
    private record Opened(long number, long openedNs) {}

    /** A network, which is ranked: what it is ranked by changes only while it is not. So are addresses. */
    private static final class Network<C> {
        private final Map<InetAddress, Origin<C>> origins = new HashMap<>();
        private final TreeSet<Origin<C>> ranked = new TreeSet<>(
                Comparator.<Origin<C>>comparingInt(Origin::count).reversed().thenComparingLong(Origin::number));
        private int count;

        int count() {
            return count;
        }

        /** Returns the number of the connection that would make room. */
        long number() {
            return count == 0 ? Long.MAX_VALUE : first().number();
        }

        Origin<C> first() {
            return ranked.first();
        }

        /** Returns the connections of an address; null if there are none. */
        Origin<C> origin(InetAddress address) {
            return origins.get(address);
        }

        boolean has(C connection, InetAddress address) {
            Origin<C> origin = origins.get(address);
            return origin != null && origin.opened.containsKey(connection);
        }

        void add(C connection, InetAddress address, Opened opened) {
            Origin<C> origin = origins.computeIfAbsent(address, Origin::new);
            ranked.remove(origin);
            origin.opened.put(connection, opened);
            ranked.add(origin);
            count++;
        }

        void remove(C connection, InetAddress address) {
            Origin<C> origin = origins.get(address);
            ranked.remove(origin);
            origin.opened.remove(connection);
            count--;
            if (origin.count() == 0) {
                origins.remove(address);
            } else {
                ranked.add(origin);
            }
        }
    }

    /** An address, with its connections, oldest first. */
    private static final class Origin<C> {
        final InetAddress address;
        final Map<C, Opened> opened = new LinkedHashMap<>();

        Origin(InetAddress address) {
            this.address = address;
        }

        int count() {
            return opened.size();
        }

        long number() {
            return opened.isEmpty() ? Long.MAX_VALUE : oldest().getValue().number;
        }

        Map.Entry<C, Opened> oldest() {
            return opened.entrySet().iterator().next();
        }
    }
}
