package io.dubbomesh.consumer.upstream.pool;

import io.dubbomesh.consumer.health.HealthSettings;
import io.dubbomesh.consumer.upstream.UpstreamFixture;
import io.dubbomesh.consumer.upstream.directory.ServiceSubset;
import io.dubbomesh.consumer.upstream.directory.SubsetSize;
import io.dubbomesh.consumer.upstream.link.EndpointCounters;
import io.dubbomesh.consumer.upstream.link.EndpointLink;
import io.dubbomesh.consumer.upstream.link.EndpointListener;
import io.dubbomesh.consumer.upstream.link.ProviderEndpoint;
import io.dubbomesh.loadbalance.LoadBalancer;
import io.dubbomesh.loadbalance.LoadView;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.MeshHeader;
import io.dubbomesh.protocol.mesh.ReportedLoad;
import io.dubbomesh.registry.RoutedCall;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.ProviderPeer;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** A pool over endpoints with real links; the time is the test's own. */
@Timeout(30)
class EndpointPoolTest {
    private static final long SECOND = 1_000_000_000;
    private static final int LIMIT = 180;
    private static final HealthSettings HEALTH = new HealthSettings(true, 5, SECOND, 3, 500, 4000, 50, 10 * SECOND);

    private final UpstreamFixture fixture = new UpstreamFixture();
    private final List<ProviderPeer> peers = new ArrayList<>();
    private final List<ProviderEndpoint> endpoints = new ArrayList<>();
    private final EndpointPool pool = newPool(size -> UpstreamFixture.STRATEGY.newBalancer(size, 0, 0));
    private long nowNs;

    private static EndpointPool newPool(IntFunction<LoadBalancer> newBalancer) {
        return new EndpointPool(
                "a.B",
                "",
                "",
                newBalancer,
                HEALTH,
                new SubsetSize(20),
                new PoolRouting(new RoutedCall("a.B", "", "", "m", Map.of(), UpstreamFixture.CONSUMER)),
                new LocalZone(""));
    }

    @BeforeEach
    void connectFourEndpoints() throws Exception {
        for (int i = 0; i < 4; i++) {
            peers.add(new ProviderPeer(LIMIT, 4096));
            endpoints.add(
                    fixture.onLoop(() -> newEndpoint(peers.get(peers.size() - 1).port())));
        }
        for (ProviderEndpoint endpoint : endpoints) {
            Await.until("the link is ready", () -> fixture.onLoop(endpoint::isAlive));
        }
        nowNs = System.nanoTime();
    }

    private ProviderEndpoint newEndpoint(int port) {
        ProviderEndpoint endpoint = new ProviderEndpoint(
                EndpointProtocol.MESH.at("127.0.0.1", port),
                fixture.opener(),
                null,
                UpstreamFixture.LINKS,
                new Turn(fixture.loop()),
                new NoCalls(),
                new EndpointCounters(fixture.loop()));
        endpoint.acquireLink();
        return endpoint;
    }

    @AfterEach
    void close() throws IOException {
        for (ProviderPeer peer : peers) {
            peer.close();
        }
        fixture.close();
    }

    // --- the balancer ---

    /** Notes what a balancer hears. */
    private record Listening(List<String> heard) implements LoadBalancer {
        @Override
        public int pick(LoadView view, long nowNs) {
            return NONE;
        }

        @Override
        public void answered(int index, long durationNs, long nowNs) {
            heard.add(index + " answered after " + durationNs);
        }

        @Override
        public void endedWithoutResult(int index, long durationNs, long nowNs) {
            heard.add(index + " without a result after " + durationNs);
        }

        @Override
        public void failed(int index, long durationNs, long nowNs) {
            heard.add(index + " failed after " + durationNs);
        }

        @Override
        public void forgetFailures(int index) {
            heard.add(index + " begins anew");
        }

        @Override
        public LoadBalancer changed(int[] previousIndex) {
            return this;
        }
    }

    @Test
    void theBalancerHearsWhatBecomesOfTheCallsOfMembers() throws Exception {
        List<String> heard = new ArrayList<>();
        EndpointPool heeding = newPool(size -> new Listening(heard));
        int[] weights = {1, 1};
        fixture.onLoop(() -> {
            heeding.update(endpoints.subList(0, 2), new ServiceSubset.Choice(List.of(), weights, weights, 0), nowNs);
            PoolMember first = heeding.members()[0];
            PoolMember second = heeding.members()[1];
            for (int i = 0; i < 8; i++) {
                second.sent(nowNs);
            }
            second.answered(Outcome.OK.number(), nowNs, nowNs + 1);
            second.answered(Outcome.SERVICE_EXCEPTION.number(), nowNs, nowNs + 2);
            second.answered(Outcome.PROVIDER_ERROR.number(), nowNs, nowNs + 3);
            second.answered(Outcome.SERVICE_NOT_FOUND.number(), nowNs, nowNs + 4);
            second.answered(Outcome.OVERLOADED.number(), nowNs, nowNs + 5);
            second.refused(nowNs, nowNs + 6);
            first.sent(nowNs);
            heeding.update(endpoints.subList(1, 3), new ServiceSubset.Choice(List.of(), weights, weights, 0), nowNs);
            first.answered(Outcome.OK.number(), nowNs, nowNs + 7);
            second.answered(Outcome.OK.number(), nowNs, nowNs + 8);
            return null;
        });

        assertThat(heard)
                .containsExactly(
                        "1 answered after 1",
                        "1 without a result after 2",
                        "1 failed after 3",
                        "1 without a result after 4",
                        "1 failed after 5",
                        "1 failed after 6",
                        "0 answered after 8");
    }

    private EndpointPool heedingPool(List<String> heard) {
        EndpointPool heeding = newPool(size -> new Listening(heard));
        int[] weights = {1, 1};
        heeding.update(endpoints.subList(0, 2), new ServiceSubset.Choice(List.of(), weights, weights, 0), nowNs);
        return heeding;
    }

    @Test
    void theBalancerHearsOnceOfALostLinkAndThatItsFailuresAreOver() throws Exception {
        List<String> heard = new ArrayList<>();
        fixture.onLoop(() -> {
            PoolMember member = heedingPool(heard).members()[0];
            for (int i = 0; i < HEALTH.failures(); i++) {
                member.sent(nowNs);
                member.failed(nowNs, nowNs);
                member.ended();
            }
            assertThat(member.isEjected()).isTrue();
            heard.clear();
            member.sent(nowNs + SECOND);
            member.answered(Outcome.OK.number(), nowNs + SECOND, nowNs + SECOND + 1);
            member.ended();
            endpoints.get(0).retire();
            for (int i = 0; i < 100; i++) {
                member.sent(nowNs + SECOND);
                member.failed(nowNs + SECOND, nowNs + SECOND + 1);
                member.ended();
            }
            return null;
        });

        assertThat(heard).containsExactly("0 answered after 1", "0 begins anew", "0 failed after 1");
    }

    @Test
    void aDeadlineThatLeftNoTimeIsNoFailureForTheBalancer() throws Exception {
        List<String> heard = new ArrayList<>();
        fixture.onLoop(() -> {
            PoolMember member = heedingPool(heard).members()[0];
            member.sent(nowNs);
            member.timedOut(nowNs, nowNs + 1_000_000);
            member.timedOut(nowNs, nowNs + SECOND);
            return null;
        });

        assertThat(heard).containsExactly("0 without a result after 1000000", "0 failed after 1000000000");
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
        int connection = fixture.onLoop(endpoints.get(0)::connection);
        peers.get(0).closeLinks();
        Await.until(
                "the link is back",
                () -> fixture.onLoop(
                        () -> endpoints.get(0).isAlive() && endpoints.get(0).connection() > connection));
        PoolMember started = member(endpoints.get(1));
        started.start(started.startNs() - 20 * SECOND);

        nowNs = fixture.onLoop(endpoints.get(0)::connectedNs);
        fixture.onLoop(() -> pool.pick(LoadView.NO_KEY, null, nowNs));
        assertThat(shares(110)).containsExactly(10, 100);
    }

    /** A provider agent was restarted: the other event loops' pools have it, and no call comes to them. */
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
        PoolMember probed = fixture.onLoop(() -> pool.pick(LoadView.NO_KEY, null, nowNs));
        assertThat(probed).isSameAs(ejected);
        fixture.onLoop(() -> {
            probed.sent(nowNs);
            return null;
        });
        assertThat(shares(300)).as("while the probe is in flight").containsExactly(100, 100, 0, 100);
        fixture.onLoop(() -> {
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
        assertThat(fixture.onLoop(() -> pool.pick(LoadView.NO_KEY, endpoints.get(1), nowNs)))
                .isNotSameAs(ejected);
        assertThat(fixture.onLoop(() -> pool.pick(LoadView.NO_KEY, null, nowNs)))
                .isSameAs(ejected);
    }

    @Test
    void halfOfTheWeightMayBeEjected() throws Exception {
        update(1, 1, 1, 1);
        eject(endpoints.get(0));
        eject(endpoints.get(1));
        fillUp(endpoints.get(2));
        fillUp(endpoints.get(3));
        assertThat(fixture.onLoop(() -> pool.pick(LoadView.NO_KEY, null, nowNs)))
                .isNull();
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
        fixture.onLoop(() -> {
            assertThat(pool.rotation().mayEjectAsSlow(member(endpoints.get(2)))).isFalse();
            assertThat(pool.rotation().mayEjectAsSlow(member(endpoints.get(1)))).isTrue();
            return null;
        });
    }

    @Test
    void theLastEndpointIsNotEjected() throws Exception {
        update(1, 0);
        fixture.onLoop(() -> {
            assertThat(pool.rotation().mayEject(member(endpoints.get(0)))).isFalse();
            return null;
        });
    }

    @Test
    void anEndpointThatHasLeftIsNotEjected() throws Exception {
        update(1, 1, 1);
        PoolMember left = member(endpoints.get(2));
        update(1, 1);
        fixture.onLoop(() -> {
            assertThat(pool.rotation().mayEject(left)).isFalse();
            return null;
        });
    }

    @Test
    void theLossOfALinkIsOneFailureHoweverManyCallsWereOnIt() throws Exception {
        update(1, 1);
        PoolMember member = member(endpoints.get(0));
        fixture.onLoop(() -> {
            endpoints.get(0).retire();
            for (int i = 0; i < 100; i++) {
                member.sent(nowNs);
                member.failed(nowNs, nowNs);
                member.ended();
            }
            return null;
        });
        assertThat(member.isEjected()).isFalse();
        assertThat(member.health().failures()).isEqualTo(1);
    }

    /** In a subset, an endpoint with more calls of all agents gets fewer of these; in a list of all it does not. */
    @Test
    void aSubsetEvensOutWhatItsEndpointsReport() throws Exception {
        int[] weights = {1, 1, 2};
        for (int candidates : new int[] {0, 1000}) {
            fixture.onLoop(() -> {
                pool.update(
                        endpoints.subList(0, 3),
                        new ServiceSubset.Choice(List.of(), weights, weights, new int[] {100, 100, 100}, candidates),
                        nowNs);
                return null;
            });
            nowNs += 20 * SECOND;
            for (int i = 0; i < 10; i++) {
                answer(0, 10);
                answer(1, 30);
                answer(2, 20);
                check();
            }

            int[] shares = shares(300);
            if (candidates == 0) {
                assertThat(shares).containsExactly(100, 100, 100);
            } else {
                assertThat(shares[0]).isBetween(120, 250);
                assertThat(shares[2]).as("twice the weight and twice the calls").isCloseTo(shares[0], within(20));
                assertThat(shares[1]).isBetween(1, 90);
            }
        }
    }

    /** Has an endpoint answer a call and report the calls that its provider has. */
    private void answer(int index, int calls) throws Exception {
        fixture.onLoop(() -> {
            ByteBuf answer = Unpooled.buffer().writeZero(MeshHeader.LENGTH);
            ReportedLoad.write(answer, 0, calls, 0, 1_000_000);
            ProviderEndpoint endpoint = endpoints.get(index);
            endpoint.reported(endpoint.link(), answer, 0, nowNs);
            PoolMember member = member(endpoint);
            member.sent(nowNs);
            member.answered(Outcome.OK.number(), nowNs, nowNs);
            member.ended();
            return null;
        });
    }

    // --- set-up ---

    private void update(int... weights) throws Exception {
        fixture.onLoop(() -> {
            pool.update(
                    endpoints.subList(0, weights.length),
                    new ServiceSubset.Choice(List.of(), weights, weights, 0),
                    nowNs);
            return null;
        });
    }

    private void check() throws Exception {
        fixture.onLoop(() -> {
            pool.check(nowNs, false);
            return null;
        });
    }

    private double[] effectiveWeights() throws Exception {
        return fixture.onLoop(() -> pool.state(System.nanoTime()).endpoints().stream()
                .mapToDouble(ServiceState.MemberState::effectiveWeight)
                .toArray());
    }

    /** Returns the number of so many calls that go to each endpoint, after a check. */
    private int[] shares(int calls) throws Exception {
        return fixture.onLoop(() -> {
            pool.check(nowNs, false);
            int[] shares = new int[pool.members().length];
            for (int i = 0; i < calls; i++) {
                shares[endpoints.indexOf(pool.pick(LoadView.NO_KEY, null, nowNs).endpoint())]++;
            }
            return shares;
        });
    }

    private PoolMember eject(ProviderEndpoint endpoint) throws Exception {
        return fixture.onLoop(() -> {
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
        fixture.onLoop(() -> {
            for (int i = 0; i < LIMIT; i++) {
                endpoint.sent();
            }
            return null;
        });
    }

    /** Nothing is called through these endpoints. */
    private static final class NoCalls implements EndpointListener {
        @Override
        public void roomAdded() {}

        @Override
        public void unavailable(ProviderEndpoint endpoint) {}

        @Override
        public void responded(EndpointLink link, ByteBuf in, int offset, int end) {
            throw new AssertionError("a response");
        }

        @Override
        public boolean awaits(EndpointLink link, ByteBuf in, int offset) {
            throw new AssertionError("a response");
        }

        @Override
        public void discarded(EndpointLink link, ByteBuf in, int offset) {
            throw new AssertionError("a response");
        }

        @Override
        public boolean sendElsewhere(EndpointLink link, ByteBuf in, int offset, int end) {
            throw new AssertionError("a request");
        }

        @Override
        public void linkLost(EndpointLink link, String reason, ByteBuf unsent) {}
    }

    private PoolMember member(ProviderEndpoint endpoint) {
        return Arrays.stream(pool.members())
                .filter(member -> member.endpoint() == endpoint)
                .findFirst()
                .orElseThrow();
    }
}
