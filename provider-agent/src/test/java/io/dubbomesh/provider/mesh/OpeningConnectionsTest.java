package io.dubbomesh.provider.mesh;

import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class OpeningConnectionsTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final String HERE = "192.0.2.1";
    private static final String THERE = "192.0.2.2";

    private final OpeningConnections<String, String> opening = new OpeningConnections<>(2);

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
        OpeningConnections<String, String> full = new OpeningConnections<>(4);
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
        opening.add("a", "192.0.2.4", 0);
        opening.add("b", "192.0.2.3", 1);
        assertThat(opening.add("c", HERE, 2)).isEqualTo("a");
        assertThat(opening.add("d", THERE, 3)).isEqualTo("b");
        assertThat(opening.add("e", "192.0.2.4", 4)).isEqualTo("c");
    }

    @Test
    void aStrangerWithManyAddressesLeavesEachConnectionTheTimeToOpenAllOthers() {
        int max = 16;
        for (int agent = 0; agent < 100; agent++) {
            OpeningConnections<String, String> full = new OpeningConnections<>(max);
            for (int i = 0; i < 5 * max; i++) {
                full.add("stranger " + i, "192.0.2." + i, i);
            }
            full.add("agent", "198.51.100." + agent, 100);
            for (int i = 0; i < max - 1; i++) {
                assertThat(full.add("late stranger " + i, "203.0.113." + i, 100))
                        .startsWith("stranger");
            }
            assertThat(full.add("the last stranger", "203.0.113.100", 100)).isEqualTo("agent");
        }
    }

    @Test
    void aConnectionThatIsClosedOrHasGreetedLeavesItsPlaceAmongTheOldest() {
        OpeningConnections<String, String> full = new OpeningConnections<>(3);
        full.add("a", HERE, 0);
        full.add("b", HERE, 1);
        full.add("c", THERE, 2);
        full.remove("a", HERE);
        full.add("d", "192.0.2.3", 3);
        assertThat(full.add("e", "192.0.2.4", 4)).isEqualTo("b");
        assertThat(full.add("f", "192.0.2.5", 5)).isEqualTo("c");
    }
}
