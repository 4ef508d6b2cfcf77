package io.dubbomesh.provider.mesh;

import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class OpeningConnectionsTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final OpeningConnections<String> opening = new OpeningConnections<>(2);

    @Test
    void theOldestMakesRoomForANewOne() {
        assertThat(opening.add("a", 0)).isNull();
        assertThat(opening.add("b", 50 * MS)).isNull();
        assertThat(opening.add("c", 100 * MS)).isEqualTo("a");
        assertThat(opening.add("d", 150 * MS)).isEqualTo("b");
        assertThat(opening.add("e", 200 * MS)).isEqualTo("c");
    }

    @Test
    void aConnectionIsLeftTimeForItsHello() {
        opening.add("a", 0);
        opening.add("b", 0);
        assertThat(opening.add("c", 100 * MS - 1)).as("it is closed itself").isEqualTo("c");
        assertThat(opening.add("d", 100 * MS)).isEqualTo("a");
    }

    @Test
    void thoseThatHaveGreetedDoNotCount() {
        opening.add("a", 0);
        opening.add("b", 0);
        opening.remove("a");
        assertThat(opening.add("c", 0)).isNull();
        assertThat(opening.add("d", 100 * MS)).isEqualTo("b");
    }
}
