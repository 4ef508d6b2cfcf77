package io.dubbomesh.consumer;

import io.dubbomesh.runtime.settings.Settings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** A whole consumer agent between clients and provider agents that a test plays. */
@Timeout(60)
abstract class AgentTest {
    private final List<AutoCloseable> open = new ArrayList<>();
    private ConsumerAgent agent;

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable closeable : open) {
            closeable.close();
        }
        if (agent != null) {
            agent.stop(0);
        }
    }

    FakeProviderAgent provider(int limit) throws IOException {
        FakeProviderAgent provider = new FakeProviderAgent(limit, 4096);
        open.add(provider);
        return provider;
    }

    /** Starts the agent and waits until it has its links. */
    void start(Map<String, String> settings, FakeProviderAgent... providers) throws Exception {
        StringBuilder registry = new StringBuilder("static:");
        for (FakeProviderAgent provider : providers) {
            registry.append("127.0.0.1:").append(provider.port()).append("*1,");
        }
        if (providers.length == 0) {
            registry.append("127.0.0.1:1*1,");
        }
        Map<String, String> properties = new HashMap<>(settings);
        properties.put("registry", registry.substring(0, registry.length() - 1));
        properties.put("server.port", "0");
        properties.put("admin.port", "0");
        properties.putIfAbsent("io.threads", "1");
        agent = new ConsumerAgent(Settings.of(ConsumerSettings.REFERENCE, properties, Map.of()));
        URI readyz = URI.create("http://127.0.0.1:" + agent.adminPort() + "/readyz");
        while (((HttpURLConnection) readyz.toURL().openConnection()).getResponseCode() != 200) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** The agent, whose end is left to the test. */
    ConsumerAgent takeAgent() {
        ConsumerAgent taken = agent;
        agent = null;
        return taken;
    }

    /** A client whose unread bytes stay with the agent. */
    HttpClient slowReader() throws IOException {
        HttpClient client = new HttpClient(agent.port(), 4096);
        open.add(client);
        return client;
    }

    HttpClient client() throws IOException {
        HttpClient client = new HttpClient(agent.port());
        open.add(client);
        return client;
    }
}
