package io.dubbomesh.consumer.auth;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

class KnownTokensTest {
    private static final long NOW_MS = 1_000_000;

    private final Random random = new Random(1);
    private final KnownTokens known = new KnownTokens();

    private byte[] token(int length) {
        byte[] token = new byte[length];
        for (int i = 0; i < length; i++) {
            token[i] = (byte) ('a' + random.nextInt(26));
        }
        return token;
    }

    private KnownToken add(byte[] token, long expiresMs) {
        KnownToken added =
                new KnownToken(token, new Caller(AuthSettings.Kind.TOKEN, "ada", Set.of(), expiresMs, null), "ada");
        known.add(known.hash(token, token.length), added, NOW_MS);
        return added;
    }

    private KnownToken find(byte[] token) {
        return known.find(known.hash(token, token.length), token, token.length);
    }

    @Test
    void theTokensOf200CallersAreAllKnown() {
        List<byte[]> tokens = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            tokens.add(token(800));
            add(tokens.get(i), Caller.NEVER);
        }

        assertThat(tokens).allMatch(token -> find(token) != null);
    }

    @Test
    void aTokenIsFoundWhateverStandsBehindItsEnd() {
        KnownToken added = add("0123456789abcdef-1".getBytes(US_ASCII), Caller.NEVER);
        byte[] buffer = "0123456789abcdef-1 and more".getBytes(US_ASCII);

        assertThat(known.find(known.hash(buffer, 18), buffer, 18)).isSameAs(added);
        assertThat(known.find(known.hash(buffer, 17), buffer, 17)).isNull();
    }

    @Test
    void tokensThatOnlyEndAlikeAreTold() {
        add("x0123456789abcdef".getBytes(US_ASCII), Caller.NEVER);

        assertThat(find("y0123456789abcdef".getBytes(US_ASCII))).isNull();
    }

    @Test
    void aTokenThatIsAddedAgainTakesItsOwnPlace() {
        byte[] token = token(20);
        add(token, NOW_MS - 1);
        KnownToken again = add(token, Caller.NEVER);

        assertThat(find(token)).isSameAs(again);
        known.removeIf(each -> each == again);
        assertThat(find(token)).isNull();
    }

    @Test
    void expiredTokensMakeRoomFirst() {
        byte[] kept = token(20);
        add(kept, Caller.NEVER);
        for (int i = 0; i < 100_000; i++) {
            add(token(20), NOW_MS - 1);
        }

        assertThat(find(kept)).isNotNull();
    }

    @Test
    void tokensBeyondFourMebibytesTakeThePlaceOfOthers() {
        List<byte[]> tokens = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            tokens.add(token(8 << 10));
            add(tokens.get(i), Caller.NEVER);
        }

        assertThat(tokens.stream().filter(token -> find(token) != null).count()).isBetween(500L, 512L);
        assertThat(find(tokens.get(999))).isNotNull();
    }
}
