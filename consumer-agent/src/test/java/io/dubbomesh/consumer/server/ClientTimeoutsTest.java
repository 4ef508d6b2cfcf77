package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.server.ClientTimeouts.Phase;
import io.dubbomesh.consumer.server.ClientTimeouts.Verdict;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

class ClientTimeoutsTest {
    private static final HttpSettings.Timeouts LIMITS = new HttpSettings.Timeouts(
            SECONDS.toNanos(5),
            SECONDS.toNanos(10),
            500,
            SECONDS.toNanos(60),
            SECONDS.toNanos(30),
            500,
            SECONDS.toNanos(30),
            SECONDS.toNanos(15));
    private static final long START_NS = 77;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final ClientTimeouts timeouts = new ClientTimeouts(LIMITS, channel, null, START_NS);

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @ParameterizedTest
    @CsvSource({
        "AGENT,     0,    100000, WAIT",
        "IDLE,      0,    60,     CLOSE",
        "HEAD,      0,    5,      REFUSE",
        "BODY,      0,    10,     REFUSE",
        "BODY,      5000, 20,     REFUSE",
        "FLUSHING,  0,    30,     CLOSE",
        "LINGERING, 0,    2,      CLOSE",
        "CLOSED,    0,    100000, WAIT",
    })
    void eachPhaseHasItsTime(Phase phase, int bodyBytes, int limitS, Verdict after) {
        assertThat(timeouts.check(phase, bodyBytes, START_NS + SECONDS.toNanos(limitS)))
                .isEqualTo(Verdict.WAIT);
        assertThat(timeouts.check(phase, bodyBytes, START_NS + SECONDS.toNanos(limitS) + 1))
                .isEqualTo(after);
    }

    @Test
    void theTimeBeginsWhenTheAgentHasAnswered() {
        long answeredNs = START_NS + SECONDS.toNanos(100);
        timeouts.check(Phase.AGENT, 0, answeredNs);
        assertThat(timeouts.check(Phase.IDLE, 0, answeredNs + SECONDS.toNanos(60)))
                .isEqualTo(Verdict.WAIT);
        assertThat(timeouts.check(Phase.IDLE, 0, answeredNs + SECONDS.toNanos(60) + 1))
                .isEqualTo(Verdict.CLOSE);
    }

    @Test
    void bytesThatTheClientDoesNotTakeAreWaitedForInAnyPhase() {
        for (Phase phase : Phase.values()) {
            EmbeddedChannel stuck = new EmbeddedChannel();
            stuck.unsafe().outboundBuffer().addMessage(stuck.alloc().buffer().writeZero(1), 1, stuck.newPromise());
            ClientTimeouts each = new ClientTimeouts(LIMITS, stuck, null, START_NS);
            assertThat(each.check(phase, 0, START_NS)).isEqualTo(Verdict.WAIT);
            assertThat(each.check(phase, 0, START_NS + SECONDS.toNanos(30))).isEqualTo(Verdict.WAIT);
            assertThat(each.check(phase, 0, START_NS + SECONDS.toNanos(30) + 1)).isEqualTo(Verdict.CLOSE);
            stuck.finishAndReleaseAll();
        }
    }
}
