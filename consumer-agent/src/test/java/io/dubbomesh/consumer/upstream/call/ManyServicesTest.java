package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.call.CallReader;
import io.dubbomesh.consumer.call.CallSettings;
import io.dubbomesh.consumer.call.ParsedCall;
import io.dubbomesh.consumer.call.Router;
import io.dubbomesh.consumer.health.HealthSettings;
import io.dubbomesh.consumer.http.HttpLimits;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.http.response.AnswerSize;
import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.consumer.upstream.link.EndpointHeader;
import io.dubbomesh.consumer.upstream.link.EndpointLoads;
import io.dubbomesh.consumer.upstream.link.LinkOpener;
import io.dubbomesh.consumer.upstream.link.LinkSettings;
import io.dubbomesh.consumer.upstream.pool.PoolSettings;
import io.dubbomesh.loadbalance.Strategy;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.RoutedConsumer;
import io.dubbomesh.registry.merged.ProvidersBehindAgents;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.SharedEvents;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.metrics.CallMetricNames;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.dubbomesh.transport.socket.SocketSettings;
import io.dubbomesh.transport.socket.Transport;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.EventLoop;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

/** A registry with a thousand services of ten endpoints each, of which three are called. */
@Timeout(60)
class ManyServicesTest {
    private static final int SERVICES = 1000;
    private static final int ENDPOINTS = 10;
    private static final int CALLED = 3;
    private static final RoutedConsumer CONSUMER = new RoutedConsumer("shop", "192.0.2.100", "", false);
    private static final SocketSettings SOCKETS =
            new SocketSettings(true, false, true, 128, 0, 0, 64 * 1024, 32 * 1024, 64 * 1024, 1000);
    private static final HealthSettings HEALTH = new HealthSettings(false, 5, 1_000_000_000, 3, 500, 4000, 50, 0);
    private static final Strategy STRATEGY = Strategy.WEIGHTED_ROUND_ROBIN;

    private final EventLoops loops = new EventLoops("test", 1, Transport.of("auto"));
    private final EventLoop loop = loops.loops().get(0);
    private final EndpointLoads loads = new EndpointLoads(1);
    private final Response response = new Response("docs/errors.md", AgentRole.CONSUMER);
    private final Upstream upstream = new Upstream(
            new LinkOpener(
                    loops,
                    loop,
                    null,
                    SOCKETS,
                    null,
                    1,
                    loads,
                    new SharedEvents(),
                    new ProvidersBehindAgents(directory -> {}, Runnable::run, 0)),
            null,
            new UpstreamSettings(
                    new QueueSettings(16, 1 << 20, 20_000_000, 250_000_000),
                    new PoolSettings(600_000_000_000L, Set.of(), 20, HEALTH, CONSUMER, List.of("static:")),
                    new LinkSettings(1 << 20, 1000, EndpointHeader.FAILURES),
                    STRATEGY),
            new Turn(loop),
            size -> STRATEGY.newBalancer(size, 0),
            route -> {},
            response);
    /** Listens at every address of this machine. */
    private final ServerSocket listener = new ServerSocket(0, 500);

    private final List<Socket> accepted = new CopyOnWriteArrayList<>();
    private final Map<String, List<Endpoint>> services = new HashMap<>();
    private final List<Client> clients = new ArrayList<>();

    ManyServicesTest() throws IOException {
        Thread accepting = new Thread(this::accept, "accepts");
        accepting.setDaemon(true);
        accepting.start();
        for (int service = 0; service < SERVICES; service++) {
            list(service, 1);
        }
    }

    private void accept() {
        try {
            while (true) {
                accepted.add(listener.accept());
            }
        } catch (IOException e) {
            assertThat(listener.isClosed()).isTrue();
        }
    }

    @AfterEach
    void close() throws Exception {
        onLoop(() -> {
            clients.forEach(Client::leave);
            upstream.close();
            return null;
        });
        listener.close();
        for (Socket socket : accepted) {
            socket.close();
        }
        loops.close();
        response.close();
    }

    private void list(int service, int weight) {
        List<Endpoint> endpoints = new ArrayList<>();
        for (int i = 0; i < ENDPOINTS; i++) {
            String host = "127." + (1 + service / 250) + '.' + service % 250 + '.' + (1 + i);
            endpoints.add(new Endpoint(host, listener.getLocalPort(), weight, 180, List.of()));
        }
        services.put("s" + service + ".B", List.copyOf(endpoints));
    }

    @Test
    void onlyThoseThatAreCalledCostConnectionsAndObjects() throws Exception {
        update();
        assertThat(loads.size()).isZero();
        callThree();
        Await.until("they are connected", () -> accepted.size() == CALLED * ENDPOINTS);
        assertThat(loads.size()).isEqualTo(CALLED * ENDPOINTS);

        update();
        awaitUpdated();
        assertThat(accepted).hasSize(CALLED * ENDPOINTS);
    }

    /**
     * A connection of the test's own, to an address of no endpoint, is accepted after those that the update has opened.
     */
    private void awaitUpdated() throws Exception {
        Await.until("the update is done", () -> onLoop(upstream::isWarm));
        try (Socket last = new Socket(InetAddress.getLoopbackAddress(), listener.getLocalPort())) {
            InetAddress own = last.getInetAddress();
            Await.until("it is accepted", () -> accepted.removeIf(socket -> own.equals(socket.getLocalAddress())));
        }
    }

    /**
     * Changes endpoints of 100 services, with those that are called among them. What other programs of the machine cost
     * is not counted.
     */
    @Test
    void aChangeOfAThousandEndpointsKeepsTheEventLoopBusyForAMoment() throws Exception {
        update();
        callThree();
        long longestNs = 0;
        for (int round = 1; round <= 30; round++) {
            for (int service = 0; service < 100; service++) {
                list(service, round);
            }
            long tookNs = update();
            longestNs = round > 10 ? Math.max(longestNs, tookNs) : 0;
        }
        assertThat(TimeUnit.NANOSECONDS.toMillis(longestNs)).isLessThan(20);
    }

    /** Returns the time of the processor that the event loop took for it at once. */
    private long update() throws Exception {
        Directory directory = Directory.of(services);
        return onLoop(() -> {
            long startNs = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            upstream.update(directory);
            return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - startNs;
        });
    }

    private void callThree() throws Exception {
        for (int service = 0; service < CALLED; service++) {
            String target = "/s" + service + ".B/m";
            onLoop(() -> {
                ByteBuf request = Unpooled.copiedBuffer(
                        HttpSocket.request("POST " + target, "[1]", "Content-Type: application/json"), US_ASCII);
                long nowNs = System.nanoTime();
                Client client = new Client();
                clients.add(client);
                upstream.dispatch(parsed(request), client, nowNs, nowNs);
                request.release();
                return null;
            });
        }
    }

    private static ParsedCall parsed(ByteBuf request) throws Exception {
        CallReader reader = new CallReader(
                new CallSettings(32, 16, 5_000_000_000L, 60_000),
                new Router(16, new CallMetrics(CallMetricNames.CONSUMER, 8)));
        HttpRequestParser parser =
                new HttpRequestParser(HttpLimits.DEFAULTS, UnpooledByteBufAllocator.DEFAULT, reader.newFields());
        assertThat(parser.parse(request)).isEqualTo(HttpRequestParser.Result.REQUEST);
        return reader.read(parser);
    }

    private <T> T onLoop(Callable<T> action) throws Exception {
        return loop.submit(action).get();
    }

    private static final class Client implements Responder {
        private Cancellation cancellation;
        private boolean answered;

        /** What waits for it then ends. */
        void leave() {
            if (!answered && cancellation != null) {
                cancellation.cancelled();
            }
        }

        @Override
        public void observe(Observer ignored) {}

        @Override
        public void respond(Response ignored) {
            answered = true;
        }

        @Override
        public void expect(AnswerSize ignored) {}

        @Override
        public CallRecord record() {
            return null;
        }

        @Override
        public void onCancel(Cancellation callback) {
            cancellation = callback;
        }
    }
}
