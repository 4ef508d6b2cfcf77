package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.call.ParsedCall;
import io.dubbomesh.consumer.call.Route;
import io.dubbomesh.consumer.upstream.UpstreamFixture;
import io.dubbomesh.consumer.upstream.pool.PoolSettings;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.MeshFrame;
import io.dubbomesh.testsupport.ProviderPeer;
import io.netty.buffer.ByteBuf;
import io.netty.util.IllegalReferenceCountException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(30)
class UpstreamTest {
    private final UpstreamFixture fixture = new UpstreamFixture();
    private final ProviderPeer provider = new ProviderPeer(180, 4096);
    private Consumer<Route> executed = route -> {};
    private final Upstream upstream = fixture.newUpstream(
            UpstreamFixture.pools(600_000_000_000L, PoolSettings.ALL), null, route -> executed.accept(route));

    UpstreamTest() throws IOException {}

    @AfterEach
    void close() throws Exception {
        provider.close();
        fixture.close();
    }

    @Test
    void aCallBeforeTheListIsLoadedNamesTheRegistry() throws Exception {
        fixture.onLoop(() -> {
            ByteBuf request = UpstreamFixture.request("/a.B/m");
            ParsedCall call = UpstreamFixture.parsed(request);
            request.release();
            assertThatThrownBy(() -> upstream.dispatch(call, new CallClient(), System.nanoTime(), System.nanoTime()))
                    .hasMessage("the list of endpoints is not loaded yet: the registry static: has not answered since"
                            + " the start");
            return null;
        });
    }

    /** The object of such a call is free for the next one. */
    @Test
    void aCallThatCouldNotBeSentIsNotToldOfACancellation() throws Exception {
        update(endpoint(provider));
        CallClient client = new CallClient();

        fixture.onLoop(() -> {
            ByteBuf request = UpstreamFixture.request("/a.B/m");
            ParsedCall call = UpstreamFixture.parsed(request);
            request.release();
            long nowNs = System.nanoTime();
            assertThatThrownBy(() -> upstream.dispatch(call, client, nowNs, nowNs))
                    .isInstanceOf(IllegalReferenceCountException.class);
            return null;
        });

        assertThat(client.isFollowed()).isFalse();
        assertThat(client.answers()).isEmpty();
        assertThat(fixture.onLoop(upstream::pendingCount)).isZero();
    }

    @Test
    void callsThatWaitGoToAnEndpointThatJoins() throws Exception {
        try (ProviderPeer full = new ProviderPeer(1, 4096);
                ProviderPeer joining = new ProviderPeer(2, 4096)) {
            update(endpoint(full));
            for (int i = 0; i < 3; i++) {
                fixture.onLoop(() -> dispatch(new CallClient()));
            }
            full.nextRequest();

            update(endpoint(full), endpoint(joining));
            joining.nextRequest();
            joining.nextRequest();
            fixture.onLoop(() -> {
                upstream.close();
                return null;
            });
        }
    }

    /** Its connection may hold further requests, and what they are read into is in use while a call is dispatched. */
    @Test
    void aCallWhoseDeadlinePassesInTheQueueIsNotAnsweredWhileOthersAreServed() throws Exception {
        try (ProviderPeer full = new ProviderPeer(1, 4096)) {
            update(endpoint(full));
            fixture.onLoop(() -> dispatch(new CallClient()));
            full.nextRequest();
            CallClient waiting = new CallClient();

            boolean answeredWithin = fixture.onLoop(() -> {
                long nowNs = System.nanoTime();
                ByteBuf request = UpstreamFixture.request("/a.B/m");
                // The deadline is in 20 ms.
                upstream.dispatch(UpstreamFixture.parsed(request), waiting, nowNs - 4_980_000_000L, nowNs);
                request.release();
                while (System.nanoTime() - nowNs < 25_000_000) {
                    Thread.onSpinWait();
                }
                upstream.update(Directory.ofAnyService(List.of(endpoint(full))));
                return !waiting.answers().isEmpty();
            });

            assertThat(answeredWithin).isFalse();
            Await.next(waiting.answers(), "the deadline is swept");
            assertThat(fixture.onLoop(upstream::pendingCount)).isOne();
        }
    }

    /** It is pending no more: neither its deadline nor the end of its connection would end it. */
    @Test
    void aFaultWhileAResponseIsTakenAnswersItsClient() throws Exception {
        update(endpoint(provider));
        executed = route -> {
            throw new IllegalStateException("a fault");
        };
        CallClient client = new CallClient();
        fixture.onLoop(() -> dispatch(client));
        provider.answer(provider.nextRequest(), Outcome.OK.number(), Flags.JSON, "1");

        assertThat(Await.next(client.answers(), "an answer")).isEqualTo(Outcome.INTERNAL_ERROR);
        assertThat(fixture.onLoop(upstream::pendingCount)).isZero();
    }

    /** Nothing speaks for it any more: neither the registry nor a link. */
    @Test
    void anEndpointThatHasLapsedIsForgottenWhenItsLinkIsClosedAsIdle() throws Exception {
        Upstream idling = fixture.newUpstream(UpstreamFixture.pools(300_000_000L), null, route -> {});
        CallClient client = new CallClient();
        fixture.onLoop(() -> {
            idling.update(Directory.of(Map.of("a.B", List.of(endpoint(provider)))));
            return dispatch(idling, client);
        });
        provider.refuse(provider.nextRequest());
        Await.next(client.answers(), "an answer");

        fixture.onLoop(() -> {
            idling.update(Directory.of(Map.of("a.B", List.of())));
            return null;
        });
        assertThat(fixture.onLoop(idling::state).endpoints()).hasSize(1);
        Await.until(
                "the endpoint is forgotten",
                () -> fixture.onLoop(idling::state).endpoints().isEmpty());
    }

    /** A provider agent releases the permit of such a call as soon as the call is written. */
    @Test
    void oneWayCallsTakeNoPermitOfAZone() throws Exception {
        try (ProviderPeer near = new ProviderPeer(2, 4096);
                ProviderPeer far = new ProviderPeer(2, 4096)) {
            PoolSettings pools = UpstreamFixture.pools(600_000_000_000L, PoolSettings.ALL);
            Upstream zoned = fixture.newUpstream(
                    new PoolSettings(
                            pools.idleNs(),
                            pools.warm(),
                            "north",
                            pools.weights(),
                            pools.subset(),
                            pools.health(),
                            pools.consumer(),
                            pools.registries()),
                    null,
                    route -> {});
            fixture.onLoop(() -> {
                zoned.update(Directory.ofAnyService(
                        List.of(endpoint(near).withZone("north"), endpoint(far).withZone("south"))));
                return null;
            });
            Await.until("the links are ready", () -> fixture.onLoop(() -> zoned.isLoaded() && zoned.isWarm()));
            CallClient client = new CallClient();
            fixture.onLoop(() -> dispatch(zoned, client));
            reportOneInService(near.nextRequest());
            Await.next(client.answers(), "an answer");

            fixture.onLoop(() -> {
                for (int i = 0; i < 5; i++) {
                    dispatch(zoned, client, "X-Dubbo-Oneway: true");
                }
                return null;
            });
            for (int i = 0; i < 5; i++) {
                near.nextRequest();
            }
            assertThat(far.hasNone()).isTrue();
        }
    }

    /** Answers a request, and reports that the provider executes this call and no other. */
    private static void reportOneInService(ProviderPeer.Received request) throws IOException {
        String body = Hex.u16(0) + Hex.text("1");
        request.link()
                .send(MeshFrame.frame(
                        MeshFrame.RESPONSE,
                        Outcome.OK.number(),
                        Flags.JSON,
                        request.requestId(),
                        1 << Short.SIZE,
                        body));
    }

    private static Endpoint endpoint(ProviderPeer peer) {
        return new Endpoint("127.0.0.1", peer.port(), 1, 1, List.of());
    }

    /** Returns when the links are ready. */
    private void update(Endpoint... endpoints) throws Exception {
        fixture.onLoop(() -> {
            upstream.update(Directory.ofAnyService(List.of(endpoints)));
            return null;
        });
        Await.until("the links are ready", () -> fixture.onLoop(() -> upstream.isLoaded() && upstream.isWarm()));
    }

    private Void dispatch(CallClient client) throws Exception {
        return dispatch(upstream, client);
    }

    private static Void dispatch(Upstream upstream, CallClient client, String... headers) throws Exception {
        ByteBuf request = UpstreamFixture.request("/a.B/m", headers);
        long nowNs = System.nanoTime();
        upstream.dispatch(UpstreamFixture.parsed(request), client, nowNs, nowNs);
        request.release();
        return null;
    }
}
