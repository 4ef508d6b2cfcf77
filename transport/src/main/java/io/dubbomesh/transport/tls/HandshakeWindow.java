package io.dubbomesh.transport.tls;

import io.dubbomesh.transport.socket.PeerNetwork;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Decides when the handshakes of accepted connections begin. Anybody can send a ClientHello and nothing more, and what TLS then keeps takes 20 KB and more
 * and lives long enough to leave the collector's young generation: a few thousand of these strangers had the heap fill up again and again. So no more
 * handshakes are under way than a window allows. It behaves as that of TCP does (RFC 5681, slow start): it grows by one with each handshake that
 * succeeds, so that many peers at once soon have what they need, and shrinks by one with each that stands still.
 *
 * <p>Beyond the window, connections wait, in turn by {@linkplain PeerNetwork network} and then in the order in which they came. While some wait, a handshake
 * that is under way for half a second makes room: the answer of a peer anywhere on earth takes less. For any thread.
 */
final class HandshakeWindow {
    /** With the connections that wait, they fit into what the collector keeps in the young generation of an agent's heap (1.6 MB). */
    static final int MIN = 16;

    static final long LEAST_MS = 500;
    /** Between looks for handshakes that stand still, while others wait. */
    static final long LOOK_MS = 50;

    private static final long LEAST_NS = TimeUnit.MILLISECONDS.toNanos(LEAST_MS);

    private final int max;
    private final Consumer<Runnable> later;
    private final LongSupplier clock;

    private int size = MIN;
    /** When each began; oldest first. */
    private final Map<Opening, Long> begun = new LinkedHashMap<>();
    /** By network; the first one is next. */
    private final Map<ByteBuffer, Set<Opening>> waiting = new LinkedHashMap<>();

    private int waitingCount;
    private boolean looksLater;

    /** A connection whose ClientHello has come. */
    interface Opening {
        InetAddress address();

        /** The handshake may begin. Called once at most, by any thread. */
        void begin();

        /** The handshake stands still and others wait: the connection is to be closed. Called once at most, by any thread. */
        void giveUp();
    }

    /** How a handshake has ended. */
    enum End {
        SUCCEEDED,
        /** In the time that it had, the peer has not answered. */
        STOOD_STILL,
        /** Otherwise, or it has not begun. */
        FAILED
    }

    /**
     * @param max   handshakes under way, whatever the window is
     * @param later runs a task some {@value #LOOK_MS} ms later
     * @param clock as {@link System#nanoTime()}
     */
    HandshakeWindow(int max, Consumer<Runnable> later, LongSupplier clock) {
        this.max = max;
        this.later = later;
        this.clock = clock;
    }

    /** Begins its handshake now, or later, unless it {@linkplain #end ends} before. */
    void request(Opening opening) {
        if (enter(opening)) {
            opening.begin();
        } else {
            look();
        }
    }

    private synchronized boolean enter(Opening opening) {
        if (begun.size() < size) {
            begun.put(opening, clock.getAsLong());
            return true;
        }
        waiting.computeIfAbsent(PeerNetwork.of(opening.address()), network -> new LinkedHashSet<>())
                .add(opening);
        waitingCount++;
        return false;
    }

    /** It waits or is under way no more; nothing happens if that is known. */
    void end(Opening opening, End end) {
        List<Opening> next;
        synchronized (this) {
            if (begun.remove(opening) != null) {
                resize(end);
            } else {
                leave(opening);
            }
            next = takeWaiting();
        }
        next.forEach(Opening::begin);
    }

    private void resize(End end) {
        switch (end) {
            case SUCCEEDED -> size = Math.min(max, size + 1);
            case STOOD_STILL -> size = Math.max(MIN, size - 1);
            case FAILED -> {}
        }
    }

    private void leave(Opening opening) {
        ByteBuffer network = PeerNetwork.of(opening.address());
        Set<Opening> ofNetwork = waiting.get(network);
        if (ofNetwork != null && ofNetwork.remove(opening)) {
            waitingCount--;
            if (ofNetwork.isEmpty()) {
                waiting.remove(network);
            }
        }
    }

    private List<Opening> takeWaiting() {
        List<Opening> next = new ArrayList<>();
        while (begun.size() < size && waitingCount > 0) {
            Opening taken = takeFirst();
            begun.put(taken, clock.getAsLong());
            next.add(taken);
        }
        return next;
    }

    /** The next turn of its network comes after those of all others. */
    private Opening takeFirst() {
        ByteBuffer network = waiting.keySet().iterator().next();
        Set<Opening> ofNetwork = waiting.remove(network);
        Iterator<Opening> inOrder = ofNetwork.iterator();
        Opening first = inOrder.next();
        inOrder.remove();
        waitingCount--;
        if (!ofNetwork.isEmpty()) {
            waiting.put(network, ofNetwork);
        }
        return first;
    }

    private void lookAgain() {
        synchronized (this) {
            looksLater = false;
        }
        look();
    }

    /** Makes room for those that wait, and looks again later if some still do. */
    private void look() {
        List<Opening> stuck;
        List<Opening> next;
        boolean again;
        synchronized (this) {
            stuck = takeStuck();
            next = takeWaiting();
            again = waitingCount > 0 && !looksLater;
            looksLater |= again;
        }
        stuck.forEach(Opening::giveUp);
        next.forEach(Opening::begin);
        if (again) {
            later.accept(this::lookAgain);
        }
    }

    /** As many as others wait for, unless they are not that old. */
    private List<Opening> takeStuck() {
        List<Opening> stuck = new ArrayList<>();
        Iterator<Map.Entry<Opening, Long>> oldest = begun.entrySet().iterator();
        while (size - begun.size() < waitingCount && oldest.hasNext()) {
            Map.Entry<Opening, Long> one = oldest.next();
            if (clock.getAsLong() - one.getValue() < LEAST_NS) {
                break;
            }
            oldest.remove();
            stuck.add(one.getKey());
            resize(End.STOOD_STILL);
        }
        return stuck;
    }
}
