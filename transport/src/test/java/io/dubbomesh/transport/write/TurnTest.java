package io.dubbomesh.transport.write;

import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TurnTest {
    @Test
    void aTurnHasANumberOfItsOwnEvenIfNothingIsWrittenInIt() {
        EmbeddedChannel channel = new EmbeddedChannel();
        Turn turn = new Turn(channel.eventLoop());
        long first = turn.number();
        assertThat(first).isNotNegative();
        assertThat(turn.number()).isEqualTo(first);
        channel.runPendingTasks();
        assertThat(turn.number()).isGreaterThan(first);
    }
}
