package io.dubbomesh.consumer.upstream;

import io.dubbomesh.consumer.health.HealthSettings;
import io.dubbomesh.consumer.http.Response;
import io.dubbomesh.loadbalance.Strategy;
import io.dubbomesh.loadbalance.Subset;
import io.dubbomesh.registry.ProvidersBehindAgents;
import io.dubbomesh.registry.RoutedCall;
import io.dubbomesh.registry.RoutedConsumer;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.SharedEvents;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.ProviderPeer;
import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.socket.SocketSettings;
import io.dubbomesh.transport.socket.Transport;
import io.dubbomesh.transport.write.Turn;
import io.netty.channel.EventLoop;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;

import static org.assertj.core.api.Assertions.assertThat;

/** A pool over endpoints with real links; the time is the test's own. */
@Timeout(30)
class EndpointPoolTest {
    private static final long SECOND = 1_000_000_000;
    private static final int LIMIT = 180;
    private static final RoutedConsumer CONSUMER = new RoutedConsumer("shop", "192.0.2.100", "", false);
    private static final SocketSettings SOCKETS =
            new SocketSettings(true, false, true, 128, 0, 0, 64 * 1024, 32 * 1024, 64 * 1024, 1000);
    private static final HealthSettings HEALTH = new HealthSettings(true, 5, SECOND, 3, 500, 4000, 50, 10 * SECOND);
    private static final Strategy STRATEGY = Strategy.WEIGHTED_ROUND_ROBIN;
    private static final QueueSettings QUEUE = new QueueSettings(16, 1 << 20, 20_000_000, 250_000_000);
    private static final LinkSettings LINKS = new LinkSettings(600 * SECOND, Set.of(), 20);
    private static final UpstreamSettings SETTINGS = new UpstreamSettings(
            QUEUE, LINKS, STRATEGY, HEALTH, 1 << 20, 60_000, EndpointHeader.FAILURES, CONSUMER, List.of("static:"));

    private final EventLoops loops = new EventLoops("test", 1, Transport.of("nio"));
    private final EventLoop loop = loops.loops().get(0);
    private final LinkOpener opener = new LinkOpener(
            loops,
            loop,
            null,
            SOCKETS,
            null,
            1,
            new EndpointLoads(1),
            new SharedEvents(),
            new ProvidersBehindAgents(directory -> {}, Runnable::run, 0));
    private final Response response = new Response("docs/errors.md", AgentRole.CONSUMER);
    private final List<ProviderPeer> peers = new ArrayList<>();
    private final List<ProviderEndpoint> endpoints = new ArrayList<>();
    private final EndpointPool pool = new EndpointPool(
            "a.B",
            "",
            "",
            size -> STRATEGY.newBalancer(size, 0),
            HEALTH,
            QUEUE.newDelay(0),
            new SubsetSize(20),
            new PoolRouting(new RoutedCall("a.B", "", "", "m", Map.of(), CONSUMER)));
    private long nowNs;

    @BeforeEach
    void connectFourEndpoints() throws Exception {
        for (int i = 0; i < 4; i++) {
            peers.add(new ProviderPeer(LIMIT, 4096));
            endpoints.add(onLoop(() -> newEndpoint(peers.get(peers.size() - 1).port())));
        }
        for (ProviderEndpoint endpoint : endpoints) {
            Await.until("the link is ready", () -> onLoop(endpoint::isAlive));
        }
        nowNs = System.nanoTime();
    }

    private ProviderEndpoint newEndpoint(int port) {
        EndpointCounters counters = new EndpointCounters(loop);
        Services services = new Services(
                size -> STRATEGY.newBalancer(size, 0),
                SETTINGS,
                listed -> null,
                new SlicedWork(loop),
                new Subset(1, 0, 1),
                counters);
        CallDispatcher dispatcher = new CallDispatcher(new Turn(loop), SETTINGS, services, route -> {}, response);
        ProviderEndpoint endpoint = new ProviderEndpoint(
                new HostPort("127.0.0.1", port), opener, null, SETTINGS, new Turn(loop), dispatcher, counters);
        endpoint.need();
        return endpoint;
    }

    @AfterEach
    void close() throws IOException {
        for (ProviderPeer peer : peers) {
            peer.close();
        }
        loops.close();
        response.close();
    }

    // --- slow start ---

    @Test
    void endpointsThatStartTogetherHaveExactSharesFromTheBeginning() throws Exception {
        update(1, 2, 3);
        assertThat(shares(600)).containsExactly(100, 200, 300);
        nowNs += 5 * SECOND;
        assertThat(shares(600)).containsExactly(100, 200, 300);
        nowNs += 5 * SECOND;
        assertThat(shares(600)).containsExactly(100, 200, 300);
    }

    @Test
    void anEndpointThatJoinsOthersStartsWithATenthOfItsWeight() throws Exception {
        update(1, 1, 1);
        nowNs += 20 * SECOND;
        update(1, 1, 1, 1);
        assertThat(shares(310)).containsExactly(100, 100, 100, 10);
        nowNs += 5 * SECOND;
        assertThat(shares(355)).containsExactly(100, 100, 100, 55);
        nowNs += 5 * SECOND;
        assertThat(shares(400)).containsExactly(100, 100, 100, 100);
    }

    @Test
    void anEndpointWithANewLinkStartsSlowly() throws Exception {
        update(1, 1);
        int connection = onLoop(endpoints.get(0)::connection);
        peers.get(0).closeLinks();
        Await.until(
                "the link is back",
                () -> onLoop(
                        () -> endpoints.get(0).isAlive() && endpoints.get(0).connection() > connection));
        member(endpoints.get(1)).startNs -= 20 * SECOND;

        nowNs = onLoop(endpoints.get(0)::connectedNs);
        onLoop(() -> pool.pick(null, nowNs));
        assertThat(shares(110)).containsExactly(10, 100);
    }

    /** As after a provider agent was restarted: the other event loops' pools have it, and no call comes to them. */
    @Test
    void anEndpointHasItsWholeWeightAfterTheSlowStartThoughNoCallCame() throws Exception {
        update(1, 1, 1);
        nowNs += 20 * SECOND;
        check();
        update(1, 1, 1, 1);
        assertThat(effectiveWeights()).containsExactly(1, 1, 1, 0.1);
        nowNs += 5 * SECOND;
        check();
        assertThat(effectiveWeights()).containsExactly(1, 1, 1, 0.55);
        nowNs += 5 * SECOND;
        check();
        assertThat(effectiveWeights()).containsExactly(1, 1, 1, 1);
    }

    // --- ejection ---

    @Test
    void anEjectedEndpointGetsOneCallWhenItsPauseIsOverAndReturnsSlowly() throws Exception {
        update(1, 1, 1, 1);
        nowNs += 20 * SECOND;
        PoolMember ejected = eject(endpoints.get(2));
        assertThat(shares(300)).containsExactly(100, 100, 0, 100);

        nowNs += SECOND;
        PoolMember probed = onLoop(() -> pool.pick(null, nowNs));
        assertThat(probed).isSameAs(ejected);
        onLoop(() -> {
            probed.sent(nowNs);
            return null;
        });
        assertThat(shares(300)).as("while the probe is in flight").containsExactly(100, 100, 0, 100);
        onLoop(() -> {
            probed.answered(0, nowNs, nowNs + 1000);
            probed.ended();
            return null;
        });
        assertThat(shares(310)).containsExactly(100, 100, 10, 100);
    }

    @Test
    void aSecondAttemptIsNoProbe() throws Exception {
        update(1, 1, 1);
        PoolMember ejected = eject(endpoints.get(0));
        nowNs += SECOND;
        assertThat(onLoop(() -> pool.pick(endpoints.get(1), nowNs))).isNotSameAs(ejected);
        assertThat(onLoop(() -> pool.pick(null, nowNs))).isSameAs(ejected);
    }

    @Test
    void halfOfTheWeightMayBeEjected() throws Exception {
        update(1, 1, 1, 1);
        eject(endpoints.get(0));
        eject(endpoints.get(1));
        fillUp(endpoints.get(2));
        fillUp(endpoints.get(3));
        assertThat(onLoop(() -> pool.pick(null, nowNs))).isNull();
    }

    @Test
    void whenMoreIsEjectedItGetsTheCallsForWhichTheOthersHaveNoRoom() throws Exception {
        update(1, 1, 1, 1);
        for (int i = 0; i < 3; i++) {
            eject(endpoints.get(i));
        }
        assertThat(shares(10)).containsExactly(0, 0, 0, 10);
        fillUp(endpoints.get(3));
        assertThat(shares(300)).containsExactly(100, 100, 100, 0);
    }

    @Test
    void mostOfTheWeightIsNeverEjectedAsSlow() throws Exception {
        update(1, 1, 3);
        onLoop(() -> {
            assertThat(pool.mayEjectAsSlow(member(endpoints.get(2)))).isFalse();
            assertThat(pool.mayEjectAsSlow(member(endpoints.get(1)))).isTrue();
            return null;
        });
    }

    @Test
    void theLastEndpointIsNotEjected() throws Exception {
        update(1, 0);
        onLoop(() -> {
            assertThat(pool.mayEject(member(endpoints.get(0)))).isFalse();
            return null;
        });
    }

    @Test
    void anEndpointThatHasLeftIsNotEjected() throws Exception {
        update(1, 1, 1);
        PoolMember left = member(endpoints.get(2));
        update(1, 1);
        onLoop(() -> {
            assertThat(pool.mayEject(left)).isFalse();
            return null;
        });
    }

    @Test
    void theLossOfALinkIsOneFailureHoweverManyCallsWereOnIt() throws Exception {
        update(1, 1);
        PoolMember member = member(endpoints.get(0));
        onLoop(() -> {
            endpoints.get(0).retire();
            for (int i = 0; i < 100; i++) {
                member.sent(nowNs);
                member.failed(nowNs, nowNs);
                member.ended();
            }
            return null;
        });
        assertThat(member.isEjected()).isFalse();
        assertThat(member.health.failures()).isEqualTo(1);
    }

    // --- set-up ---

    private void update(int... weights) throws Exception {
        onLoop(() -> {
            pool.update(endpoints.subList(0, weights.length), weights, weights, nowNs);
            return null;
        });
    }

    private void check() throws Exception {
        onLoop(() -> {
            pool.check(nowNs, false);
            return null;
        });
    }

    private double[] effectiveWeights() throws Exception {
        return onLoop(() -> pool.state().endpoints().stream()
                .mapToDouble(UpstreamState.MemberState::effectiveWeight)
                .toArray());
    }

    /** How many of so many calls go to each endpoint, after a check. */
    private int[] shares(int calls) throws Exception {
        return onLoop(() -> {
            pool.check(nowNs, false);
            int[] shares = new int[pool.size()];
            for (int i = 0; i < calls; i++) {
                shares[endpoints.indexOf(pool.pick(null, nowNs).endpoint)]++;
            }
            return shares;
        });
    }

    private PoolMember eject(ProviderEndpoint endpoint) throws Exception {
        return onLoop(() -> {
            PoolMember member = member(endpoint);
            for (int i = 0; i < HEALTH.failures(); i++) {
                member.sent(nowNs);
                member.failed(nowNs, nowNs);
                member.ended();
            }
            assertThat(member.isEjected()).isTrue();
            return member;
        });
    }

    private void fillUp(ProviderEndpoint endpoint) throws Exception {
        onLoop(() -> {
            for (int i = 0; i < LIMIT; i++) {
                endpoint.sent();
            }
            return null;
        });
    }

    private PoolMember member(ProviderEndpoint endpoint) {
        return Arrays.stream(pool.members())
                .filter(member -> member.endpoint == endpoint)
                .findFirst()
                .orElseThrow();
    }

    private <T> T onLoop(Callable<T> action) throws Exception {
        return loop.submit(action).get();
    }
}
