package io.dubbomesh.acceptance.failure;

import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;

import static org.assertj.core.api.Assertions.assertThat;

/** Clients that do not finish a request, or send none. */
abstract class UnfinishedRequests extends FailureTopic {
    /**
     * The time by which an end may be late on a busy machine. HttpSettingsTest and ClientTimeoutsTest tell the
     * time-outs apart.
     */
    private static final Duration LATE = Duration.ofSeconds(10);

    @ParameterizedTest
    @ValueSource(ints = {1, 30, 60})
    void anUnfinishedHeadIsEndedInTime(int bytes) throws Exception {
        assertEndedInTime(HELLO.substring(0, bytes));
    }

    @Test
    void anUnfinishedBodyIsEndedInTime() throws Exception {
        assertEndedInTime(HELLO.substring(0, HELLO.length() - 1));
    }

    @Test
    void anUnfinishedChunkIsEndedInTime() throws Exception {
        assertEndedInTime(chunked("5\r\nabc"));
    }

    private static void assertEndedInTime(String partOfARequest) throws Exception {
        try (HttpSocket client = new HttpSocket(port)) {
            long startNs = System.nanoTime();
            client.call(partOfARequest).assertProblem(408, "REQUEST_TIMEOUT");
            assertThat(System.nanoTime() - startNs)
                    .isBetween(PATIENCE.toNanos(), PATIENCE.plus(LATE).toNanos());
            client.assertEnd();
        }
    }

    @Test
    void anIdleConnectionIsClosedWithoutAnAnswer() throws Exception {
        try (HttpSocket silent = new HttpSocket(port);
                HttpSocket idle = new HttpSocket(port)) {
            idle.call(HELLO).assertHash("hello");
            idle.assertEnd();
            silent.assertEnd();
        }
    }
}
