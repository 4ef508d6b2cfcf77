package io.dubbomesh.transport.mesh;

import io.dubbomesh.protocol.mesh.HelloCredentials;
import org.junit.jupiter.api.Test;

import java.security.SecureRandom;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

class MeshTokensTest {
    @Test
    void aCommentEndsWithItsLineWhateverCharactersItHas() {
        // A regular expression's \R ends a line at both of these characters.
        MeshTokens tokens = MeshTokens.parse(
                "# of\u0085the-mesh-of-production\u2028and-of-no-other\r\ncorrect-horse-battery-staple\n");
        HelloCredentials challenge = HelloCredentials.challenge(new SecureRandom());

        assertThat(tokens.answer(challenge, 7))
                .isEqualTo(challenge.answer("correct-horse-battery-staple".getBytes(US_ASCII), 7));
    }
}
