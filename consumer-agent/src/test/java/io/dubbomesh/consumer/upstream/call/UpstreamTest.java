package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.consumer.call.CallReader;
import io.dubbomesh.consumer.call.CallSettings;
import io.dubbomesh.consumer.call.ParsedCall;
import io.dubbomesh.consumer.call.Route;
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
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.RoutedConsumer;
import io.dubbomesh.registry.merged.ProvidersBehindAgents;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.SharedEvents;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.ProviderPeer;
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
import io.netty.util.IllegalReferenceCountException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(30)
class UpstreamTest {
    private static final RoutedConsumer CONSUMER = new RoutedConsumer("shop", "192.0.2.100", "", false);
    private static final SocketSettings SOCKETS =
            new SocketSettings(true, false, true, 128, 0, 0, 64 * 1024, 32 * 1024, 64 * 1024, 1000);

    private static final HealthSettings HEALTH = new HealthSettings(false, 5, 1_000_000_000, 3, 500, 4000, 50, 0);

    private final EventLoops loops = new EventLoops("test", 1, Transport.of("auto"));
    private final EventLoop loop = loops.loops().get(0);
    private final ProviderPeer provider = new ProviderPeer(180, 4096);
    private final Response response = new Response("docs/errors.md", AgentRole.CONSUMER);
    private Consumer<Route> executed = route -> {};
    private final Upstream upstream = newUpstream(
            new PoolSettings(600_000_000_000L, Set.of(PoolSettings.ALL), 20, HEALTH, CONSUMER, List.of("static:")));

    UpstreamTest() throws IOException {}

    private Upstream newUpstream(PoolSettings pools) {
        return new Upstream(
                new LinkOpener(
                        loops,
                        loop,
                        null,
                        SOCKETS,
                        null,
                        1,
                        new EndpointLoads(1),
                        new SharedEvents(),
                        new ProvidersBehindAgents(directory -> {}, Runnable::run, 0)),
                null,
                new UpstreamSettings(
                        new QueueSettings(16, 1 << 20, 20_000_000, 250_000_000),
                        pools,
                        new LinkSettings(1 << 20, 1000, EndpointHeader.FAILURES),
                        Strategy.named(Strategy.settingNames()[0])),
                new Turn(loop),
                size -> Strategy.named(Strategy.settingNames()[0]).newBalancer(size, 0),
                route -> executed.accept(route),
                response);
    }

    @AfterEach
    void close() throws Exception {
        provider.close();
        loops.close();
        response.close();
    }

    private static class Client implements Responder {
        private Cancellation cancellation;

        @Override
        public void observe(Observer ignored) {}

        @Override
        public void respond(Response ignored) {
            throw new AssertionError("a response");
        }

        @Override
        public void expect(AnswerSize ignored) {}

        @Override
        public CallRecord record() {
            return null;
        }

        @Override
        public void onCancel(Cancellation toBeTold) {
            cancellation = toBeTold;
        }
    }

    @Test
    void aCallBeforeTheListIsLoadedNamesTheRegistry() throws Exception {
        onLoop(() -> {
            ByteBuf request = request();
            ParsedCall call = parsed(request);
            request.release();
            assertThatThrownBy(() -> upstream.dispatch(call, new Client(), System.nanoTime(), System.nanoTime()))
                    .hasMessage("the list of endpoints is not loaded yet: the registry static: has not answered since"
                            + " the start");
            return null;
        });
    }

    /** The object of such a call is free for the next one. */
    @Test
    void aCallThatCouldNotBeSentIsNotToldOfACancellation() throws Exception {
        update(endpoint(provider));
        Client client = new Client();

        onLoop(() -> {
            ByteBuf request = request();
            ParsedCall call = parsed(request);
            request.release();
            long nowNs = System.nanoTime();
            assertThatThrownBy(() -> upstream.dispatch(call, client, nowNs, nowNs))
                    .isInstanceOf(IllegalReferenceCountException.class);
            return null;
        });

        assertThat(client.cancellation).isNull();
        assertThat(onLoop(upstream::pendingCount)).isZero();
    }

    @Test
    void callsThatWaitGoToAnEndpointThatJoins() throws Exception {
        try (ProviderPeer full = new ProviderPeer(1, 4096);
                ProviderPeer joining = new ProviderPeer(2, 4096)) {
            update(endpoint(full));
            for (int i = 0; i < 3; i++) {
                onLoop(() -> dispatch(new Client()));
            }
            full.nextRequest();

            update(endpoint(full), endpoint(joining));
            joining.nextRequest();
            joining.nextRequest();
            onLoop(() -> {
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
            onLoop(() -> dispatch(new Client()));
            full.nextRequest();
            AtomicBoolean answered = new AtomicBoolean();
            Client waiting = new Client() {
                @Override
                public void respond(Response response) {
                    answered.set(true);
                }
            };

            boolean answeredWithin = onLoop(() -> {
                long nowNs = System.nanoTime();
                ByteBuf request = request();
                // The deadline is in 20 ms.
                upstream.dispatch(parsed(request), waiting, nowNs - 4_980_000_000L, nowNs);
                request.release();
                while (System.nanoTime() - nowNs < 25_000_000) {
                    Thread.onSpinWait();
                }
                upstream.update(Directory.ofAnyService(List.of(endpoint(full))));
                return answered.get();
            });

            assertThat(answeredWithin).isFalse();
            Await.until("the deadline is swept", answered::get);
            assertThat(onLoop(upstream::pendingCount)).isOne();
        }
    }

    /** It is pending no more: neither its deadline nor the end of its connection would end it. */
    @Test
    void aFaultWhileAResponseIsTakenAnswersItsClient() throws Exception {
        update(endpoint(provider));
        executed = route -> {
            throw new IllegalStateException("a fault");
        };
        AtomicReference<Outcome> answered = new AtomicReference<>();
        Client client = new Client() {
            @Override
            public void respond(Response response) {
                answered.set(response.outcome());
            }
        };
        onLoop(() -> dispatch(client));
        provider.answer(provider.nextRequest(), Outcome.OK.number(), Flags.JSON, "1");

        Await.until("the client is answered", () -> answered.get() != null);
        assertThat(answered).hasValue(Outcome.INTERNAL_ERROR);
        assertThat(onLoop(upstream::pendingCount)).isZero();
    }

    /** Nothing speaks for it any more: neither the registry nor a link. */
    @Test
    void anEndpointThatHasLapsedIsForgottenWhenItsLinkIsClosedAsIdle() throws Exception {
        Upstream idling =
                newUpstream(new PoolSettings(300_000_000L, Set.of(), 20, HEALTH, CONSUMER, List.of("static:")));
        AtomicBoolean answered = new AtomicBoolean();
        Client client = new Client() {
            @Override
            public void respond(Response ignored) {
                answered.set(true);
            }
        };
        onLoop(() -> {
            idling.update(Directory.of(Map.of("a.B", List.of(endpoint(provider)))));
            return dispatch(idling, client);
        });
        provider.refuse(provider.nextRequest());
        Await.until("the call is answered", answered::get);

        onLoop(() -> {
            idling.update(Directory.of(Map.of("a.B", List.of())));
            return null;
        });
        assertThat(onLoop(idling::state).endpoints()).hasSize(1);
        Await.until(
                "the endpoint is forgotten",
                () -> onLoop(idling::state).endpoints().isEmpty());
    }

    private static Endpoint endpoint(ProviderPeer peer) {
        return new Endpoint("127.0.0.1", peer.port(), 1, 1, List.of());
    }

    /** Returns when the links are ready. */
    private void update(Endpoint... endpoints) throws Exception {
        onLoop(() -> {
            upstream.update(Directory.ofAnyService(List.of(endpoints)));
            return null;
        });
        Await.until("the links are ready", () -> onLoop(() -> upstream.isLoaded() && upstream.isWarm()));
    }

    private Void dispatch(Client client) throws Exception {
        return dispatch(upstream, client);
    }

    private static Void dispatch(Upstream upstream, Client client) throws Exception {
        ByteBuf request = request();
        long nowNs = System.nanoTime();
        upstream.dispatch(parsed(request), client, nowNs, nowNs);
        request.release();
        return null;
    }

    private static ByteBuf request() {
        return Unpooled.copiedBuffer(
                HttpSocket.request("POST /a.B/m", "[1]", "Content-Type: application/json"), US_ASCII);
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
}
