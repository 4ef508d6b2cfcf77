package io.dubbomesh.consumer.upstream.pool;

import io.dubbomesh.consumer.health.HealthSettings;
import io.dubbomesh.consumer.upstream.UpstreamFixture;
import io.dubbomesh.consumer.upstream.directory.SubsetSize;
import io.dubbomesh.consumer.upstream.link.EndpointCounters;
import io.dubbomesh.consumer.upstream.link.EndpointHeader;
import io.dubbomesh.consumer.upstream.link.EndpointLink;
import io.dubbomesh.consumer.upstream.link.EndpointListener;
import io.dubbomesh.consumer.upstream.link.EndpointLoads;
import io.dubbomesh.consumer.upstream.link.LinkConnector;
import io.dubbomesh.consumer.upstream.link.LinkOpener;
import io.dubbomesh.consumer.upstream.link.LinkSettings;
import io.dubbomesh.consumer.upstream.link.ProviderEndpoint;
import io.dubbomesh.loadbalance.Strategy;
import io.dubbomesh.registry.RoutedCall;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.transport.loop.EventLoops;
import io.dubbomesh.transport.socket.Transport;
import io.dubbomesh.transport.write.Turn;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.reflect.Proxy;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Each state of {@link PoolRotation} and of {@link EndpointPool} with each event. */
class PoolStatesTest {
    private static final long SECOND = 1_000_000_000;
    private static final HealthSettings HEALTH = new HealthSettings(true, 5, SECOND, 3, 500, 4000, 50, 10 * SECOND);

    private final EventLoops loops = new EventLoops("test", 1, Transport.of("nio"));
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Turn turn = new Turn(channel.eventLoop());
    private final LinkOpener opener = UpstreamFixture.opener(loops, new EndpointLoads(1), null);
    private PoolRotation rotation;
    private PoolMember[] members;
    private long nowNs;

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
        loops.close();
    }

    /**
     * The ways to the states, and the events, by letters: j the members join and start slowly, p a call is about to be
     * sent, s it is sent, x it ends, e a member is ejected, k a check, n the time of the slow start passes. The members
     * have joined long ago where the way does not begin with j. A dot stands for an event that changes nothing, a minus
     * for one that cannot happen there.
     */
    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', textBlock = """
                    STATE   | WAY  | j      | p     | e     | k
                    NOTHING | ''   | STARTS | CALLS | -     | .
                    CALLS   | p    | STARTS | .     | .     | NOTHING
                    CALLS   | ps   | STARTS | .     | .     | .
                    CALLS   | psx  | STARTS | .     | .     | NOTHING
                    CALLS   | pe   | STARTS | .     | .     | .
                    STARTS  | j    | .      | .     | .     | .
                    STARTS  | jn   | .      | .     | CALLS | NOTHING
                    STARTS  | jpsn | .      | .     | CALLS | CALLS
                    """)
    void aRotationFollowsItsDrawing(String state, String way, String j, String p, String e, String k) {
        String[] next = {j, p, e, k};
        for (int event = 0; event < next.length; event++) {
            if (next[event].equals("-")) {
                continue;
            }
            start(way);
            way.chars().forEach(step -> happen((char) step));
            assertThat(rotation.watch()).as(way).hasToString(state);
            happen("jpek".charAt(event));
            assertThat(rotation.watch())
                    .as(way + " " + "jpek".charAt(event))
                    .hasToString(next[event].equals(".") ? state : next[event]);
        }
    }

    private void start(String way) {
        nowNs = System.nanoTime();
        rotation = new PoolRotation("a.B", HEALTH);
        if (!way.startsWith("j")) {
            join(nowNs - 20 * SECOND);
        }
    }

    private void join(long startNs) {
        members = new PoolMember[] {newMember("192.0.2.1", startNs), newMember("192.0.2.2", startNs)};
        rotation.members(members, nowNs);
    }

    private PoolMember newMember(String host, long startNs) {
        EndpointLink link = fake(EndpointLink.class);
        ProviderEndpoint endpoint = new ProviderEndpoint(
                EndpointProtocol.DUBBO.at(host, 20880),
                opener,
                listener -> fake(LinkConnector.class),
                new LinkSettings(1 << 20, 1000, EndpointHeader.NEVER),
                turn,
                fake(EndpointListener.class),
                new EndpointCounters(Runnable::run));
        endpoint.acquireLink();
        endpoint.opening(link);
        endpoint.ready(link, 5);
        PoolMember member = new PoolMember("a.B", rotation, endpoint, HEALTH, startNs, nowNs);
        member.list(1, 1, 1);
        return member;
    }

    private void happen(char event) {
        switch (event) {
            case 'j' -> join(nowNs);
            case 'p' -> rotation.picked();
            case 's' -> members[0].sent(nowNs);
            case 'x' -> members[0].ended();
            case 'e' -> rotation.ejectForFailures(members[0], "5 calls in a row failed", nowNs);
            case 'k' -> rotation.check(nowNs, false);
            default -> nowNs += 20 * SECOND;
        }
    }

    /** A link that is ready; of the others nothing is asked. */
    private static <T> T fake(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> method.getReturnType() == boolean.class
                        ? method.getName().equals("isReady")
                        : null));
    }

    /** A pool without a call is discarded, so that no answer proves it afterwards. */
    @ParameterizedTest
    @CsvSource({
        // way, proven, discarded, prove, discard
        "'', false, false, PROVEN,  DISCARDED",
        "p,  true,  false, PROVEN,  DISCARDED",
        "f,  false, true,  refused, DISCARDED",
        "pf, false, true,  refused, DISCARDED",
        "b,  false, false, PROVEN,  refused",
        "pb, true,  false, PROVEN,  refused",
    })
    void aPoolFollowsItsDrawing(String way, boolean proven, boolean discarded, String prove, String discard) {
        assertThat(newPool(way).isProven()).isEqualTo(proven);
        assertThat(newPool(way).isDiscarded()).isEqualTo(discarded);
        assertFollows(way, 'p', prove);
        assertFollows(way, 'f', discard);
    }

    private void assertFollows(String way, char event, String next) {
        EndpointPool pool = newPool(way);
        if (next.equals("refused")) {
            assertThatThrownBy(() -> happen(pool, event)).isInstanceOf(AssertionError.class);
            return;
        }
        happen(pool, event);
        assertThat(pool.isProven()).isEqualTo(next.equals("PROVEN"));
        assertThat(pool.isDiscarded()).isEqualTo(next.equals("DISCARDED"));
    }

    private static EndpointPool newPool(String way) {
        EndpointPool pool = new EndpointPool(
                "a.B",
                "",
                "",
                size -> Strategy.WEIGHTED_ROUND_ROBIN.newBalancer(size, 0, 0),
                HEALTH,
                new SubsetSize(20),
                new PoolRouting(new RoutedCall("a.B", "", "", "m", Map.of(), UpstreamFixture.CONSUMER)),
                new LocalZone(""));
        way.chars().forEach(step -> happen(pool, (char) step));
        return pool;
    }

    private static void happen(EndpointPool pool, char event) {
        switch (event) {
            case 'p' -> pool.prove();
            case 'f' -> pool.discard();
            default -> pool.callBegun();
        }
    }
}
