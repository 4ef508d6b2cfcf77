package io.dubbomesh.provider.mesh;

import io.dubbomesh.transport.socket.PeerNetwork;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Connections whose peers have not sent a valid HELLO yet. Anybody can open one, so they are few, and one makes room
 * for a new one: whoever opens many keeps nobody out. It is taken from the {@linkplain PeerNetwork network} that has
 * most of them, there from the address that has most, and is the oldest of that; the oldest of all decides among
 * equals. So strangers take from each other and not from agents elsewhere, and one with addresses in many networks
 * leaves each new connection the time in which he opens as many others as there may be.
 *
 * <p>Where the address of the new one would have most of them, connections are left some time for their handshake
 * first, and the new one is closed itself: so peers which all connect at once from behind one address do not push each
 * other out.
 *
 * <p>What is done for a connection takes a time that grows with the logarithm of their number. Owned by one event loop.
 *
 * @param <C> a connection
 */
final class OpeningConnections<C> {
    private static final long TIME_FOR_HELLO_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final int max;
    private final Map<ByteBuffer, Network<C>> networks = new HashMap<>();
    /** The same ones; the first of them makes room. */
    private final TreeSet<Network<C>> ranked = new TreeSet<>(
            Comparator.<Network<C>>comparingInt(Network::count).reversed().thenComparingLong(Network::number));

    private int size;
    private long lastNumber;

    OpeningConnections(int max) {
        this.max = max;
    }

    /**
     * Adds a connection if there is room for it or can be made.
     *
     * @return the one that is to be closed: another one, which is not among these any more, {@code connection} itself,
     *     which is not added then, or null for none
     */
    C add(C connection, InetAddress address, long nowNs) {
        C replaced = null;
        if (size >= max) {
            Network<C> own = networks.get(PeerNetwork.of(address));
            boolean isOwnNetwork =
                    own != null && own.count() + 1 >= ranked.first().count();
            Network<C> network = isOwnNetwork ? own : ranked.first();
            Origin<C> from = network.first();
            Origin<C> ownOrigin = network.origin(address);
            if (ownOrigin != null && ownOrigin.count() + 1 >= from.count()) {
                if (nowNs - ownOrigin.oldest().getValue().openedNs < TIME_FOR_HELLO_NS) {
                    return connection;
                }
                from = ownOrigin;
            }
            replaced = from.oldest().getKey();
            remove(replaced, from.address);
        }
        Network<C> network = networks.computeIfAbsent(PeerNetwork.of(address), first -> new Network<>());
        ranked.remove(network);
        network.add(connection, address, new Opened(++lastNumber, nowNs));
        ranked.add(network);
        size++;
        return replaced;
    }

    /** Its HELLO has come, or it is closed. */
    void remove(C connection, InetAddress address) {
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

    /** What it is ranked by may change only while it is not ranked; the same holds for addresses. */
    private static final class Network<C> {
        private final Map<InetAddress, Origin<C>> origins = new HashMap<>();
        private final TreeSet<Origin<C>> ranked = new TreeSet<>(
                Comparator.<Origin<C>>comparingInt(Origin::count).reversed().thenComparingLong(Origin::number));
        private int count;

        int count() {
            return count;
        }

        /** Of the connection that it would give. */
        long number() {
            return count == 0 ? Long.MAX_VALUE : first().number();
        }

        Origin<C> first() {
            return ranked.first();
        }

        /** Null if there is none. */
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
