package io.dubbomesh.consumer.http;

import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AnswerSizeTest {
    private final AnswerSize size = new AnswerSize();
    private final Response response = new Response();

    @AfterEach
    void close() {
        response.close();
    }

    private void answer(int length) {
        size.learn(response.set(Outcome.OK, Response.Content.TEXT, Unpooled.EMPTY_BUFFER, 0, 0, length));
    }

    @Test
    void theLongestAnswerIsExpectedAgain() {
        assertThat(size.bytes()).isZero();
        answer(100);
        answer(5000);
        assertThat(size.bytes()).isEqualTo(5000);
    }

    @Test
    void itIsForgottenWithShorterOnes() {
        answer(8008);
        answer(8);
        assertThat(size.bytes()).isEqualTo(7008);
        for (int i = 0; i < 100; i++) {
            answer(8);
        }
        assertThat(size.bytes()).isEqualTo(8);
    }

    @Test
    void failuresTellNothing() {
        answer(8000);
        size.learn(response.problem(Outcome.TIMEOUT, "late"));
        assertThat(size.bytes()).isEqualTo(8000);
    }
}
