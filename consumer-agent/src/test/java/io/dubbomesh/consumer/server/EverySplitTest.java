package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.auth.AuthSettings;
import io.dubbomesh.consumer.auth.CallerAuth;
import io.dubbomesh.consumer.http.AllowedOrigins;
import io.dubbomesh.consumer.server.ConnectionFeed.Answers;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.testsupport.Selection;
import io.dubbomesh.testsupport.random.FuzzCorpus;
import io.dubbomesh.testsupport.random.Tries;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/**
 * Requests, good and bad, through the handler of a connection: the calls and the answers are the same however the bytes
 * arrive.
 */
@Timeout(300)
class EverySplitTest {
    private static final byte[] CALL =
            bytes("POST / HTTP/1.1\\0d\\0aHost: a\\0d\\0aContent-Type: application/x-www-form-urlencoded\\0d\\0a"
                    + "Content-Length: 44\\0d\\0a\\0d\\0ainterface=a.B&method=m&parameterTypesString=");

    private static final int PIECES = 8;
    /** One of so many cuts in two is made, from a random one on. */
    private static final int STEP = Selection.isAll() ? 1 : 4;

    private static final String TOKEN = "a-token-of-26-characters-1";
    private static final String PREFLIGHT =
            "Origin: https://app.example\\0d\\0aAccess-Control-Request-Method: POST\\0d\\0a";
    /**
     * Header fields without a caller, a page of an allowed origin, its preflight, callers that are wrong, that may not
     * call and that may.
     */
    private static final List<String> CALLERS = List.of(
            "",
            "Origin: https://app.example\\0d\\0a",
            PREFLIGHT,
            "Authorization: Bearer wrong\\0d\\0a",
            "Authorization: Bearer " + TOKEN + "-of-bo\\0d\\0a",
            "Authorization: Bearer " + TOKEN + "\\0d\\0a");

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
            for (int cut = 1 + ThreadLocalRandom.current().nextInt(STEP); cut < bytes.length; cut += STEP) {
                requireSame(request.getKey() + " at " + cut, Answers.AT_ONCE, whole, bytes, cut);
            }
        }
    }

    @Test
    void everyRequestOfTheCorpusIsReadAsTheFuzzerWould() throws Exception {
        for (Map.Entry<String, byte[]> request : corpus().entrySet()) {
            assertThatCode(() -> HttpFuzz.fuzzerTestOneInput(request.getValue()))
                    .as(request.getKey())
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void whoMayCallIsDecidedAlikeAtEveryCut(@TempDir Path directory) throws Exception {
        Path tokens = Files.writeString(directory.resolve("tokens"), "ana " + TOKEN + "\nbo " + TOKEN + "-of-bo\n");
        Path rules = Files.writeString(directory.resolve("rules"), "allow ana *\n");
        AuthSettings settings = AuthSettings.from(Settings.of(
                "io/dubbomesh/consumer/reference.conf",
                Map.of(
                        "http.auth", "token",
                        "http.auth.token-file", tokens.toString(),
                        "http.auth.rules", rules.toString()),
                Map.of()));
        try (CallerAuth auth = CallerAuth.open(settings);
                ConnectionFeed guarded = new ConnectionFeed(auth, AllowedOrigins.parse("https://app.example"))) {
            for (String fields : CALLERS) {
                for (Map.Entry<String, byte[]> request : corpus().entrySet()) {
                    String text = FuzzCorpus.text(request.getValue());
                    requireSameOf(guarded, request.getKey() + ' ' + fields, withFields(text, fields));
                    if (fields.equals(PREFLIGHT)) {
                        String options = text.replaceFirst("^(GET|POST) ", "OPTIONS ");
                        requireSameOf(guarded, request.getKey() + " of OPTIONS", withFields(options, fields));
                    }
                }
            }
        }
    }

    private static byte[] withFields(String request, String fields) {
        return bytes(request.replace(" HTTP/1.1\\0d\\0a", " HTTP/1.1\\0d\\0a" + fields));
    }

    /** In small pieces, and where the first body begins. */
    private static void requireSameOf(ConnectionFeed guarded, String what, byte[] bytes) {
        List<String> whole = guarded.of(Answers.AT_ONCE, bytes);
        int[] small = new int[PIECES];
        Arrays.setAll(small, i -> i * bytes.length / PIECES);
        assertThat(guarded.of(Answers.AT_ONCE, bytes, small)).as(what).isEqualTo(whole);
        int body = new String(bytes, ISO_8859_1).indexOf("\r\n\r\n") + 4;
        assertThat(guarded.of(Answers.AT_ONCE, bytes, Math.min(body, bytes.length)))
                .as(what + " at " + body)
                .isEqualTo(whole);
    }

    @Test
    void whoIsUnknownIsToldSoBeforeTheBodyIsLookedAt(@TempDir Path directory) throws Exception {
        Path tokens = Files.writeString(directory.resolve("tokens"), "ana " + TOKEN + "\n");
        AuthSettings settings = AuthSettings.from(Settings.of(
                "io/dubbomesh/consumer/reference.conf",
                Map.of("http.auth", "token", "http.auth.token-file", tokens.toString()),
                Map.of()));
        try (CallerAuth auth = CallerAuth.open(settings);
                ConnectionFeed guarded = new ConnectionFeed(auth, AllowedOrigins.parse("https://app.example"))) {
            String chunked = " / HTTP/1.1\\0d\\0aHost: a\\0d\\0aTransfer-Encoding: chunked\\0d\\0a";
            for (String head : new String[] {"POST" + chunked, "OPTIONS" + chunked + PREFLIGHT}) {
                assertThat(guarded.of(Answers.AT_ONCE, bytes(head + "\\0d\\0axyz\\0d\\0a")))
                        .first()
                        .asString()
                        .startsWith("HTTP/1.1 401 ");
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
