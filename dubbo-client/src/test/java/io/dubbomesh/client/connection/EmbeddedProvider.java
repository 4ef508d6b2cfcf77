package io.dubbomesh.client.connection;

import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.SharedEvents;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.write.Turn;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.Promise;

import java.net.ConnectException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The provider of an upstream, on embedded channels: each attempt to connect to it waits until the test accepts or
 * refuses it. Time passes where the test says so.
 */
final class EmbeddedProvider implements AutoCloseable {
    /** Stands for the event loop of the upstream. */
    final EmbeddedChannel loop = new EmbeddedChannel();

    final Deque<Attempt> attempts = new ArrayDeque<>();
    private final List<EmbeddedChannel> opened = new ArrayList<>();
    private final MemoryBudget memory;
    private final Turn turn;

    /** What an upstream waits for, and the handler of the connection. */
    record Attempt(ChannelHandler handler, Promise<Void> connected) {}

    EmbeddedProvider(long memory) {
        this.memory = new MemoryBudget(memory);
        turn = new Turn(loop.eventLoop(), this.memory);
    }

    MemoryBudget memory() {
        return memory;
    }

    /** Returns settings with a long heartbeat interval, and with small answers. */
    static DubboSettings settings(int heartbeatMs, long silenceMs, long shutdownWaitMs, boolean check) {
        return settings(1024, heartbeatMs, silenceMs, shutdownWaitMs, check);
    }

    static DubboSettings settings(int maxPayload, int heartbeatMs, long silenceMs, long shutdownWaitMs, boolean check) {
        return new DubboSettings(
                new HostPort("192.0.2.7", 20880),
                Serialization.HESSIAN2,
                maxPayload,
                heartbeatMs,
                silenceMs,
                shutdownWaitMs,
                50,
                1000,
                check);
    }

    /** Makes an upstream by the protocol of Dubbo 2. */
    DubboUpstream upstream(DubboSettings settings) {
        return new DubboUpstream(loop.eventLoop(), this::attempt, turn, settings, new SharedEvents());
    }

    DubboUpstream upstream(DubboSettings settings, UpstreamConnection.Factory connections) {
        return new DubboUpstream(loop.eventLoop(), this::attempt, turn, settings, new SharedEvents(), connections);
    }

    private Promise<Void> attempt(Object address, ChannelHandler handler) {
        Attempt attempt = new Attempt(handler, loop.eventLoop().newPromise());
        attempts.add(attempt);
        return attempt.connected;
    }

    /** Returns the next attempt, which comes within two seconds. */
    Attempt nextAttempt() {
        for (int i = 0; i < 40 && attempts.isEmpty(); i++) {
            advance(50);
        }
        return attempts.remove();
    }

    /** Accepts the next attempt, and returns the channel of the connection. */
    EmbeddedChannel accept() {
        return accept(nextAttempt());
    }

    EmbeddedChannel accept(Attempt attempt) {
        EmbeddedChannel channel = new EmbeddedChannel();
        opened.add(channel);
        channel.pipeline().addLast(attempt.handler);
        channel.pipeline().fireChannelActive();
        attempt.connected.setSuccess(null);
        loop.runPendingTasks();
        return channel;
    }

    void refuse() {
        refuse(nextAttempt());
    }

    void refuse(Attempt attempt) {
        attempt.connected.setFailure(new ConnectException("refused"));
        loop.runPendingTasks();
    }

    /** Sends bytes to the agent, by a channel that {@link #accept} has returned. */
    void send(EmbeddedChannel channel, String hex) {
        channel.writeInbound(Hex.buffer(hex));
        loop.runPendingTasks();
    }

    void advance(long ms) {
        advance(loop, ms);
    }

    static void advance(EmbeddedChannel channel, long ms) {
        channel.advanceTimeBy(ms, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();
    }

    @Override
    public void close() {
        opened.forEach(EmbeddedChannel::finishAndReleaseAll);
        loop.finishAndReleaseAll();
    }
}
