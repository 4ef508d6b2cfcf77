package io.dubbomesh.consumer.server;

import io.dubbomesh.transport.loop.ReadRate;
import io.dubbomesh.transport.loop.TcpState;
import io.dubbomesh.transport.loop.WriteProgress;
import io.dubbomesh.transport.tls.TlsConnection;
import io.netty.channel.Channel;

import java.util.concurrent.TimeUnit;

/**
 * Judges how long a client makes the agent wait. What counts is progress: each byte that the client reads starts the
 * time for answers anew, and what it sends of a body lengthens the time for the body. Owned by the event loop.
 * <pre>
 *   unwritten bytes, in any phase   http.write-timeout since it took the last byte   CLOSE
 *   the same                        http.write-timeout with less than
 *                                   http.min-read-rate                               RESET
 *   AGENT                           none, and the time begins when that is over
 *   IDLE                            http.idle-timeout                                CLOSE
 *   HEAD                            http.head-timeout                                REFUSE
 *   BODY                            http.body-timeout, and a second more for each
 *                                   http.min-body-rate bytes that have arrived       REFUSE
 *   IDLE, HEAD, BODY                http.write-timeout with answers that the system
 *                                   has taken and the client has not read            CLOSE
 *   IDLE, a part of a TLS record    http.head-timeout, and a second more as above    CLOSE
 *   FLUSHING                        http.write-timeout                               CLOSE
 *   LINGERING                       LINGER_NS                                        CLOSE
 * </pre>
 */
final class ClientTimeouts {
    /** The event that a connection waits for when its client has taken all that is written: */
    enum Phase {
        /** This agent: an answer, or room for a large request. */
        AGENT,
        /** The next request. */
        IDLE,
        /** The rest of a request's head. */
        HEAD,
        /** The rest of a request's body. */
        BODY,
        /** The writing of the last answers. */
        FLUSHING,
        /** The client's end of input. */
        LINGERING,
        CLOSED;

        /** Returns whether another request may come. */
        boolean takesRequests() {
            return this == IDLE || this == HEAD || this == BODY;
        }
    }

    enum Verdict {
        WAIT,
        CLOSE,
        /** Close without sending the rest: the system would serve it for hours. */
        RESET,
        /** Answer 408. */
        REFUSE
    }

    private static final long NS_PER_S = 1_000_000_000;
    private static final long LINGER_NS = 2 * NS_PER_S;

    private final HttpSettings.Timeouts limits;
    private final Channel channel;
    /** Null for plain HTTP. */
    private final TlsConnection tls;

    /** Null unless something waits for the client, as do {@link #reads}: most connections never need them. */
    private WriteProgress writes;

    private ReadRate reads;
    /** The time since which the agent waits for the client. */
    private long sinceNs;

    /** @param tls null for plain HTTP */
    ClientTimeouts(HttpSettings.Timeouts limits, Channel channel, TlsConnection tls, long nowNs) {
        this.limits = limits;
        this.channel = channel;
        this.tls = tls;
        sinceNs = nowNs;
    }

    /** Begins another wait for the client. */
    void restart(long nowNs) {
        sinceNs = nowNs;
    }

    /**
     * Judges the client; to be called every half second.
     *
     * @param bodyBytes that have arrived of the body, in the phase BODY
     */
    Verdict check(Phase phase, int bodyBytes, long nowNs) {
        if (WriteProgress.hasUnwritten(channel)) {
            sinceNs = nowNs;
            return checkWrites(nowNs);
        }
        writes = null;
        reads = null;
        if (phase == Phase.AGENT) {
            sinceNs = nowNs;
            return Verdict.WAIT;
        }
        if (phase.takesRequests() && hasUnreadAnswers(nowNs) || phase == Phase.IDLE && isHeadStuckInTls(nowNs)) {
            return Verdict.CLOSE;
        }
        if (nowNs - sinceNs <= limitNs(phase, bodyBytes)) {
            return Verdict.WAIT;
        }
        return phase == Phase.HEAD || phase == Phase.BODY ? Verdict.REFUSE : Verdict.CLOSE;
    }

    private Verdict checkWrites(long nowNs) {
        if (writes == null) {
            writes = new WriteProgress();
            reads = new ReadRate(limits.minReadRate(), limits.writeNs());
        }
        if (writes.isPending(channel, nowNs) && writes.stalledNs(nowNs) > limits.writeNs()) {
            return Verdict.CLOSE;
        }
        return reads.isTooLow(channel, nowNs) ? Verdict.RESET : Verdict.WAIT;
    }

    /**
     * Returns whether answers, all of which the system has taken, have not been read for the whole timeout. The system
     * is asked once, when that is over.
     */
    private boolean hasUnreadAnswers(long nowNs) {
        long beyondNs = nowNs - sinceNs - limits.writeNs();
        return beyondNs > 0
                && beyondNs < NS_PER_S
                && TcpState.isUnreadFor(channel, TimeUnit.NANOSECONDS.toMillis(limits.writeNs()));
    }

    /**
     * Returns whether the client sends something of which nothing can be read. The record may hold a part of a body,
     * too, which takes its time.
     */
    private boolean isHeadStuckInTls(long nowNs) {
        return tls != null
                && nowNs - sinceNs > limits.headNs()
                && tls.hasIncompleteRecordFor(
                        nowNs, limits.headNs() + tls.incompleteRecordBytes() * NS_PER_S / limits.minBodyRate());
    }

    private long limitNs(Phase phase, int bodyBytes) {
        return switch (phase) {
            case IDLE -> limits.idleNs();
            case HEAD -> limits.headNs();
            case BODY -> limits.bodyNs() + (bodyBytes + recordBytes()) * NS_PER_S / limits.minBodyRate();
            case FLUSHING -> limits.writeNs();
            case LINGERING -> LINGER_NS;
            case AGENT, CLOSED -> Long.MAX_VALUE;
        };
    }

    /** Returns what has come of a record of TLS, which a slow client needs many seconds for. */
    private int recordBytes() {
        return tls == null ? 0 : tls.incompleteRecordBytes();
    }
}
