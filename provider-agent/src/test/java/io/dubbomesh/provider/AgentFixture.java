package io.dubbomesh.provider;

import io.dubbomesh.client.call.CallCounters;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.MeshConnection;
import io.dubbomesh.testsupport.ScriptedProvider;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static java.util.Map.entry;

/** An agent in this process between a stub provider and mesh peers of the test. */
final class AgentFixture implements Closeable {
    final ScriptedProvider stub = new ScriptedProvider();
    private final Map<String, String> changed = new HashMap<>();
    ProviderAgent agent;
    private volatile boolean stopped;
    private final List<Closeable> opened = new ArrayList<>();

    AgentFixture() throws IOException {}

    /** The defaults, except for what the test has set. */
    private Settings settings() {
        Map<String, String> properties = new HashMap<>(Map.ofEntries(
                entry("server.host", "127.0.0.1"),
                entry("server.port", "0"),
                entry("admin.port", "0"),
                entry("registry", "static:127.0.0.1:1"),
                entry("dubbo.protocol.port", String.valueOf(stub.port())),
                entry("dubbo.services", HashCalls.HASHER),
                entry("io.threads", "1"),
                // Discovery would open another connection to the stub, and the stub would have to answer a heartbeat
                // first.
                entry("dubbo.inquiry", "false"),
                entry("dubbo.check", "false"),
                // Tests read every frame; a PING in between would be one more.
                entry("mesh.heartbeat", "10 s"),
                // For the same reason: calls without an answer make the agent send heartbeats.
                entry("dubbo.silence", "30 s")));
        properties.putAll(changed);
        return Settings.of(ProviderSettings.REFERENCE, properties, Map.of());
    }

    /** To be called before the start. */
    AgentFixture with(String key, Object value) {
        changed.put(key, value.toString());
        return this;
    }

    void start() throws Exception {
        agent = new ProviderAgent(settings());
    }

    /** Starts, and returns the first connection to the provider. */
    DubboConnection startAndAccept() throws Exception {
        start();
        DubboConnection provider = accept();
        Await.until("the agent is ready", () -> agent.unreadiness() == null);
        return provider;
    }

    DubboConnection accept() throws IOException {
        DubboConnection provider = stub.accept();
        opened.add(provider);
        return provider;
    }

    MeshConnection connection() throws IOException {
        return connection(0);
    }

    MeshConnection connection(int socketBuffers) throws IOException {
        MeshConnection peer = MeshConnection.connect(agent.port(), socketBuffers);
        opened.add(peer);
        return peer;
    }

    MeshConnection peer() throws IOException {
        MeshConnection peer = connection();
        peer.exchangeHellos();
        return peer;
    }

    /** After the HELLOs, with {@code hash} defined as method 1. */
    MeshConnection hashPeer() throws IOException {
        MeshConnection peer = peer();
        peer.send(HashCalls.defineHash());
        return peer;
    }

    /** Connections of mesh peers, those without a HELLO too. */
    int openLinks() throws Exception {
        ProviderLoop loop = agent.loops().get(0);
        return loop.eventLoop().submit(() -> loop.links().open().size()).get();
    }

    /** An agent is stopped once; what the test leaves is stopped at its end. */
    void stop(long graceNs) {
        stopped = true;
        agent.stop(graceNs);
    }

    CallCounters counters(int loop) {
        return agent.loops().get(loop).calls().counters();
    }

    @Override
    public void close() throws IOException {
        for (Closeable each : opened) {
            each.close();
        }
        if (agent != null && !stopped) {
            stop(TimeUnit.SECONDS.toNanos(1));
        }
        stub.close();
    }
}
