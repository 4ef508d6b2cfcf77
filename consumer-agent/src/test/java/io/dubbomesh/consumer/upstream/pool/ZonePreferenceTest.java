package io.dubbomesh.consumer.upstream.pool;

import io.dubbomesh.consumer.health.HealthSettings;
import io.dubbomesh.consumer.upstream.UpstreamFixture;
import io.dubbomesh.consumer.upstream.directory.ServiceSubset;
import io.dubbomesh.consumer.upstream.directory.SubsetSize;
import io.dubbomesh.consumer.upstream.link.EndpointCounters;
import io.dubbomesh.consumer.upstream.link.EndpointLink;
import io.dubbomesh.consumer.upstream.link.EndpointListener;
import io.dubbomesh.consumer.upstream.link.ProviderEndpoint;
import io.dubbomesh.loadbalance.Strategy;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.RoutedCall;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.ProviderPeer;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A pool over endpoints with real links, of an agent in the zone north: a and b are there, c and d are not; under every
 * strategy. The time is the test's own.
 */
@Timeout(30)
class ZonePreferenceTest {
    private static final int A = 0;
    private static final int B = 1;
    private static final int C = 2;
    private static final int D = 3;
    private static final List<String> ZONES = List.of("north", "north", "south", "");

    private static final long SECOND = 1_000_000_000;
    private static final int LIMIT = 10;
    private static final HealthSettings HEALTH = new HealthSettings(true, 5, SECOND, 3, 500, 4000, 50, 10 * SECOND);

    private final UpstreamFixture fixture = new UpstreamFixture();
    private final List<ProviderPeer> peers = new ArrayList<>();
    private final List<ProviderEndpoint> endpoints = new ArrayList<>();
    private final LocalZone zone = new LocalZone("north");
    private EndpointPool pool;
    private long nowNs;
    /** The key of the last call, another one for each. */
    private long key;

    private void start(Strategy strategy, int... weights) throws Exception {
        pool = new EndpointPool(
                "a.B",
                "",
                "",
                size -> strategy.newBalancer(size, 0, 5),
                HEALTH,
                new SubsetSize(20),
                new PoolRouting(new RoutedCall("a.B", "", "", "m", Map.of(), UpstreamFixture.CONSUMER)),
                zone);
        for (int i = 0; i < weights.length; i++) {
            peers.add(new ProviderPeer(LIMIT, 4096));
            endpoints.add(
                    fixture.onLoop(() -> newEndpoint(peers.get(peers.size() - 1).port())));
        }
        for (ProviderEndpoint endpoint : endpoints) {
            Await.until("the link is ready", () -> fixture.onLoop(endpoint::isAlive));
        }
        nowNs = System.nanoTime();
        update(weights);
        nowNs += 20 * SECOND;
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

    @ParameterizedTest
    @EnumSource
    void callsStayInTheZone(Strategy strategy) throws Exception {
        start(strategy, 1, 1, 1, 1);

        int[] shares = shares(200);
        assertThat(shares[C] + shares[D]).isZero();
        assertThat(shares[A]).isBetween(60, 140);
        assertThat(leftZone()).isZero();
    }

    /** 20 calls have room in the zone; those beyond go to the others, c and d, by their weights. */
    @ParameterizedTest
    @EnumSource
    void whatTheZoneHasNoRoomForIsSpreadOverTheOthersByWeight(Strategy strategy) throws Exception {
        start(strategy, 1, 1, 4, 1);

        assertThat(sent(20)).containsExactly(LIMIT, LIMIT, 0, 0);

        int[] shares = shares(1000);
        // At random 800, and at most five standard deviations more or less.
        assertThat(shares[C]).isBetween(737, 863);
        assertThat(shares[D]).isEqualTo(1000 - shares[C]);
        int[] sent = sent(10);
        assertThat(sent[C] + sent[D]).isEqualTo(10);
        assertThat(leftZone()).isEqualTo(1010);

        ended(A, 3);
        assertThat(shares(3)).as("as soon as there is room again").containsExactly(3, 0, 0, 0);
    }

    @ParameterizedTest
    @EnumSource
    void callsStayWithWhatIsLeftOfTheZone(Strategy strategy) throws Exception {
        start(strategy, 1, 1, 1, 1);

        eject(A);
        assertThat(shares(20)).containsExactly(0, 20, 0, 0);

        eject(B);
        int[] shares = shares(20);
        assertThat(shares[A] + shares[B]).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void whatIsDrainedInTheZoneGetsNoCalls(Strategy strategy) throws Exception {
        start(strategy, 1, 1, 1, 1);

        update(0, 1, 1, 1);
        assertThat(shares(20)).containsExactly(0, 20, 0, 0);

        update(0, 0, 1, 1);
        int[] shares = shares(20);
        assertThat(shares[C] + shares[D]).isEqualTo(20);
    }

    @ParameterizedTest
    @EnumSource
    void callsGoElsewhereAsLongAsTheZoneGivesThemBack(Strategy strategy) throws Exception {
        start(strategy, 1, 1, 1, 1);
        refuse(A);
        assertThat(shares(20)).containsExactly(0, 20, 0, 0);
        refuse(B);
        int[] shares = shares(20);
        assertThat(shares[C] + shares[D]).isGreaterThan(9);

        nowNs += SECOND / 10;
        shares = shares(20);
        assertThat(shares[A] + shares[B])
                .as("for the time that calls take, not longer")
                .isEqualTo(20);
    }

    /** The first endpoint of a zone would get the calls of all agents there at once. */
    @ParameterizedTest
    @EnumSource
    void aZoneStartsAsSlowlyAsItsEndpoints(Strategy strategy) throws Exception {
        start(strategy, 1, 1, 1, 1);
        update(new int[] {C, D}, new int[] {1, 1});
        update(1, 1, 1, 1);

        assertThat(partInZone()).isBetween(0.1, 0.2);
        nowNs += 5 * SECOND;
        assertThat(partInZone()).isBetween(0.5, 0.75);
        nowNs += 5 * SECOND;
        assertThat(partInZone()).isEqualTo(1);
    }

    /** What a busy zone has no room for would all go to its endpoint that has just started. */
    @ParameterizedTest
    @EnumSource
    void anEndpointThatStartsDoesNotGetWhatABusyZoneHasNoRoomFor(Strategy strategy) throws Exception {
        start(strategy, 1, 1, 1, 1);
        update(new int[] {A, C, D}, new int[] {1, 1, 1});
        update(1, 1, 1, 1);
        fill(A);

        int[] shares = shares(1000);
        assertThat(shares[B]).isBetween(50, 250);
        assertThat(shares[C] + shares[D]).isEqualTo(1000 - shares[B]);
    }

    /** Where the others are busy, too, those that start share the calls by how far they have started. */
    @ParameterizedTest
    @EnumSource
    void onlyThoseWithRoomElsewhereCount(Strategy strategy) throws Exception {
        start(strategy, 1, 1, 1, 1);
        update(new int[] {A, C}, new int[] {1, 1});
        update(1, 1, 1, 1);
        fill(A);
        fill(C);

        assertThat(shares(100)).containsExactly(0, 100, 0, 0);
    }

    @ParameterizedTest
    @EnumSource
    void endpointsThatAllStartTogetherAreChosenByZoneFromTheBeginning(Strategy strategy) throws Exception {
        start(strategy, 1, 1, 1, 1);
        nowNs = System.nanoTime();

        int[] shares = shares(50);
        assertThat(shares[A] + shares[B]).isEqualTo(50);
    }

    @ParameterizedTest
    @EnumSource
    void whereAllOrNoneAreInTheZoneNothingChanges(Strategy strategy) throws Exception {
        start(strategy, 1, 1);
        assertThat(shares(100)[A]).isBetween(30, 70);
        assertThat(leftZone()).isZero();
    }

    // --- set-up ---

    /** Makes all endpoints members, with these weights. */
    private void update(int... weights) throws Exception {
        update(IntStream.range(0, weights.length).toArray(), weights);
    }

    private void update(int[] indices, int[] weights) throws Exception {
        fixture.onLoop(() -> {
            pool.update(
                    Arrays.stream(indices).mapToObj(endpoints::get).toList(),
                    new ServiceSubset.Choice(listed(indices), weights, weights, 0),
                    nowNs);
            return null;
        });
    }

    private static List<Endpoint> listed(int[] indices) {
        return Arrays.stream(indices)
                .mapToObj(i -> new Endpoint("127.0.0.1", 1 + i, 1, LIMIT, List.of()).withZone(ZONES.get(i)))
                .toList();
    }

    /** Returns the number of so many calls, one after the other, that go to each endpoint. */
    private int[] shares(int calls) throws Exception {
        return fixture.onLoop(() -> {
            pool.check(nowNs, false);
            int[] shares = new int[endpoints.size()];
            for (int i = 0; i < calls; i++) {
                shares[endpoints.indexOf(pool.pick(++key, null, nowNs).endpoint())]++;
            }
            return shares;
        });
    }

    private double partInZone() throws Exception {
        int[] shares = shares(1000);
        return (shares[A] + shares[B]) / 1000.0;
    }

    /** Returns the number of so many calls at once that go to each endpoint. */
    private int[] sent(int calls) throws Exception {
        return fixture.onLoop(() -> {
            int[] sent = new int[endpoints.size()];
            for (int i = 0; i < calls; i++) {
                PoolMember member = pool.pick(++key, null, nowNs);
                member.sent(nowNs);
                sent[endpoints.indexOf(member.endpoint())]++;
            }
            return sent;
        });
    }

    private void fill(int index) throws Exception {
        fixture.onLoop(() -> {
            for (int i = 0; i < LIMIT; i++) {
                pool.members()[index].sent(nowNs);
            }
            return null;
        });
    }

    private void ended(int index, int calls) throws Exception {
        fixture.onLoop(() -> {
            for (int i = 0; i < calls; i++) {
                pool.members()[index].ended();
            }
            return null;
        });
    }

    private void refuse(int index) throws Exception {
        fixture.onLoop(() -> {
            pool.members()[index].sent(nowNs);
            pool.members()[index].refused(nowNs, nowNs);
            pool.members()[index].ended();
            return null;
        });
    }

    private void eject(int index) throws Exception {
        fixture.onLoop(() -> {
            PoolMember member = pool.members()[index];
            for (int i = 0; i < HEALTH.failures(); i++) {
                member.sent(nowNs);
                member.failed(nowNs, nowNs);
                member.ended();
            }
            assertThat(member.isEjected()).isTrue();
            return null;
        });
    }

    private long leftZone() throws Exception {
        return fixture.onLoop(zone::left);
    }

    private static final class NoCalls implements EndpointListener {
        @Override
        public void roomAdded() {}

        @Override
        public void unavailable(ProviderEndpoint endpoint) {}

        @Override
        public void responded(EndpointLink from, ByteBuf in, int offset, int end) {}

        @Override
        public boolean awaits(EndpointLink from, ByteBuf in, int offset) {
            return false;
        }

        @Override
        public void discarded(EndpointLink from, ByteBuf in, int offset) {}

        @Override
        public boolean sendElsewhere(EndpointLink from, ByteBuf in, int offset, int end) {
            return false;
        }

        @Override
        public void linkLost(EndpointLink lost, String reason, ByteBuf unsent) {}
    }
}
