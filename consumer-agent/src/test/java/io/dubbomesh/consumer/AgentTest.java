package io.dubbomesh.consumer;

import io.dubbomesh.consumer.upstream.call.UpstreamState;
import io.dubbomesh.consumer.upstream.link.EndpointState;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.ProviderPeer;
import io.dubbomesh.testsupport.Scrape;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A whole consumer agent between clients and provider agents that a test plays. */
@Timeout(60)
abstract class AgentTest {
    private static final List<Use> REQUESTS = List.of(Use.REQUESTS, Use.LARGE_REQUESTS, Use.WAITING_REQUESTS);

    private final List<AutoCloseable> open = new ArrayList<>();
    private Ticker ticker = Ticker.systemTicker();
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

    <T extends AutoCloseable> T opened(T closeable) {
        open.add(closeable);
        return closeable;
    }

    /** Has the agent that is started next wait between attempts to fetch keys until the test advances the time. */
    MockTicker stopTime() {
        MockTicker time = Ticker.newMockTicker();
        ticker = time;
        return time;
    }

    ProviderPeer provider(int limit) throws IOException {
        return opened(new ProviderPeer(limit, 4096));
    }

    /** Starts the agent and waits until it has its links, which are warm. */
    void start(Map<String, String> settings, ProviderPeer... providers) throws Exception {
        int[] ports = Arrays.stream(providers).mapToInt(ProviderPeer::port).toArray();
        startWithPorts(settings, ports.length == 0 ? new int[] {1} : ports);
    }

    /** The same, for provider agents behind these ports. */
    void startWithPorts(Map<String, String> settings, int... ports) throws Exception {
        String endpoints = Arrays.stream(ports)
                .mapToObj(port -> "127.0.0.1:" + port + "*1")
                .collect(Collectors.joining(","));
        startWithRegistry(settings, "static:" + endpoints);
    }

    void startWithRegistry(Map<String, String> settings, String registry) throws Exception {
        Map<String, String> properties = new HashMap<>(settings);
        properties.put("registry", registry);
        properties.put("server.port", "0");
        properties.put("admin.port", "0");
        properties.putIfAbsent("io.threads", "1");
        properties.putIfAbsent("links.warm", "*");
        agent = new ConsumerAgent(Settings.of(ConsumerSettings.REFERENCE, properties, Map.of()), ticker);
        URI readyz = URI.create("http://127.0.0.1:" + agent.adminPort() + "/readyz");
        Await.until(
                "the agent is ready",
                () -> ((HttpURLConnection) readyz.toURL().openConnection()).getResponseCode() == 200);
    }

    /** Writes an entry of a {@code file:} registry for a service behind a provider agent. */
    static void register(Path directory, String service, ProviderPeer provider, String entry) throws IOException {
        Path file = directory.resolve(service).resolve("127.0.0.1_" + provider.port());
        Files.createDirectories(file.getParent());
        Files.writeString(file, entry);
    }

    static String get(String target, String... headers) {
        return HttpSocket.request("GET " + target, "", headers);
    }

    /** Returns the answer to a request for which the provider describes its service once. */
    static HttpAnswer described(HttpSocket client, String request, ProviderPeer provider, String description)
            throws Exception {
        client.send(request);
        provider.answer(provider.next(), 0, Flags.JSON, description);
        return client.answer();
    }

    /** Returns the agent's own samples. */
    Scrape scrape() throws IOException {
        return Scrape.of(agent.adminPort());
    }

    /** Returns the bytes that the only event loop holds for slow clients and provider agents. */
    long bytesHeld() throws Exception {
        ConsumerLoop loop = agent.loops().get(0);
        return loop.eventLoop().submit(() -> loop.memory().used()).get();
    }

    /** Returns the part of these bytes that requests hold while they are received. */
    long requestBytesHeld() throws Exception {
        ConsumerLoop loop = agent.loops().get(0);
        return loop.eventLoop()
                .submit(() -> REQUESTS.stream()
                        .mapToLong(use -> loop.memory().used(use))
                        .sum())
                .get();
    }

    /** Whether the only event loop needs no link. */
    boolean areEndpointsIdle() throws Exception {
        ConsumerLoop loop = agent.loops().get(0);
        UpstreamState state =
                loop.eventLoop().submit(() -> loop.state().upstream()).get();
        return state.endpoints().stream().allMatch(EndpointState::idle);
    }

    /** Returns when the only event loop has run all its timers that end within this time from now. */
    void awaitTimers(long ms) throws Exception {
        agent.loops()
                .get(0)
                .eventLoop()
                .schedule(() -> null, ms, TimeUnit.MILLISECONDS)
                .get();
    }

    /** The only event loop does nothing until the result is completed; what happens meanwhile it finds in one turn. */
    CompletableFuture<Void> blockLoop() {
        CompletableFuture<Void> begin = new CompletableFuture<>();
        CompletableFuture<Void> end = new CompletableFuture<>();
        agent.loops().get(0).eventLoop().execute(() -> {
            begin.complete(null);
            end.join();
        });
        begin.join();
        return end;
    }

    int port() {
        return agent.port();
    }

    int adminPort() {
        return agent.adminPort();
    }

    /** The agent, whose end is left to the test. */
    ConsumerAgent takeAgent() {
        ConsumerAgent taken = agent;
        agent = null;
        return taken;
    }

    /** A client whose unread bytes stay with the agent. */
    HttpSocket slowReader() throws IOException {
        HttpSocket client = new HttpSocket(agent.port(), 4096);
        open.add(client);
        return client;
    }

    HttpSocket client() throws IOException {
        HttpSocket client = new HttpSocket(agent.port());
        open.add(client);
        return client;
    }

    /** Returns the answer to the only request of a client. */
    HttpAnswer answer(String request) throws IOException {
        return HttpSocket.once(agent.port(), request);
    }

    /** Calls the method m of a service without arguments. */
    HttpAnswer callService(String service, String... headers) throws IOException {
        return answer(Requests.json("/" + service + "/m", "[]", headers));
    }
}
