package io.dubbomesh.consumer.http.response;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.runtime.AgentRole;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AnswerSizeTest {
    private final AnswerSize size = new AnswerSize();
    private final Response response = new Response("docs/errors.md", AgentRole.CONSUMER);

    @AfterEach
    void close() {
        response.close();
    }

    private void answer(int length) {
        size.learn(response.set(Outcome.OK, Response.Content.TEXT, Unpooled.EMPTY_BUFFER, 0, 0, length));
    }

    @Test
    void itComesNearToWhatAllAnswersHave() {
        assertThat(size.bytes()).isZero();
        answer(8000);
        assertThat(size.bytes()).isEqualTo(2000);
        for (int i = 0; i < 100; i++) {
            answer(8000);
        }
        assertThat(size.bytes()).isEqualTo(8000);
    }

    @Test
    void itIsForgottenWithShorterOnes() {
        answer(32_000);
        assertThat(size.bytes()).isEqualTo(8000);
        answer(0);
        assertThat(size.bytes()).isEqualTo(7000);
        for (int i = 0; i < 100; i++) {
            answer(8);
        }
        assertThat(size.bytes()).isEqualTo(8);
    }

    @Test
    void aResultThatIsNotToldCountsForNothing() {
        answer(32_000);
        size.learn(response.accepted());
        assertThat(size.bytes()).isEqualTo(8000);
    }

    @Test
    void aRareLargeAnswerIsNotExpectedOfTheOthers() {
        int most = 0;
        for (int i = 0; i < 1000; i++) {
            answer(i % 33 == 0 ? 1 << 20 : 100);
            most = Math.max(most, size.bytes());
        }
        assertThat(most).isLessThan(1 << 19);
        assertThat(size.bytes()).isLessThan(1 << 17);
    }

    @Test
    void anAnswerWithoutRoomCountsAsIfItHadCome() {
        size.learn(response.noRoomFor(1 << 20));
        assertThat(size.bytes()).isEqualTo(1 << 18);
        answer(1 << 18);
        assertThat(size.bytes()).isEqualTo(1 << 18);
    }

    @Test
    void failuresTellNothing() {
        answer(8000);
        size.learn(response.problem(Outcome.TIMEOUT, "late"));
        assertThat(size.bytes()).isEqualTo(2000);
    }
}
