package io.dubbomesh.provider.mesh;

import io.dubbomesh.client.call.ServiceLimit;
import io.dubbomesh.client.connection.DubboUpstream;
import io.dubbomesh.protocol.mesh.Hello;
import io.dubbomesh.protocol.mesh.HelloCredentials;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.LogRate;
import io.dubbomesh.runtime.SharedEvents;
import io.dubbomesh.transport.loop.PeriodicTask;
import io.dubbomesh.transport.mesh.MeshTokenFile;
import io.dubbomesh.transport.metrics.LinkMetrics;
import io.dubbomesh.transport.socket.PeerPlaces;
import io.dubbomesh.transport.socket.TcpAbort;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The mesh links of one event loop, which owns them: when they are read, and how they end. */
public final class MeshLinks {
    private static final Logger LOG = LoggerFactory.getLogger(MeshLinks.class);
    private static final int FEATURES = Hello.TELLS_TIMING | Hello.TAKES_NAMES | Hello.TAKES_STREAMS;
    private static final long DRAIN_CHECK_MS = 20;
    /** The time between looks at a learnt limit; peers need no sooner to know it. */
    private static final long LIMIT_CHECK_MS = 500;

    private static final long LOG_INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);
    /** The lines of an interval about links that come and go: some dozens of consumer agents may start at once. */
    private static final int LINK_LINES = 100;

    /** A HELLO does not say which of them the peer is. */
    private static final String TOKEN_OF_PEER =
            "mesh.token-file of the " + AgentRole.CONSUMER.title() + " or " + AgentRole.GATEWAY.title();

    private static final String NO_TOKEN =
            "a token is demanded, and its HELLO has no answer to the challenge (expected: " + TOKEN_OF_PEER + ')';
    private static final String WRONG_TOKEN = "wrong token (expected: the first one in " + TOKEN_OF_PEER
            + " is one of the " + AgentRole.PROVIDER.title() + "'s)";

    private final EventLoop eventLoop;
    private final MeshSettings settings;
    private final DubboUpstream upstream;
    private final ServiceLimit limit;
    private final Hello hello;
    private final LinkLimit connections;
    /** Null if consumer agents need none. */
    private final MeshTokenFile tokens;

    private final SharedEvents events;
    private final PeerPlaces<Channel> opening;
    private final Set<MeshServerLink> links = new LinkedHashSet<>();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private final LinkMetrics metrics = new LinkMetrics();
    private final RefusedLinks refusals = new RefusedLinks();
    private boolean draining;
    /** The reason for which consumer agents are to send no calls while the agent goes on; null while they may. */
    private String pausedBecause;

    private final LogRate refusalLines = new LogRate(1, LOG_INTERVAL_NS);
    private final LogRate linkLines = new LogRate(LINK_LINES, LOG_INTERVAL_NS);
    /** The limit that the peers were told last. */
    private int sentLimit;

    /**
     * @param connections of the whole agent
     * @param tokens      of which consumer agents must have one; null if they need none
     * @param maxOpening  of this loop
     * @param events      of all event loops
     */
    public MeshLinks(
            EventLoop eventLoop,
            MeshSettings settings,
            DubboUpstream upstream,
            ServiceLimit limit,
            LinkLimit connections,
            MeshTokenFile tokens,
            int maxOpening,
            SharedEvents events) {
        this.eventLoop = eventLoop;
        this.settings = settings;
        this.upstream = upstream;
        this.connections = connections;
        this.tokens = tokens;
        this.events = events;
        opening = PeerPlaces.shared(maxOpening);
        this.limit = limit;
        // Peers that take no LIMIT frames know no other.
        hello = helloWith(limit.max(), HelloCredentials.NONE);
        sentLimit = limit.advertised();
        if (limit.isLearnt()) {
            PeriodicTask.start(eventLoop, "announcement of the limit", LIMIT_CHECK_MS, this::sendLimit);
        }
    }

    private Hello helloWith(int calls, HelloCredentials challenge) {
        return new Hello(MeshHeader.VERSION, calls, settings.tableSize(), challenge, 0, FEATURES);
    }

    private void sendLimit() {
        int calls = limit.advertised();
        if (calls != sentLimit) {
            sentLimit = calls;
            LOG.debug("limit {}", calls);
            links.forEach(link -> link.sendLimit(calls));
        }
    }

    /** Returns whether no other event loop has just logged the same of its links to a consumer agent. */
    boolean isNews(long agentId, String event) {
        return events.isNew("consumer agent " + agentId + ": " + event, this, System.nanoTime());
    }

    /** Returns the rate of the lines about links that come and go. */
    LogRate linkLines() {
        return linkLines;
    }

    /** Called when the peer's HELLO has come. */
    void ready(MeshServerLink link) {
        if (limit.isLearnt() || demandsToken()) {
            link.sendLimit(sentLimit);
        }
        if (pausedBecause != null) {
            link.drain(pausedBecause);
        }
    }

    /**
     * Tells all peers to send no more, and each that connects from now on: one that is cut off from the registry does
     * not learn otherwise that the agent has deregistered. What is in service is answered.
     *
     * @param reason null to take calls again, on connections that peers open from now on
     */
    public void pause(String reason) {
        pausedBecause = reason;
        if (reason != null && !draining) {
            for (MeshServerLink link : List.copyOf(links)) {
                link.pause(reason);
            }
        }
    }

    /** Counts a connection that does not become a link. */
    public void countRefusal(RefusedLinks.Reason reason) {
        refusals.add(reason);
    }

    /**
     * Takes a connection that was accepted, before its handshake; false if it is closed because there are too many
     * without a HELLO.
     */
    public boolean accept(Channel channel) {
        InetAddress address = address(channel);
        Channel closed = opening.add(channel, address, System.nanoTime());
        if (closed != null) {
            countRefusal(RefusedLinks.Reason.MAX_OPENING);
            TcpAbort.abort(closed);
        }
        if (closed == channel) {
            return false;
        }
        channel.closeFuture().addListener(end -> opening.remove(channel, address));
        return true;
    }

    /** Returns where it comes from; of one that is closed already nothing is known, and it makes no difference. */
    private static InetAddress address(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress remote
                ? remote.getAddress()
                : InetAddress.getLoopbackAddress();
    }

    /** Returns the connections that did not become links. */
    public RefusedLinks refusals() {
        return refusals;
    }

    /** Returns the counters of all its links. */
    public LinkMetrics metrics() {
        return metrics;
    }

    /** Returns whether consumer agents get a challenge, and are told after their proof how many calls they may send. */
    boolean demandsToken() {
        return tokens != null;
    }

    /**
     * Returns the HELLO for one connection, which may have a challenge. A peer that does not know challenges sends no
     * calls then, since it is granted none.
     */
    Hello hello() {
        return demandsToken() ? helloWith(0, tokens.challenge()) : hello;
    }

    /**
     * Returns whether a consumer agent has the token that is demanded, by its HELLO.
     *
     * @param challenge that its connection was given
     */
    boolean hasToken(Hello peer, HelloCredentials challenge) {
        return tokens == null || tokens.accept(peer, challenge);
    }

    /** Logs that a consumer agent with this HELLO has no token; returns the reason, which the peer is told. */
    String logRefusedToken(Channel channel, Hello peer) {
        String reason = peer.credentials().isEmpty() ? NO_TOKEN : WRONG_TOKEN;
        logRefusal(channel, reason);
        return reason;
    }

    /** Logs at most one line in an interval, since strangers can try at any rate. */
    private void logRefusal(Channel channel, String reason) {
        if (refusalLines.admits(System.nanoTime())) {
            LOG.warn("consumer agent {} is refused: {}{}", channel.remoteAddress(), reason, refusalLines.leftOut());
        }
    }

    void opened(MeshServerLink link) {
        if (draining) {
            link.channel().close();
            return;
        }
        links.add(link);
        upstream.open();
        link.followBackPressure();
    }

    /** Called with the HELLO of a link. Returns false if there are too many links: then it is closed. */
    boolean admit(MeshServerLink link) {
        opening.remove(link.channel(), address(link.channel()));
        if (connections.helloReceived()) {
            return true;
        }
        countRefusal(RefusedLinks.Reason.MAX_CONNECTIONS);
        link.goAway(connections.reason());
        link.close(connections.reason());
        return false;
    }

    /**
     * The methods that are defined on all links take too much: until they do not, the link goes that has most of them.
     */
    void endThoseWithMostNames(SharedMethods defined) {
        String reason = "the names of methods of all links take more than " + defined.capacity()
                + " bytes (memory.budget), and this link has most of them";
        while (defined.areTooMany()) {
            Collections.max(
                            links,
                            Comparator.comparingLong(link -> link.methods().bytes()))
                    .endForNames(reason);
        }
    }

    /** @param admitted whether it had been admitted */
    void closed(MeshServerLink link, boolean admitted) {
        links.remove(link);
        if (admitted) {
            connections.ended();
        }
        if (draining && links.isEmpty()) {
            drained.complete(null);
        }
    }

    /** Returns the links that are open. */
    public Set<MeshServerLink> open() {
        return links;
    }

    /** Returns whether links are not read now, since a request could not be sent on. */
    public boolean isPaused() {
        return isUndecided() || upstream.isOverfull();
    }

    /** Returns whether it will be known in a moment if the provider takes calls. */
    boolean isUndecided() {
        return upstream.isUndecided();
    }

    public void followBackPressure() {
        for (MeshServerLink link : links) {
            link.followBackPressure();
        }
    }

    /** Returns a future that is completed once the last link is closed, after {@link #drain}. */
    public CompletableFuture<Void> drained() {
        return drained;
    }

    /** Tells all peers to send no more, and goes on until each has its answers. */
    public void drain() {
        draining = true;
        for (MeshServerLink link : links) {
            link.drain("shutting down");
        }
        if (links.isEmpty()) {
            drained.complete(null);
        } else {
            PeriodicTask.start(eventLoop, "closing of drained links", DRAIN_CHECK_MS, this::closeIdle);
        }
    }

    private void closeIdle() {
        long nowNs = System.nanoTime();
        // Two heartbeats are time enough for the GOAWAY to arrive and for what was sent before it to come.
        long lingerNs = TimeUnit.MILLISECONDS.toNanos(2 * settings.heartbeatMs());
        for (MeshServerLink link : List.copyOf(links)) {
            link.closeIfIdle(nowNs, lingerNs);
        }
    }

    /** Closes all links, even those with calls in service. */
    public void close() {
        draining = true;
        for (MeshServerLink link : List.copyOf(links)) {
            link.end("shutting down");
        }
    }
}
