package io.dubbomesh.consumer.openapi;

import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.runtime.AgentRole;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** Two services are asked at once, of three. */
class DescriptionRoundTest {
    private static final int TIMEOUT_MS = 300;
    private static final int DEADLINE_MS = 500;
    private static final DescriptionRound.Limits LIMITS = new DescriptionRound.Limits(2, TIMEOUT_MS, DEADLINE_MS, 100);

    private final Response response = new Response("docs/errors.md", AgentRole.CONSUMER);
    private final Deque<Runnable> turns = new ArrayDeque<>();
    private final Deque<Description> asked = new ArrayDeque<>();
    private final List<Integer> timeoutsMs = new ArrayList<>();
    private final List<Described> told = new ArrayList<>();
    private int calls;
    private boolean canSend = true;
    private boolean answersAtOnce;
    private long nowNs;

    @AfterEach
    void close() {
        response.close();
    }

    private void ask(MethodName service, int timeoutMs, Description answer, long nowNs) throws CallException {
        if (!canSend) {
            throw new CallException(Outcome.NO_PROVIDER, "none");
        }
        timeoutsMs.add(timeoutMs);
        asked.add(answer);
        if (answersAtOnce) {
            answer();
        }
    }

    private void answer() {
        asked.remove().respond(response.problem(Outcome.NOT_FOUND, "none"));
    }

    private DescriptionRound round(int services) {
        List<MethodName> names = new ArrayList<>();
        for (int i = 0; i < services; i++) {
            names.add(new MethodName("a.S" + i, MethodName.DESCRIBE, "", "", ""));
        }
        return new DescriptionRound(names, LIMITS, this::ask, turns::add, () -> nowNs, this::take);
    }

    private void take(Collection<Described> answers) {
        calls++;
        told.addAll(answers);
    }

    /** Each word is an event; what is behind it is the phase, who is asked, and how many answers the listener has. */
    @ParameterizedTest
    @CsvSource({
        "3, turn ASKING 2 0 answer ASKING 1 0 turn ASKING 2 0 answer ASKING 1 0 answer ASKING 0 0 turn ENDED 0 3",
        "3, turn ASKING 2 0 answer ASKING 1 0 answer ASKING 0 0 turn ASKING 1 0 answer ASKING 0 0 turn ENDED 0 3 turn ENDED 0 3",
        "3, turn ASKING 2 0 late ASKING 2 0 answer ASKING 1 0 turn ASKING 1 0 answer ASKING 0 0 turn ENDED 0 2",
        "3, late ASKING 0 0 turn ENDED 0 0",
        "0, turn ENDED 0 0",
        "3, unable ASKING 0 0 turn ENDED 0 3 turn ENDED 0 3",
        "3, at-once ASKING 0 0 turn ENDED 0 3 turn ENDED 0 3",
        "3, turn ASKING 2 0 unable ASKING 2 0 answer ASKING 1 0 turn ASKING 1 0 answer ASKING 0 0 turn ENDED 0 3",
        "3, cancel ENDED 0 0 turn ENDED 0 0",
        "3, turn ASKING 2 0 cancel ENDED 2 0 answer ENDED 1 0 turn ENDED 1 0 answer ENDED 0 0 turn ENDED 0 0",
        "1, turn ASKING 1 0 answer ASKING 0 0 cancel ENDED 0 0 turn ENDED 0 0",
    })
    void aRoundEndsOnceWithTheAnswersOfThoseThatWereAsked(int services, String events) {
        DescriptionRound round = round(services);
        String[] words = events.split(" ");
        for (int i = 0; i < words.length; i += 4) {
            switch (words[i]) {
                case "turn" -> turn();
                case "answer" -> answer();
                case "late" -> nowNs += TimeUnit.MILLISECONDS.toNanos(DEADLINE_MS);
                case "unable" -> canSend = false;
                case "at-once" -> answersAtOnce = true;
                case "cancel" -> round.cancel();
                default -> throw new IllegalArgumentException(words[i]);
            }
            assertThat(round.phase()).as("%s, %d", events, i).hasToString(words[i + 1]);
            assertThat(asked).as("%s, %d", events, i).hasSize(Integer.parseInt(words[i + 2]));
            assertThat(told).as("%s, %d", events, i).hasSize(Integer.parseInt(words[i + 3]));
        }
        assertThat(calls).isEqualTo(events.contains("cancel") ? 0 : 1);
    }

    private void turn() {
        for (int left = turns.size(); left > 0; left--) {
            turns.remove().run();
        }
    }

    @Test
    void aServiceHasItsTimeAndNoMoreThanTheRound() {
        round(3);
        turn();
        nowNs += TimeUnit.MILLISECONDS.toNanos(400);
        answer();
        turn();

        assertThat(timeoutsMs).containsExactly(TIMEOUT_MS, TIMEOUT_MS, 100);
    }

    @Test
    void whatComesWhenThereIsNoRoomIsDropped() {
        round(2);
        turn();
        for (int length : new int[] {70, 31}) {
            byte[] document = new byte[length];
            asked.remove()
                    .respond(response.set(
                            Outcome.OK,
                            Response.Content.JSON,
                            Unpooled.wrappedBuffer(document),
                            0,
                            0,
                            document.length));
        }
        turn();

        assertThat(told.get(0).document()).hasSize(70);
        assertThat(told.get(1).document()).isNull();
        assertThat(told.get(1).reason()).isEqualTo("more than 100 bytes of descriptions");
    }
}
