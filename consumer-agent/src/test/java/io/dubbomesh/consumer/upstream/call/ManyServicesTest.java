package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.upstream.UpstreamFixture;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.testsupport.Await;
import io.netty.buffer.ByteBuf;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** A registry with a thousand services of ten endpoints each, of which three are called. */
@Timeout(60)
class ManyServicesTest {
    private static final int SERVICES = 1000;
    private static final int ENDPOINTS = 10;
    private static final int CALLED = 3;

    private final UpstreamFixture fixture = new UpstreamFixture();
    private final Upstream upstream = fixture.newUpstream(UpstreamFixture.pools(600_000_000_000L), null, route -> {});
    /** Listens at every address of this machine. */
    private final ServerSocket listener = new ServerSocket(0, 500);

    private final List<Socket> accepted = new CopyOnWriteArrayList<>();
    private final Map<String, List<Endpoint>> services = new HashMap<>();
    private final List<CallClient> clients = new ArrayList<>();

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
        fixture.onLoop(() -> {
            clients.forEach(CallClient::leave);
            upstream.close();
            return null;
        });
        listener.close();
        for (Socket socket : accepted) {
            socket.close();
        }
        fixture.close();
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
        assertThat(fixture.loads().size()).isZero();
        callThree();
        Await.until("they are connected", () -> accepted.size() == CALLED * ENDPOINTS);
        assertThat(fixture.loads().size()).isEqualTo(CALLED * ENDPOINTS);

        update();
        awaitUpdated();
        assertThat(accepted).hasSize(CALLED * ENDPOINTS);
    }

    /**
     * A connection of the test's own, to an address of no endpoint, is accepted after those that the update has opened.
     */
    private void awaitUpdated() throws Exception {
        Await.until("the update is done", () -> fixture.onLoop(upstream::isWarm));
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
        return fixture.onLoop(() -> {
            long startNs = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            upstream.update(directory);
            return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - startNs;
        });
    }

    private void callThree() throws Exception {
        for (int service = 0; service < CALLED; service++) {
            String target = "/s" + service + ".B/m";
            fixture.onLoop(() -> {
                ByteBuf request = UpstreamFixture.request(target);
                long nowNs = System.nanoTime();
                CallClient client = new CallClient();
                clients.add(client);
                upstream.dispatch(UpstreamFixture.parsed(request), client, nowNs, nowNs);
                request.release();
                return null;
            });
        }
    }
}
