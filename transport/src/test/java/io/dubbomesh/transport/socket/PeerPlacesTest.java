package io.dubbomesh.transport.socket;

import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class PeerPlacesTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final InetAddress HERE = address("192.0.2.1");
    private static final InetAddress THERE = address("192.0.2.2");

    private final PeerPlaces<String> opening = PeerPlaces.shared(2);

    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void withoutSharesTheOldestMakesRoomOnceItHasHadItsTime() {
        PeerPlaces<String> places = PeerPlaces.byAge(1);
        assertThat(places.add("a", HERE, 0)).isNull();

        assertThat(places.add("b", THERE, 99 * MS)).isEqualTo("b");
        assertThat(places.add("b", THERE, 100 * MS)).isEqualTo("a");
        assertThat(places.count()).isOne();
        places.remove("b", THERE);
        assertThat(places.count()).isZero();
    }

    @Test
    void theOldestMakesRoomForANewOne() {
        assertThat(opening.add("a", HERE, 0)).isNull();
        assertThat(opening.add("b", HERE, 50 * MS)).isNull();
        assertThat(opening.add("c", HERE, 100 * MS)).isEqualTo("a");
        assertThat(opening.add("d", HERE, 150 * MS)).isEqualTo("b");
        assertThat(opening.add("e", HERE, 200 * MS)).isEqualTo("c");
    }

    @Test
    void aConnectionIsLeftTimeForItsHello() {
        opening.add("a", HERE, 0);
        opening.add("b", HERE, 0);
        assertThat(opening.add("c", HERE, 100 * MS - 1))
                .as("it is closed itself")
                .isEqualTo("c");
        assertThat(opening.add("d", HERE, 100 * MS)).isEqualTo("a");
    }

    @Test
    void thoseThatHaveGreetedDoNotCount() {
        opening.add("a", HERE, 0);
        opening.add("b", HERE, 0);
        opening.remove("a", HERE);
        opening.remove("a", HERE);
        assertThat(opening.add("c", HERE, 0)).isNull();
        assertThat(opening.add("d", HERE, 100 * MS)).isEqualTo("b");
    }

    @Test
    void manyConnectionsFromOneAddressKeepNobodyElseOutHoweverFastTheyCome() {
        PeerPlaces<String> full = PeerPlaces.shared(4);
        for (int i = 0; i < 4; i++) {
            full.add("stranger " + i, HERE, i);
        }
        assertThat(full.add("agent", THERE, 5)).isEqualTo("stranger 0");
        for (int i = 4; i < 100; i++) {
            String stranger = "stranger " + i;
            assertThat(full.add(stranger, HERE, 200 * MS)).isNotEqualTo("agent");
        }
        assertThat(full.add("another agent", THERE, 200 * MS)).startsWith("stranger");
    }

    @Test
    void amongAddressesWithAsManyTheOldestConnectionMakesRoomAtOnce() {
        opening.add("a", address("192.0.2.4"), 0);
        opening.add("b", address("192.0.2.3"), 1);
        assertThat(opening.add("c", HERE, 2)).isEqualTo("a");
        assertThat(opening.add("d", THERE, 3)).isEqualTo("b");
        assertThat(opening.add("e", address("192.0.2.4"), 4)).isEqualTo("c");
    }

    @Test
    void aStrangerWithAWholeNetworkKeepsNobodyElsewhereOutHoweverFastHeIs() {
        for (String format : new String[] {"192.0.2.%d", "2001:db8::%x"}) {
            PeerPlaces<String> full = PeerPlaces.shared(8);
            for (int i = 0; i < 100; i++) {
                full.add("stranger " + i, address(format.formatted(i)), i);
            }
            full.add("agent", address("198.51.100.1"), 100);
            full.add("another agent", address("198.51.100.2"), 100);
            full.add("third agent", address("2001:db8:0:1::1"), 100);
            for (int i = 100; i < 250; i++) {
                assertThat(full.add("stranger " + i, address(format.formatted(i)), 100))
                        .startsWith("stranger");
            }
        }
    }

    @Test
    void aStrangerInManyNetworksLeavesEachConnectionTheTimeToOpenAllOthers() {
        int max = 16;
        for (int agent = 0; agent < 100; agent++) {
            PeerPlaces<String> full = PeerPlaces.shared(max);
            for (int i = 0; i < 5 * max; i++) {
                full.add("stranger " + i, address("10.1." + i + ".1"), i);
            }
            full.add("agent", address("10.2." + agent + ".1"), 100);
            for (int i = 0; i < max - 1; i++) {
                assertThat(full.add("late stranger " + i, address("10.3." + i + ".1"), 100))
                        .startsWith("stranger");
            }
            assertThat(full.add("the last stranger", address("10.4.0.1"), 100)).isEqualTo("agent");
        }
    }

    @Test
    void aConnectionThatIsClosedOrHasGreetedLeavesItsPlaceAmongTheOldest() {
        PeerPlaces<String> full = PeerPlaces.shared(3);
        full.add("a", HERE, 0);
        full.add("b", HERE, 1);
        full.add("c", THERE, 2);
        full.remove("a", HERE);
        full.add("d", address("192.0.2.3"), 3);
        assertThat(full.add("e", address("192.0.2.4"), 4)).isEqualTo("b");
        assertThat(full.add("f", address("192.0.2.5"), 5)).isEqualTo("c");
    }
}
