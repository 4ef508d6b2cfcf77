package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.server.ConnectionFeed.Answers;
import io.dubbomesh.testsupport.FuzzCorpus;
import io.dubbomesh.testsupport.Tries;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** Requests, good and bad, through the handler of a connection: the calls and the answers are the same however the bytes arrive. */
@Timeout(120)
class EverySplitTest {
    private static final byte[] CALL =
            bytes("POST / HTTP/1.1\\0d\\0aHost: a\\0d\\0aContent-Type: application/x-www-form-urlencoded\\0d\\0a"
                    + "Content-Length: 44\\0d\\0a\\0d\\0ainterface=a.B&method=m&parameterTypesString=");

    private final ConnectionFeed connection = new ConnectionFeed();

    private static byte[] bytes(String text) {
        return FuzzCorpus.bytes(text);
    }

    private static Map<String, byte[]> corpus() throws Exception {
        return FuzzCorpus.read(
                Path.of(EverySplitTest.class.getResource("/fuzz/http.txt").toURI()));
    }

    @AfterEach
    void close() {
        connection.close();
    }

    @Test
    void everyRequestOfTheCorpusHasTheSameResultAtEveryCut() throws Exception {
        for (Map.Entry<String, byte[]> request : corpus().entrySet()) {
            byte[] bytes = request.getValue();
            requireSame(
                    request.getKey(), Answers.LATE, connection.of(Answers.LATE, bytes), bytes, everyByte(bytes.length));
            List<String> whole = connection.of(Answers.AT_ONCE, bytes);
            requireSame(request.getKey(), Answers.AT_ONCE, whole, bytes, everyByte(bytes.length));
            for (int cut = 1; cut < bytes.length; cut++) {
                requireSame(request.getKey() + " at " + cut, Answers.AT_ONCE, whole, bytes, cut);
            }
        }
    }

    @Test
    void requestsInARowHaveTheSameResultInAnyPieces() throws Exception {
        List<byte[]> requests = new ArrayList<>(corpus().values());
        Tries.run(2000, random -> {
            byte[] bytes = {};
            for (int count = random.between(1, 4); count > 0; count--) {
                byte[] next = random.pick(requests);
                int start = bytes.length;
                bytes = Arrays.copyOf(bytes, start + next.length);
                System.arraycopy(next, 0, bytes, start, next.length);
            }
            if (random.oneIn(2)) {
                bytes[random.random().nextInt(bytes.length)] =
                        (byte) random.random().nextInt(256);
            }
            Answers answers = random.oneIn(2) ? Answers.LATE : Answers.AT_ONCE;
            requireSame(
                    FuzzCorpus.text(bytes),
                    answers,
                    connection.of(answers, bytes),
                    bytes,
                    random.cuts(bytes.length, 9));
        });
    }

    @Test
    void aSecondEmptyLineIsRefusedWhereverTheFirstOneEnded() {
        byte[] bytes = concat(bytes("\\0d\\0a\\0d\\0a"), CALL);
        assertThat(connection.of(Answers.AT_ONCE, bytes)).hasSize(2).last().isEqualTo("ended");
        assertThat(connection.of(Answers.AT_ONCE, bytes, 2)).hasSize(2).last().isEqualTo("ended");
    }

    @Test
    void aConnectionThatHasHadAnEmptyLineWaitsAsOneThatHasHadNothing() {
        byte[] bytes = concat(CALL, concat(bytes("\\0d\\0a"), CALL));
        assertThat(connection.of(Answers.AT_ONCE, bytes, CALL.length + 2))
                .hasSize(4)
                .last()
                .isEqualTo("goes on");
    }

    private static byte[] concat(byte[] one, byte[] other) {
        byte[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    private static int[] everyByte(int length) {
        int[] cuts = new int[length];
        Arrays.setAll(cuts, i -> i);
        return cuts;
    }

    private void requireSame(String what, Answers answers, List<String> whole, byte[] bytes, int... cuts) {
        assertThat(connection.of(answers, bytes, cuts)).as(what).isEqualTo(whole);
    }
}
