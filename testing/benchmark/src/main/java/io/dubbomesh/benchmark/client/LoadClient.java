package io.dubbomesh.benchmark.client;

import io.dubbomesh.benchmark.ledger.Ledger;
import io.dubbomesh.benchmark.ledger.NumberedText;
import io.dubbomesh.benchmark.ledger.Outcome;
import io.dubbomesh.transport.socket.Transport;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseDecoder;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Calls a service as a {@link LoadPlan} says, and keeps a {@link Ledger} of every call. All connections are on one
 * event loop.
 *
 * <p>An open loop sends each call when the schedule says so, and does not wait for the others. If no connection is
 * free, it makes another one; at the most connections the call waits. Latencies count from the time at which a call was
 * to be sent, so a server that stands still cannot hide the calls that would have come meanwhile (coordinated
 * omission).
 */
public final class LoadClient implements AutoCloseable {
    private static final int MAX_ANSWER = 32 * 1024 * 1024;
    private static final int MAX_HEAD = 64 * 1024;
    private static final int CONNECT_TIMEOUT_MS = 1_000;
    private static final long PAUSE_AFTER_REFUSAL_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long CHECK_INTERVAL_MS = 50;

    /** A peer that is slow to accept must not get a connection for each call that waits meanwhile. */
    private static final int MAX_CONNECTING = 64;

    /**
     * Less than the consumer agent's keep-alive time, so that it does not close a connection while a request is on its
     * way.
     */
    private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(30);

    private final LoadPlan plan;
    private final Ledger ledger;
    private final AnswerCheck check;
    private final List<String> heads;
    private final MultiThreadIoEventLoopGroup group;
    private final EventLoop loop;
    private final Bootstrap bootstrap;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final long startNs;

    private final Schedule.Cursor cursor;
    private final ArrayDeque<Integer> waiting = new ArrayDeque<>();
    private final Queue<ClientConnection> withRoom = new ArrayDeque<>();
    private final Set<ClientConnection> connections = new LinkedHashSet<>();
    private int connecting;
    private int nextTarget;
    private long connectFromNs;
    private long lastConnectedNs;
    private int inService;
    private boolean stopped;

    private volatile Throwable failure;

    private LoadClient(LoadPlan plan) {
        this.plan = plan;
        ledger = new Ledger(new NumberedText(plan.request().parameterLength()), plan.firstNumber());
        check = new AnswerCheck(plan.request(), ledger);
        heads = plan.targets().stream()
                .map(target -> target.getHostString() + ":" + target.getPort())
                .map(host -> plan.request().head(host, plan.connections().keepAlive()))
                .toList();
        cursor = plan.schedule() == null ? null : plan.schedule().cursor();
        Transport transport = Transport.of("auto");
        group = new MultiThreadIoEventLoopGroup(1, transport.ioHandlerFactory());
        loop = group.next();
        bootstrap = new Bootstrap()
                .group(loop)
                .channel(transport.socketChannel())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MS);
        startNs = System.nanoTime();
    }

    /** Starts the load and returns at once. */
    public static LoadClient start(LoadPlan plan) {
        LoadClient client = new LoadClient(plan);
        client.loop.execute(client.guarded(client::begin));
        return client;
    }

    /** Does all that the plan says. */
    public static Ledger run(LoadPlan plan) throws InterruptedException {
        try (LoadClient client = start(plan)) {
            return client.finish();
        }
    }

    /** The time since the start, which is that of the ledger. */
    public Duration elapsed() {
        return Duration.ofNanos(elapsedNs());
    }

    long elapsedNs() {
        return System.nanoTime() - startNs;
    }

    /** Returns the number of open connections, as this end of them sees it. */
    public int openConnections() throws InterruptedException {
        try {
            return loop.submit(connections::size).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** No more calls are added. */
    public void stop() {
        loop.execute(() -> stopped = true);
    }

    /**
     * Waits until the load has ended and every call has an outcome.
     *
     * @throws IllegalStateException if the client itself failed, so that its ledger is worth nothing
     */
    public Ledger finish() throws InterruptedException {
        ended.await();
        close();
        if (failure != null) {
            throw new IllegalStateException("the load client failed", failure);
        }
        return ledger;
    }

    /** Ends at once; calls without an outcome stay without. */
    @Override
    public void close() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
        ended.countDown();
    }

    private Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                fail(e);
            }
        };
    }

    void fail(Throwable cause) {
        failure = cause;
        ended.countDown();
    }

    private boolean isClosedLoop() {
        return cursor == null;
    }

    private void begin() {
        loop.scheduleAtFixedRate(
                guarded(this::checkTimeouts), CHECK_INTERVAL_MS, CHECK_INTERVAL_MS, TimeUnit.MILLISECONDS);
        if (isClosedLoop()) {
            connectAsNeeded();
        } else {
            addDue();
        }
    }

    /** Adds the calls that are due to those that wait for a connection. */
    private void addDue() {
        while (!stopped) {
            long dueNs = cursor.nextNs();
            long inNs = dueNs - elapsedNs();
            if (dueNs < 0) {
                stopped = true;
            } else if (inNs > 0) {
                loop.schedule(guarded(this::addDue), inNs, TimeUnit.NANOSECONDS);
                break;
            } else {
                waiting.add(ledger.add(dueNs));
                inService++;
                cursor.advance();
            }
        }
        dispatch();
    }

    private void dispatch() {
        while (!waiting.isEmpty() && !withRoom.isEmpty()) {
            ClientConnection connection = withRoom.poll();
            connection.offered = false;
            if (connection.hasRoom()) {
                send(connection, waiting.poll());
                hasRoom(connection);
            }
        }
        connectAsNeeded();
    }

    private void connectAsNeeded() {
        int needed = isClosedLoop() ? plan.connections().most() : connections.size() + waiting.size();
        int wanted = stopped && waiting.isEmpty()
                ? 0
                : Math.min(needed, plan.connections().most());
        while (connections.size() + connecting < wanted
                && connecting < MAX_CONNECTING
                && elapsedNs() >= connectFromNs) {
            connect();
        }
    }

    private void connect() {
        InetSocketAddress target = plan.targets().get(nextTarget);
        String head = heads.get(nextTarget);
        nextTarget = (nextTarget + 1) % heads.size();
        LoadPlan.Connections shape = plan.connections();
        connecting++;
        ChannelFuture future = bootstrap
                .clone()
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(new HttpResponseDecoder(new HttpDecoderConfig().setMaxHeaderSize(MAX_HEAD)))
                                .addLast(new HttpObjectAggregator(MAX_ANSWER))
                                .addLast(new ClientConnection(LoadClient.this, head, shape.depth(), shape.keepAlive()));
                    }
                })
                .connect(target);
        future.addListener(connected -> {
            if (!connected.isSuccess()) {
                connecting--;
                connectFromNs = elapsedNs() + PAUSE_AFTER_REFUSAL_NS;
                loop.schedule(guarded(this::dispatch), PAUSE_AFTER_REFUSAL_NS, TimeUnit.NANOSECONDS);
            }
        });
    }

    void connected(ClientConnection connection) {
        connecting--;
        connections.add(connection);
        lastConnectedNs = elapsedNs();
        hasRoom(connection);
        dispatch();
    }

    /** Whether it has depends on the connection. */
    void hasRoom(ClientConnection connection) {
        while (isClosedLoop() && connection.hasRoom() && (!stopped || !waiting.isEmpty())) {
            Integer again = waiting.poll();
            if (again == null) {
                inService++;
            }
            send(connection, again != null ? again : ledger.add(elapsedNs()));
        }
        if (!isClosedLoop() && connection.hasRoom() && !connection.offered) {
            connection.offered = true;
            withRoom.add(connection);
        }
    }

    private void send(ClientConnection connection, int number) {
        String text = ledger.texts().text(number);
        long nowNs = elapsedNs();
        ledger.sent(number, nowNs);
        connection.send(number, plan.request(), text, nowNs);
    }

    void answered(int number, FullHttpResponse answer) {
        Outcome outcome = check.outcome(number, answer);
        end(number, outcome, answer.status().code());
    }

    void lost(int number) {
        end(number, Outcome.LOST, 0);
    }

    private void end(int number, Outcome outcome, int status) {
        ledger.ended(number, elapsedNs(), outcome, status);
        inService--;
    }

    /** The call was not executed. */
    void sendAgain(int number) {
        waiting.addFirst(number);
    }

    void surplusAnswer() {
        ledger.addSurplusAnswer();
    }

    void closed(ClientConnection connection) {
        connections.remove(connection);
        lastConnectedNs = elapsedNs();
        dispatch();
    }

    private void checkTimeouts() {
        long nowNs = elapsedNs();
        long timeoutNs = plan.timeout().toNanos();
        while (!waiting.isEmpty() && nowNs - ledger.call(waiting.peek()).intendedNs() > timeoutNs) {
            end(waiting.poll(), Outcome.UNSENT, 0);
        }
        for (ClientConnection connection : List.copyOf(connections)) {
            connection.checkTimeouts(nowNs, timeoutNs, IDLE_NS);
        }
        boolean over = isClosedLoop() && nowNs >= plan.duration().toNanos();
        boolean alone = plan.giveUp() != null
                && connections.isEmpty()
                && nowNs - lastConnectedNs > plan.giveUp().toNanos();
        stopped |= over || alone;
        if (stopped && inService == 0) {
            ended.countDown();
        } else {
            dispatch();
        }
    }
}
