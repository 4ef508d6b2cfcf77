package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.http.response.ResponseFraming;
import io.dubbomesh.consumer.http.response.ResponseWriter;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.runtime.metrics.Metric;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.dubbomesh.transport.loop.PeriodicTask;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.tls.TlsConnection;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/** The HTTP connections of one event loop, and what they share. Owned by the loop. */
public final class HttpLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpLoop.class);
    private static final Metric CONNECTIONS =
            Metric.gauge("dubbomesh_consumer_connections", "Connections of HTTP clients.");
    private static final Metric ABANDONED = Metric.counter(
            "dubbomesh_consumer_requests_abandoned_total", "Requests whose clients left before the answer.");

    private static final Metric SLOW_READERS = Metric.counter(
            "dubbomesh_consumer_slow_readers_total",
            "Connections closed since their clients read slower than http.min-read-rate.");

    private static final long TIMEOUT_CHECK_MS = 500;
    /** The time that one part of a check of all connections may take. */
    private static final long SLICE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final int CHECKED_AT_ONCE = 8;
    private static final long PAUSE_MS = 1;
    /** Room in the budget comes from many places: who waits for it looks so often. */
    private static final long ROOM_POLL_MS = 10;

    private static final long RESET_POLL_MS = 40;
    /** The connections that one check of resets looks at: each is a call of the system. */
    private static final int RESETS_PER_CHECK = 256;

    private final EventLoop eventLoop;
    private final HttpSettings settings;
    private final Turn turn;
    private final RequestHandler handler;
    private final Response response;
    private final ResponseWriter writer;
    private final OpenConnections connections = new OpenConnections();
    private final ClientShares shares;
    private final ConnectionLimit limit;
    private final ParserPool parsers;
    private final ExchangePool exchanges;
    private final ReadBatch reads;
    /** The connections that have begun a large request for which there is no room, in the order of their beginning. */
    private final ArrayDeque<HttpConnection> awaitingRoom = new ArrayDeque<>();
    /** The connections of these whose clients hold their shares already; empty but while room is given. */
    private final ArrayDeque<HttpConnection> passedOver = new ArrayDeque<>();

    /**
     * The connections that wait for answers and whose clients have ended their output. The system does not tell of a
     * reset behind that.
     */
    private final ArrayDeque<HttpConnection> halfClosed = new ArrayDeque<>();

    /** The number of connections that the current check of the time-outs has not come to. */
    private int unchecked;

    private boolean pollingRoom;
    /** Requests whose clients left before the answer. */
    private long abandoned;

    private long slowReaders;

    private boolean draining;
    private boolean closingAfterResponses;
    private long lastRequestNs = System.nanoTime();

    /**
     * @param maxConnections of this loop
     * @param response       the loop's view, not closed here
     */
    public HttpLoop(
            EventLoop eventLoop,
            HttpSettings settings,
            int maxConnections,
            Turn turn,
            RequestHandler handler,
            Response response) {
        this.eventLoop = eventLoop;
        this.settings = settings;
        this.turn = turn;
        this.handler = handler;
        this.response = response;
        writer = new ResponseWriter(handler::challenge);
        limit = new ConnectionLimit(maxConnections, handler.newFields().checksHead());
        parsers = new ParserPool(settings.limits(), settings.origins(), handler::newFields);
        exchanges = new ExchangePool(turn, handler);
        reads = new ReadBatch(turn);
        shares = new ClientShares(turn.memory());
        PeriodicTask.start(eventLoop, "time-outs of HTTP connections", TIMEOUT_CHECK_MS, this::checkTimeouts);
    }

    /**
     * Returns the handler of a new connection.
     *
     * @param tls null for plain HTTP
     */
    public ChannelHandler newConnection(TlsConnection tls) {
        return new HttpConnection(this, tls);
    }

    /** Appends what a client gets that speaks plain HTTP where TLS is expected. */
    public void answerWithoutTls(ByteBuf out) {
        ResponseFraming framing = new ResponseFraming();
        framing.closeAfter();
        writer.write(out, response.problem(Outcome.BAD_REQUEST, "plain HTTP (expected: TLS, https:)"), framing);
    }

    HttpSettings settings() {
        return settings;
    }

    Turn turn() {
        return turn;
    }

    MemoryBudget memory() {
        return turn.memory();
    }

    RequestHandler handler() {
        return handler;
    }

    Response response() {
        return response;
    }

    ResponseWriter writer() {
        return writer;
    }

    /** Called when a request has arrived at this time. */
    void requested(long nowNs) {
        lastRequestNs = nowNs;
    }

    private void checkTimeouts() {
        writer.tick(System.currentTimeMillis());
        if (unchecked == 0) {
            unchecked = connections.size();
            checkSlice();
        }
    }

    /**
     * Checks a part of the connections: a thousand clients may begin at once, and so be refused at once, and what that
     * costs must not hold up the others.
     */
    private void checkSlice() {
        long nowNs = System.nanoTime();
        unchecked = Math.min(unchecked, connections.size());
        while (unchecked > 0) {
            check(connections.at(--unchecked), nowNs);
            // A check can close others too.
            unchecked = Math.min(unchecked, connections.size());
            if (unchecked % CHECKED_AT_ONCE == 0 && unchecked > 0 && System.nanoTime() - nowNs > SLICE_NS) {
                // Netty serves its channels before it runs what is scheduled.
                eventLoop.schedule(this::checkSlice, PAUSE_MS, TimeUnit.MILLISECONDS);
                return;
            }
        }
    }

    private void check(HttpConnection connection, long nowNs) {
        try {
            connection.checkTimeout(nowNs);
        } catch (RuntimeException e) {
            LOG.error("connection {}", connection, e);
            connection.close();
        }
    }

    /** Called when a connection waits for room until its {@link HttpConnection#tryContinue} finds it. */
    void awaitRoom(HttpConnection connection) {
        awaitingRoom.addLast(connection);
        pollRoom();
    }

    private void pollRoom() {
        if (!pollingRoom && !awaitingRoom.isEmpty()) {
            pollingRoom = true;
            eventLoop.schedule(this::serveAwaitingRoom, ROOM_POLL_MS, TimeUnit.MILLISECONDS);
        }
    }

    private void serveAwaitingRoom() {
        pollingRoom = false;
        long nowNs = System.nanoTime();
        try {
            while (!awaitingRoom.isEmpty()) {
                HttpConnection next = awaitingRoom.peekFirst();
                boolean goesOn = next.tryContinue(nowNs);
                if (!goesOn && !next.isOverShare()) {
                    break;
                }
                awaitingRoom.pollFirst();
                if (!goesOn) {
                    passedOver.addLast(next);
                }
            }
        } finally {
            while (!passedOver.isEmpty()) {
                awaitingRoom.addFirst(passedOver.pollLast());
            }
            pollRoom();
        }
    }

    /** Closes a connection soon after its client has reset it, which has ended its output. */
    void watchForReset(HttpConnection connection) {
        halfClosed.addLast(connection);
        if (halfClosed.size() == 1) {
            scheduleResetCheck();
        }
    }

    private void scheduleResetCheck() {
        eventLoop.schedule(this::checkResets, RESET_POLL_MS, TimeUnit.MILLISECONDS);
    }

    private void checkResets() {
        try {
            for (int left = Math.min(halfClosed.size(), RESETS_PER_CHECK); left > 0; left--) {
                HttpConnection connection = halfClosed.pollFirst();
                if (connection.closeIfReset()) {
                    halfClosed.addLast(connection);
                }
            }
        } finally {
            if (!halfClosed.isEmpty()) {
                scheduleResetCheck();
            }
        }
    }

    ConnectionLimit limit() {
        return limit;
    }

    ParserPool parsers() {
        return parsers;
    }

    ExchangePool exchanges() {
        return exchanges;
    }

    ReadBatch reads() {
        return reads;
    }

    ClientShares shares() {
        return shares;
    }

    void add(HttpConnection connection) {
        connections.add(connection);
    }

    void remove(HttpConnection connection) {
        connections.remove(connection);
    }

    /** Counts requests that are not answered and whose client has left. */
    void abandoned(int requests) {
        abandoned += requests;
    }

    /** Closes a connection whose client reads too slowly. */
    void cutSlowReader() {
        slowReaders++;
    }

    /** Adds what the loop knows of its clients. */
    public void addTo(MetricSamples samples) {
        samples.add(CONNECTIONS, connections.size());
        samples.add(ABANDONED, abandoned);
        samples.add(SLOW_READERS, slowReaders);
    }

    boolean isDraining() {
        return draining;
    }

    /** Sets whether each connection ends with its next response from now on. */
    public void drain(boolean now) {
        draining = now;
    }

    /** Returns the number of connections that serve requests. */
    public int connectionCount() {
        return limit.serving();
    }

    /** Returns the number of connections beyond which clients are refused. */
    public int maxConnections() {
        return limit.maxServing();
    }

    /** Returns whether no request is taken behind one that is not answered yet. */
    boolean isClosingAfterResponses() {
        return closingAfterResponses;
    }

    /**
     * Ends each connection with the last response to the requests that it has taken, even if the client has sent more
     * behind them: "Connection: close" in that response says that it was not served (RFC 9112, 9.6). Otherwise a client
     * that always has another request on its way would never be done.
     */
    public void closeAfterResponses() {
        closingAfterResponses = true;
    }

    /** Returns whether no client waits for an answer, and no request has arrived for {@code quietNs}. */
    public boolean isQuiet(long quietNs) {
        return connections.allMatch(HttpConnection::isQuiet)
                && (connections.size() == 0 || System.nanoTime() - lastRequestNs > quietNs);
    }

    @Override
    public void close() {
        for (int i = connections.size() - 1; i >= 0; i--) {
            connections.at(i).close();
        }
        parsers.close();
    }

    /**
     * The connections that have read the beginning of a request and have not parsed it. Some are read one after the
     * other, and then parsed one after the other: the code that reads, nearly all of it the system's, and the code that
     * parses and sends so replace each other in the processor's cache less often, and the clock is read once for all.
     * Owned by the loop.
     */
    static final class ReadBatch implements Runnable {
        /** The number of read buffers of a loop, whose content fits into the processor's first cache. */
        private static final int CAPACITY = 16;

        private final Turn turn;
        private final HttpConnection[] connections = new HttpConnection[CAPACITY];
        private int count;
        /** The time of the first read. */
        private long readNs;

        ReadBatch(Turn turn) {
            this.turn = turn;
        }

        /** Returns the time of the reads of this batch, for another one. */
        long readNs() {
            if (count == 0) {
                readNs = System.nanoTime();
            }
            return readNs;
        }

        /** Has a connection parse what it has read: now if the batch is full, else at the end of the turn. */
        void add(HttpConnection connection) {
            if (count == 0) {
                turn.ready(this);
            }
            connections[count++] = connection;
            if (count == CAPACITY) {
                run();
            }
        }

        /** Parses what was read. */
        @Override
        public void run() {
            int size = count;
            count = 0;
            for (int i = 0; i < size; i++) {
                HttpConnection connection = connections[i];
                connections[i] = null;
                connection.parseRead();
            }
        }
    }
}
