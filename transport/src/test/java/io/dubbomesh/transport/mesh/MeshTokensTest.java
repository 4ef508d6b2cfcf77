package io.dubbomesh.transport.mesh;

import io.dubbomesh.protocol.mesh.HelloCredentials;
import org.junit.jupiter.api.Test;

import java.security.SecureRandom;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class MeshTokensTest {
    @Test
    void allLinesThatAreWrongAreNamedWithoutWhatIsInThem() {
        assertThatThrownBy(
                        () -> MeshTokens.parse("# two\nshort\n\ncorrect-horse-battery-staple\ntwo words of the mesh\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("lines 2, 5 (expected: a token of 16 to 512 printable ASCII characters, without spaces)");
    }

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
