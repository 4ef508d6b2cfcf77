package io.dubbomesh.transport.tls;

import java.net.InetAddress;
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
 * Decides when the handshakes of accepted connections begin. Every peer can send a ClientHello and nothing more, and
 * what TLS then keeps takes 20 KB and more and lives long enough to leave the collector's young generation: a few
 * thousand of these strangers had the heap fill up again and again. So no more handshakes are under way than a window
 * allows. It behaves as that of TCP does (RFC 5681, slow start; RFC 7661): while it is the limit, it grows by one with
 * each handshake that succeeds, so that many peers at once soon have what they need; it shrinks with those that stand
 * still, and is small again when it is empty.
 *
 * <p>Beyond the window, connections {@linkplain WaitingOpenings wait for their turn}. While some wait, a handshake
 * makes room whose peer has been awaited for half a second: an answer from anywhere on earth takes less. For any
 * thread.
 */
final class HandshakeWindow {
    /**
     * The least window: with the connections that wait, they nearly fit into what the collector keeps in the young
     * generation of an agent's heap (1.6 MB).
     */
    static final int MIN = 32;

    static final long LEAST_MS = 500;
    /** The time between looks for handshakes that stand still, while others wait. */
    static final long LOOK_MS = 50;

    private static final long LEAST_NS = TimeUnit.MILLISECONDS.toNanos(LEAST_MS);

    private final int max;
    private final Consumer<Runnable> later;
    private final LongSupplier clock;
    private final WaitingOpenings waiting;

    private int size = MIN;
    /** The handshakes under way, and since when the peer is awaited; the longest first. */
    private final Map<Opening, Long> awaited = new LinkedHashMap<>();
    /** The handshakes under way for which this agent computes. */
    private final Set<Opening> computed = new LinkedHashSet<>();

    private boolean looksLater;

    /** A connection whose ClientHello has come. */
    interface Opening {
        InetAddress address();

        /** Called when the handshake may begin that had to wait. Called once at most, by any thread; throws nothing. */
        void begin();

        /**
         * Called when the handshake stands still and others wait: the connection is to be closed. Called once at most,
         * by any thread; throws nothing.
         */
        void abandon();
    }

    /** The end of a handshake. */
    enum End {
        SUCCEEDED,
        /** The peer has not answered in the time that it had. */
        STOOD_STILL,
        /** Otherwise, or it has not begun. */
        FAILED
    }

    /**
     * @param max handshakes under way with any window
     * @param patientMs how long connections of one address wait at most before the newest has its turn first, as the
     *     others may have gone
     * @param later     runs a task some {@value #LOOK_MS} ms later
     * @param clock     as {@link System#nanoTime()}
     */
    HandshakeWindow(int max, long patientMs, Consumer<Runnable> later, LongSupplier clock) {
        this.max = max;
        this.later = later;
        this.clock = clock;
        waiting = new WaitingOpenings(TimeUnit.MILLISECONDS.toNanos(patientMs));
    }

    /**
     * Returns whether its handshake may begin now; otherwise {@link Opening#begin} is called when it may, unless it
     * {@linkplain #end ends} before.
     */
    boolean request(Opening opening) {
        boolean mayBegin = enter(opening);
        if (!mayBegin) {
            look();
        }
        return mayBegin;
    }

    private synchronized boolean enter(Opening opening) {
        if (underWay() < size) {
            awaited.put(opening, clock.getAsLong());
            return true;
        }
        waiting.add(opening, clock.getAsLong());
        return false;
    }

    private int underWay() {
        return awaited.size() + computed.size();
    }

    /** Called when this agent computes for a handshake that has begun: its peer is not awaited. */
    synchronized void computes(Opening opening) {
        if (awaited.remove(opening) != null) {
            computed.add(opening);
        }
    }

    /** Called when it has computed. */
    synchronized void awaits(Opening opening) {
        if (computed.remove(opening)) {
            awaited.put(opening, clock.getAsLong());
        }
    }

    /** Called when it waits or is under way no more; nothing happens if that is known. */
    void end(Opening opening, End end) {
        List<Opening> next;
        synchronized (this) {
            boolean isLimit = underWay() >= size;
            if (awaited.remove(opening) != null || computed.remove(opening)) {
                if (end == End.SUCCEEDED && isLimit) {
                    size = Math.min(max, size + 1);
                } else if (end == End.STOOD_STILL) {
                    size = Math.max(MIN, size - 1);
                }
            } else {
                waiting.remove(opening);
            }
            next = takeWaiting();
            if (underWay() == 0) {
                size = MIN;
            }
        }
        next.forEach(Opening::begin);
    }

    private List<Opening> takeWaiting() {
        List<Opening> next = new ArrayList<>();
        while (underWay() < size && waiting.count() > 0) {
            Opening taken = waiting.take(clock.getAsLong());
            awaited.put(taken, clock.getAsLong());
            next.add(taken);
        }
        return next;
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
            if (!stuck.isEmpty()) {
                size = Math.max(MIN, size / 2);
            }
            again = waiting.count() > 0 && !looksLater;
            looksLater |= again;
        }
        if (again) {
            later.accept(this::lookAgain);
        }
        stuck.forEach(Opening::abandon);
        next.forEach(Opening::begin);
    }

    /** Takes out as many as others wait for, unless they are not that old. */
    private List<Opening> takeStuck() {
        List<Opening> stuck = new ArrayList<>();
        Iterator<Map.Entry<Opening, Long>> longest = awaited.entrySet().iterator();
        while (size - underWay() < waiting.count() && longest.hasNext()) {
            Map.Entry<Opening, Long> one = longest.next();
            if (clock.getAsLong() - one.getValue() < LEAST_NS) {
                break;
            }
            longest.remove();
            stuck.add(one.getKey());
        }
        return stuck;
    }
}
