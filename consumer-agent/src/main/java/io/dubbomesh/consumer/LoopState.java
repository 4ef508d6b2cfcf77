package io.dubbomesh.consumer;

import io.dubbomesh.loadbalance.LoadBalancer;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.loop.PeriodicTask;
import io.dubbomesh.transport.tls.MeshTls;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * All that one event loop of the consumer agent owns: its connections, the services it knows, with a link to each provider agent, and the
 * calls under way. Nothing of it is shared with another loop, and everything runs on this one.
 */
final class LoopState {
    private static final long HOUSEKEEPING_MS = 500;
    /** More of them are only in use while many clients are slow. */
    private static final int PARSERS_KEPT = 64;

    private final EventLoop eventLoop;
    private final EventLoops loops;
    private final MeshTls tls;
    private final ConsumerSettings settings;
    private final Turn turn;
    private final Services services;
    private final Calls calls;
    private final HttpAnswers answers = new HttpAnswers();
    private final ByteBuf scratch = PooledByteBufAllocator.DEFAULT.directBuffer(1024);
    private final Set<HttpConnection> connections = new LinkedHashSet<>();
    private final ArrayDeque<HttpRequestParser> parsers = new ArrayDeque<>();
    private boolean draining;
    private long lastRequestNs = System.nanoTime();

    /** @param tls null for plain TCP */
    LoopState(
            EventLoop eventLoop,
            EventLoops loops,
            MeshTls tls,
            ConsumerSettings settings,
            IntFunction<LoadBalancer> newBalancer) {
        this.eventLoop = eventLoop;
        this.loops = loops;
        this.tls = tls;
        this.settings = settings;
        turn = new Turn(eventLoop);
        services = new Services(this, newBalancer);
        calls = new Calls(eventLoop, settings, services);
        PeriodicTask.start(eventLoop, "time-outs of connections", HOUSEKEEPING_MS, this::checkTimeouts);
    }

    EventLoop eventLoop() {
        return eventLoop;
    }

    ConsumerSettings settings() {
        return settings;
    }

    Turn turn() {
        return turn;
    }

    Calls calls() {
        return calls;
    }

    HttpAnswers answers() {
        return answers;
    }

    /** For documents that are made here; cleared by whoever uses it. */
    ByteBuf scratch() {
        return scratch;
    }

    int loopCount() {
        return loops.loops().size();
    }

    Future<Void> connect(InetSocketAddress address, ChannelHandler handler) {
        return tls == null
                ? loops.connect(eventLoop, address, settings.linkSockets(), handler)
                : tls.connect(loops, eventLoop, address, settings.linkSockets(), handler);
    }

    /** Takes a new list of the registry. */
    void update(Directory directory) {
        assert eventLoop.inEventLoop();
        services.update(directory);
        calls.roomMadeAnywhere();
    }

    boolean isReady() {
        return services.isReady();
    }

    /** A request has come at this time. */
    void requested(long nowNs) {
        lastRequestNs = nowNs;
    }

    private void checkTimeouts() {
        answers.tick(System.currentTimeMillis());
        long nowNs = System.nanoTime();
        for (HttpConnection connection : List.copyOf(connections)) {
            connection.checkTimeout(nowNs);
        }
    }

    /** For as long as a connection is in a request; few of them are at a time. */
    HttpRequestParser lendParser() {
        HttpRequestParser parser = parsers.pollLast();
        return parser != null ? parser : new HttpRequestParser(settings.httpLimits(), PooledByteBufAllocator.DEFAULT);
    }

    /** Takes back a parser that is between requests. */
    void takeBack(HttpRequestParser parser) {
        parser.reset();
        if (parsers.size() < PARSERS_KEPT) {
            parsers.addLast(parser);
        } else {
            parser.close();
        }
    }

    /** False if there are more of them now than there may be: it gets an answer that says so, and ends. */
    boolean add(HttpConnection connection) {
        connections.add(connection);
        return connections.size() <= settings.maxConnections() / loopCount();
    }

    void remove(HttpConnection connection) {
        connections.remove(connection);
    }

    boolean isDraining() {
        return draining;
    }

    /** From now on answers end their connections. */
    void drain() {
        draining = true;
    }

    /** Whether no client is owed anything, and no request has arrived for a while. */
    boolean isQuiet(long quietNs) {
        return calls.pendingCount() == 0
                && connections.stream().allMatch(HttpConnection::isQuiet)
                && (connections.isEmpty() || System.nanoTime() - lastRequestNs > quietNs);
    }

    void close() {
        for (HttpConnection connection : List.copyOf(connections)) {
            connection.close();
        }
        services.close();
        parsers.forEach(HttpRequestParser::close);
        parsers.clear();
        scratch.release();
    }
}
