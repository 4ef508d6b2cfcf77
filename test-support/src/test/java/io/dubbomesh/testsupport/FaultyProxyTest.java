package io.dubbomesh.testsupport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class FaultyProxyTest {
    @Test
    void slicesArriveAsOneStream() throws Exception {
        try (ProviderPeer provider = new ProviderPeer(1, 1);
                FaultyProxy proxy = new FaultyProxy(provider.port())) {
            proxy.slice(1);
            try (MeshConnection consumer = MeshConnection.connect(proxy.port())) {
                assertThat(consumer.greet().body()).isEqualTo("0101" + "00000001" + "00000001" + "0000");
                consumer.settle();
            }
        }
    }

    @Test
    void whatCameDuringAStallArrivesAfterIt() throws Exception {
        try (ProviderPeer provider = new ProviderPeer(1, 1);
                FaultyProxy proxy = new FaultyProxy(provider.port());
                MeshConnection consumer = MeshConnection.connect(proxy.port())) {
            consumer.greet();
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
                consumer.greet();
                proxy.cut();
                assertThat(consumer.isAtEnd()).isTrue();
            }
            try (MeshConnection consumer = MeshConnection.connect(proxy.port())) {
                consumer.greet();
            }
        }
    }
}
