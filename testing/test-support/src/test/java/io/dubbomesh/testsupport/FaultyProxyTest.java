package io.dubbomesh.testsupport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class FaultyProxyTest {
    @Test
    void slicesArriveAsOneStream() throws Exception {
        try (ProviderPeer provider = new ProviderPeer(1, 1);
                FaultyProxy proxy = new FaultyProxy(provider.port())) {
            proxy.slice(1);
            try (MeshConnection consumer = MeshConnection.connect(proxy.port())) {
                assertThat(consumer.exchangeHellos().body()).isEqualTo("0101" + "00000001" + "00000001" + "0000");
                consumer.settle();
            }
        }
    }

    @Test
    void whatCameDuringAStallArrivesAfterIt() throws Exception {
        try (ProviderPeer provider = new ProviderPeer(1, 1);
                FaultyProxy proxy = new FaultyProxy(provider.port());
                MeshConnection consumer = MeshConnection.connect(proxy.port())) {
            consumer.exchangeHellos();
            proxy.stall();
            consumer.send(MeshFrame.goAway("later"));
            assertThat(provider.hasNone()).isTrue();
            proxy.resume();
            assertThat(provider.next().frame().bodyText()).isEqualTo("later");
        }
    }

    @Test
    void aCutEndsConnectionsAndNewOnesAreCarried() throws Exception {
        try (ProviderPeer provider = new ProviderPeer(1, 1);
                FaultyProxy proxy = new FaultyProxy(provider.port())) {
            try (MeshConnection consumer = MeshConnection.connect(proxy.port())) {
                consumer.exchangeHellos();
                proxy.cut();
                assertThat(consumer.isAtEnd()).isTrue();
            }
            try (MeshConnection consumer = MeshConnection.connect(proxy.port())) {
                consumer.exchangeHellos();
            }
        }
    }

    @Test
    void bytesOfBothDirectionsAreDelayed() throws Exception {
        try (ProviderPeer provider = new ProviderPeer(1, 1);
                FaultyProxy proxy = new FaultyProxy(provider.port());
                MeshConnection consumer = MeshConnection.connect(proxy.port())) {
            consumer.exchangeHellos();
            proxy.delay(Duration.ofMillis(100), Duration.ofMillis(50));
            long startNs = System.nanoTime();
            consumer.settle();
            assertThat(System.nanoTime() - startNs).isGreaterThanOrEqualTo(MILLISECONDS.toNanos(2 * 50));
        }
    }

    @Test
    void aDelayDoesNotLimitHowMuchIsOnItsWay() throws Exception {
        try (ProviderPeer provider = new ProviderPeer(1, 1);
                FaultyProxy proxy = new FaultyProxy(provider.port());
                MeshConnection consumer = MeshConnection.connect(proxy.port())) {
            consumer.exchangeHellos();
            proxy.delay(Duration.ofMillis(100), Duration.ZERO);
            int pings = 100;
            long startNs = System.nanoTime();
            for (int i = 0; i < pings; i++) {
                consumer.send(MeshFrame.ping());
            }
            for (int i = 0; i < pings; i++) {
                assertThat(consumer.read().type()).isEqualTo(MeshFrame.PONG);
            }
            assertThat(System.nanoTime() - startNs).isLessThan(MILLISECONDS.toNanos(pings * 200L / 2));
        }
    }

    @Test
    void aThrottledConnectionTakesItsTime() throws Exception {
        try (ProviderPeer provider = new ProviderPeer(1, 1);
                FaultyProxy proxy = new FaultyProxy(provider.port());
                MeshConnection consumer = MeshConnection.connect(proxy.port())) {
            consumer.exchangeHellos();
            proxy.throttle(10_000);
            long startNs = System.nanoTime();
            consumer.send(MeshFrame.goAway("x".repeat(2_000)));
            assertThat(provider.next().frame().bodyText()).hasSize(2_000);
            assertThat(System.nanoTime() - startNs).isGreaterThanOrEqualTo(MILLISECONDS.toNanos(180));
        }
    }

    @Test
    void aConnectionToAClosedPortIsClosedAndLaterOnesAreCarried() throws Exception {
        int port;
        try (ProviderPeer provider = new ProviderPeer(1, 1)) {
            port = provider.port();
        }
        try (FaultyProxy proxy = new FaultyProxy(port)) {
            try (MeshConnection consumer = MeshConnection.connect(proxy.port())) {
                assertThat(consumer.isAtEnd()).isTrue();
            }
            try (ServerSocket server = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
                    Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
                    Socket carried = server.accept()) {
                client.getOutputStream().write(1);
                assertThat(carried.getInputStream().read()).isEqualTo(1);
            }
        }
    }
}
