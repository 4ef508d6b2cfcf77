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
    void connectionsFromAsManyAddressesAreLeftTimeToo() {
        opening.add("a", "192.0.2.3", 0);
        opening.add("b", "192.0.2.4", 0);
        assertThat(opening.add("c", HERE, 100 * MS - 1)).isEqualTo("c");
        assertThat(opening.add("d", HERE, 100 * MS)).isIn("a", "b");
    }
}
