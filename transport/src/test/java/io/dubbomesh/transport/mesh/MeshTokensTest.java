package io.dubbomesh.transport.mesh;

import io.dubbomesh.protocol.mesh.HelloCredentials;
import org.junit.jupiter.api.Test;

import java.security.SecureRandom;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

class MeshTokensTest {
    @Test
    void aCommentEndsWithItsLineWhateverCharactersItHas() {
        // A letter of Swedish in UTF-8, as it is read here; for a regular expression's \R its second byte ends a line.
        MeshTokens tokens =
                MeshTokens.parse("# \u00c3\u0085tkomst-token-2026-produktion\r\ncorrect-horse-battery-staple\n");
        HelloCredentials challenge = HelloCredentials.challenge(new SecureRandom());

        assertThat(tokens.answer(challenge, 7))
                .isEqualTo(challenge.answer("correct-horse-battery-staple".getBytes(US_ASCII), 7));
    }
}
