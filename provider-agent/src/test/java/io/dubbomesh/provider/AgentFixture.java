package io.dubbomesh.provider;

import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.transport.SocketSettings;
import io.dubbomesh.transport.Transport;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** An agent in this process between a stub provider and mesh peers of the test. */
final class AgentFixture implements Closeable {
    static final SocketSettings SOCKETS =
            new SocketSettings(true, false, 128, 0, 0, 64 * 1024, 32 * 1024, 64 * 1024, 1000);

    final StubProvider stub = new StubProvider();
    int limit = 180;
    int queue = 64;
    int threads = 1;
    int maxConnections = 100;
    int tableSize = 4096;
    int maxFrame = 8 * 1024 * 1024 + 64 * 1024;
    int maxPayload = 8 * 1024 * 1024;
    long heartbeatMs = 10_000;
    long dubboHeartbeatMs = 60_000;
    String registry = "static:127.0.0.1:1";
    String services = MeshPeer.HASHER;
    Serialization serialization = Serialization.HESSIAN2;
    SocketSettings sockets = SOCKETS;
    ProviderAgent agent;
    private final List<Closeable> opened = new ArrayList<>();

    AgentFixture() throws IOException {}

    ProviderSettings settings() {
        return new ProviderSettings(
                "127.0.0.1",
                0,
                maxConnections,
                registry,
                null,
                0,
                1,
                limit,
                queue,
                ServedServices.parse(List.of(services.split(","))),
                "127.0.0.1",
                stub.port(),
                serialization,
                maxPayload,
                dubboHeartbeatMs,
                50,
                1000,
                maxFrame,
                tableSize,
                heartbeatMs,
                threads,
                Transport.of("auto"),
                sockets,
                sockets,
                "127.0.0.1",
                0,
                TimeUnit.SECONDS.toNanos(8));
    }

    void start() throws IOException {
        agent = ProviderAgent.start(settings());
    }

    /** Starts, and returns the first connection to the provider. */
    StubProvider.Connection startAndAccept() throws IOException {
        start();
        StubProvider.Connection provider = accept();
        await(() -> agent.unreadiness() == null);
        return provider;
    }

    StubProvider.Connection accept() throws IOException {
        StubProvider.Connection provider = stub.accept();
        opened.add(provider);
        return provider;
    }

    MeshPeer stranger() throws IOException {
        MeshPeer peer = new MeshPeer(agent.port(), 0);
        opened.add(peer);
        return peer;
    }

    MeshPeer peer() throws IOException {
        MeshPeer peer = MeshPeer.greeted(agent.port());
        opened.add(peer);
        return peer;
    }

    /** Greeted, with {@code hash} defined as method 1. */
    MeshPeer hashPeer() throws IOException {
        MeshPeer peer = peer();
        peer.send(MeshPeer.defineHash());
        return peer;
    }

    Counters counters(int loop) {
        return agent.states().get(loop).counters();
    }

    /** For what other threads bring about and tell nobody. */
    static void await(BooleanSupplier condition) {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new AssertionError("it did not happen within ten seconds");
            }
            Thread.onSpinWait();
            Thread.yield();
        }
    }

    @Override
    public void close() throws IOException {
        for (Closeable each : opened) {
            each.close();
        }
        if (agent != null) {
            agent.stop(TimeUnit.SECONDS.toNanos(1));
        }
        stub.close();
    }
}
