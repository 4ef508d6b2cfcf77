package io.dubbomesh.transport.tls;

import io.dubbomesh.transport.socket.PeerNetwork;
import io.dubbomesh.transport.tls.HandshakeWindow.Opening;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Connections that wait until their handshakes may begin: {@linkplain PeerNetwork networks} have turns, and so have the
 * addresses of one network. Of an address, the first that came is taken; or the newest, while the first one waits for
 * so long that its peer may give up before it was served, as would all behind it. Owned by one window.
 */
final class WaitingOpenings {
    private final long patientNs;
    /** The waiting openings by network and address; the first one is next. */
    private final Map<ByteBuffer, Map<InetAddress, TreeMap<Long, Opening>>> networks = new LinkedHashMap<>();

    private final Map<Opening, Since> all = new HashMap<>();
    private long lastNumber;

    /** @param number counts the connections */
    private record Since(long number, long ns) {}

    WaitingOpenings(long patientNs) {
        this.patientNs = patientNs;
    }

    void add(Opening opening, long nowNs) {
        Since since = new Since(++lastNumber, nowNs);
        all.put(opening, since);
        networks.computeIfAbsent(PeerNetwork.of(opening.address()), network -> new LinkedHashMap<>())
                .computeIfAbsent(opening.address(), address -> new TreeMap<>())
                .put(since.number, opening);
    }

    /** Removes an opening; nothing happens if it does not wait. */
    void remove(Opening opening) {
        Since since = all.remove(opening);
        if (since == null) {
            return;
        }
        ByteBuffer key = PeerNetwork.of(opening.address());
        Map<InetAddress, TreeMap<Long, Opening>> network = networks.get(key);
        TreeMap<Long, Opening> ofAddress = network.get(opening.address());
        ofAddress.remove(since.number);
        if (ofAddress.isEmpty()) {
            network.remove(opening.address());
        }
        if (network.isEmpty()) {
            networks.remove(key);
        }
    }

    /** Removes the opening whose turn it is; there must be one. */
    Opening take(long nowNs) {
        Map<InetAddress, TreeMap<Long, Opening>> network = turn(networks);
        TreeMap<Long, Opening> ofAddress = turn(network);
        Opening first = ofAddress.firstEntry().getValue();
        boolean isLate = nowNs - all.get(first).ns > patientNs;
        Opening taken = isLate ? ofAddress.lastEntry().getValue() : first;
        remove(taken);
        return taken;
    }

    /** The next turn of what is returned comes after those of all others. */
    private static <K, V> V turn(Map<K, V> inOrder) {
        K next = inOrder.keySet().iterator().next();
        V value = inOrder.remove(next);
        inOrder.put(next, value);
        return value;
    }

    int count() {
        return all.size();
    }
}
