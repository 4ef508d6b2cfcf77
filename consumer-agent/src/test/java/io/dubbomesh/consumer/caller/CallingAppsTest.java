package io.dubbomesh.consumer.caller;

import io.dubbomesh.consumer.caller.CallingApp.By;
import io.dubbomesh.consumer.caller.CallingApp.Count;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Comparator;
import java.util.List;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class CallingAppsTest {
    private static final SocketAddress ONE = new InetSocketAddress("192.0.2.1", 40000);
    private static final SocketAddress TWO = new InetSocketAddress("192.0.2.2", 40000);

    private final CallingApps apps = new CallingApps(0);
    private long nowNs;

    @Test
    void anApplicationIsItsCallerElseItsUserAgentElseItsAddress() {
        requested("ana", "curl/8.5.0", ONE);
        requested(null, "curl/8.5.0", ONE);
        requested(null, "curl/8.5.0", TWO);
        requested(null, "curl/8.5.1", TWO);
        requested(null, null, ONE);
        requested(null, null, ONE);

        assertThat(apps.counts())
                .extracting(Count::by, Count::name, Count::requests, Count::address)
                .containsExactlyInAnyOrder(
                        tuple(By.CALLER, "ana", 1L, "192.0.2.1"),
                        tuple(By.USER_AGENT, "curl/8.5.0", 2L, "192.0.2.2"),
                        tuple(By.USER_AGENT, "curl/8.5.1", 1L, "192.0.2.2"),
                        tuple(By.ADDRESS, "192.0.2.1", 2L, "192.0.2.1"));
    }

    @Test
    void aLongUserAgentIsCut() {
        requested(null, "x".repeat(100) + "1", ONE);
        requested(null, "x".repeat(100) + "2", ONE);

        assertThat(apps.counts()).singleElement().satisfies(count -> {
            assertThat(count.name()).isEqualTo("x".repeat(80));
            assertThat(count.requests()).isEqualTo(2);
        });
    }

    @Test
    void whateverClientsNameThemselvesThereAreNoMoreThanSoManyPlacesAndNoCallIsLost() {
        requested(null, "curl/8.5.0", ONE);
        for (int i = 0; i < 1000; i++) {
            requested(i % 3 == 0 ? "caller " + i : null, "agent " + i, ONE);
            requested(null, "curl/8.5.0", ONE);
        }
        assertThat(apps.counts()).hasSize(CallingApps.PLACES + 1);
        assertThat(sum()).isEqualTo(2001);

        nowNs += CallingApps.SILENT_NS;
        requested(null, "curl/8.5.0", ONE);
        requested(null, "new/1.0", TWO);
        assertThat(apps.counts())
                .hasSize(CallingApps.PLACES + 1)
                .anySatisfy(count -> assertThat(count.name()).isEqualTo("new/1.0"));
        assertThat(sum()).isEqualTo(2003);
        Count most = apps.counts().stream()
                .filter(count -> count.by() == By.USER_AGENT)
                .max(Comparator.comparingLong(Count::requests))
                .orElseThrow();
        assertThat(most.name()).isEqualTo("curl/8.5.0");
        assertThat(most.requests()).isEqualTo(1002);
    }

    private long sum() {
        List<Count> counts = apps.counts();
        return counts.stream().mapToLong(Count::requests).sum();
    }

    private void requested(String caller, String userAgent, SocketAddress from) {
        CallingApp agent = null;
        if (userAgent != null) {
            ByteBuf in = Unpooled.copiedBuffer("User-Agent: " + userAgent, US_ASCII);
            agent = apps.ofAgent(in, "User-Agent: ".length(), in.writerIndex());
        }
        apps.requested(caller, agent, from, nowNs);
    }
}
