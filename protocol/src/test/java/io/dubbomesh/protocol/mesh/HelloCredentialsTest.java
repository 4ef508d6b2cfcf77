package io.dubbomesh.protocol.mesh;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import java.security.SecureRandom;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

class HelloCredentialsTest {
    private static final byte[] TOKEN = "correct-horse-battery-staple".getBytes(US_ASCII);
    private static final long AGENT = 0x0123456789abcdefL;
    private static final HelloCredentials CHALLENGE = HelloCredentials.of(
            ByteBufUtil.decodeHexDump("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"));

    /** The example of docs/understand/protocol.md, computed by Python's hmac. */
    @Test
    void theAnswerToAChallengeIsAnHmacOfALabelTheChallengeAndTheAgentsId() {
        ByteBuf out = Unpooled.buffer();
        FrameWriter.hello(out, new Hello(1, 0, 0, CHALLENGE.answer(TOKEN, AGENT), AGENT, Hello.TAKES_LIMIT));

        assertThat(ByteBufUtil.hexDump(out))
                .isEqualTo("d3e50101" + "00000000" + "0000000000000000" + "00000000" + "00000038" //
                        + "0101" + "00000000" + "00000000" //
                        + "0020" + "e0aeecb2217a595c8c0c5b1040926a182a22afda401747d6043926fe6c9aca4d"
                        + "0123456789abcdef" + "00000001");
    }

    @Test
    void anAnswerIsOfOneTokenOneChallengeAndOneAgent() {
        HelloCredentials answer = CHALLENGE.answer(TOKEN, AGENT);

        assertThat(CHALLENGE.answer(TOKEN, AGENT)).isEqualTo(answer);
        assertThat(CHALLENGE.answer("correct-horse-battery-stapl3".getBytes(US_ASCII), AGENT))
                .isNotEqualTo(answer);
        assertThat(CHALLENGE.answer(TOKEN, AGENT + 1)).isNotEqualTo(answer);
        assertThat(HelloCredentials.challenge(new SecureRandom()).answer(TOKEN, AGENT))
                .isNotEqualTo(answer);
    }

    @Test
    void eachChallengeIsAnother() {
        SecureRandom random = new SecureRandom();
        HelloCredentials challenge = HelloCredentials.challenge(random);

        assertThat(challenge.isChallenge()).isTrue();
        assertThat(HelloCredentials.challenge(random)).isNotEqualTo(challenge);
        assertThat(HelloCredentials.NONE.isChallenge()).isFalse();
    }

    @Test
    void theirTextHasNoneOfTheirBytes() {
        assertThat(new Hello(1, 0, 0, CHALLENGE))
                .asString()
                .contains("32 bytes")
                .doesNotContain("0001");
    }
}
