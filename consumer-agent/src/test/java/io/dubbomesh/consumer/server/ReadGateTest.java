package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.server.ReadGate.Wait;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ReadGateTest {
    private static final long NOW_NS = 1_000;

    private final ReadGate gate = new ReadGate(null, null, 1);

    @ParameterizedTest
    @CsvSource({
        "FREE,             continueLater, CONTINUE_DUE",
        "FREE,             awaitRoom,     ROOM",
        "FREE,             free,          FREE",
        "CONTINUE_DUE,     continueLater, CONTINUE_DUE",
        "CONTINUE_DUE,     awaitRoom,     ROOM_TO_CONTINUE",
        "CONTINUE_DUE,     free,          FREE",
        "ROOM,             continueLater, ROOM",
        "ROOM,             awaitRoom,     ROOM",
        "ROOM,             free,          FREE",
        "ROOM_TO_CONTINUE, continueLater, ROOM_TO_CONTINUE",
        "ROOM_TO_CONTINUE, awaitRoom,     ROOM_TO_CONTINUE",
        "ROOM_TO_CONTINUE, free,          FREE",
    })
    void eachEventInEachState(Wait from, String event, Wait to) {
        bringTo(from);
        assertThat(gate.state()).isEqualTo(from);

        switch (event) {
            case "continueLater" -> gate.continueLater();
            case "awaitRoom" -> assertThat(gate.awaitRoom(NOW_NS + 5)).isEqualTo(from != to);
            case "free" ->
                assertThat(gate.free()).isEqualTo(from == Wait.CONTINUE_DUE || from == Wait.ROOM_TO_CONTINUE);
            default -> throw new AssertionError(event);
        }

        assertThat(gate.state()).isEqualTo(to);
        assertThat(gate.isAwaitingRoom()).isEqualTo(to == Wait.ROOM || to == Wait.ROOM_TO_CONTINUE);
        boolean begins = event.equals("awaitRoom") && from != to;
        assertThat(gate.hasAwaitedRoomFor(10, NOW_NS + 11)).isEqualTo(gate.isAwaitingRoom() && !begins);
        assertThat(gate.hasAwaitedRoomFor(10, NOW_NS + 16)).isEqualTo(gate.isAwaitingRoom());
    }

    private void bringTo(Wait wait) {
        if (wait == Wait.CONTINUE_DUE || wait == Wait.ROOM_TO_CONTINUE) {
            gate.continueLater();
        }
        if (wait == Wait.ROOM || wait == Wait.ROOM_TO_CONTINUE) {
            gate.awaitRoom(NOW_NS);
        }
    }
}
