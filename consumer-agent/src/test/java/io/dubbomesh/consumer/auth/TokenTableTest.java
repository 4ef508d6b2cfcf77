package io.dubbomesh.consumer.auth;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TokenTableTest {
    private static final TokenTable TOKENS = TokenTable.parse("""
            # tokens
            ana 0123456789abcdef
            ana another-one-of-hers
            bo  sha256:3465f6e6975baa864ca957f0914ecda9bf7eb601ac31ac20a5dc3d329279a843
            """);

    private static String ownerOf(String token) {
        Caller owner = TOKENS.find(token.getBytes(US_ASCII), token.length());
        return owner == null ? null : owner.subject();
    }

    @Test
    void aTokenIsThatOfItsLine() {
        assertThat(ownerOf("0123456789abcdef")).isEqualTo("ana");
        assertThat(ownerOf("another-one-of-hers")).isEqualTo("ana");
    }

    @Test
    void aDigestStandsForItsToken() {
        assertThat(ownerOf("fedcba9876543210"))
                .as("printf fedcba9876543210 | sha256sum")
                .isEqualTo("bo");
        assertThat(ownerOf("sha256:3465f6e6975baa864ca957f0914ecda9bf7eb601ac31ac20a5dc3d329279a843"))
                .isNull();
    }

    @Test
    void aTableKnowsWhetherItsTextHadATokenOrDigestsAlone() {
        assertThat(TOKENS.hasPlainTokens()).isTrue();
        assertThat(TokenTable.parse("bo sha256:" + "5a".repeat(32)).hasPlainTokens())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"0123456789abcde", "0123456789abcdeg", "0123456789abcdef0", "''", "ana"})
    void anyOtherTextIsNobodys(String token) {
        assertThat(ownerOf(token)).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ana | 2: 1 words (expected: SUBJECT TOKEN, or SUBJECT sha256:HEX)",
                "ana 0123456789abcdef more | 2: 3 words (expected: SUBJECT TOKEN, or SUBJECT sha256:HEX)",
                "ana short-secret | 2: a token of 12 characters (expected: 16 to 512 printable characters of ASCII, or sha256:HEX of them)",
                "ana sha256:12 | 2: sha256: and no digest (expected: 64 hexadecimal digits)",
                "ana sha256:secret | 2: sha256: and no digest (expected: 64 hexadecimal digits)",
                "ana first-line-has-it | 2: a token that an earlier line has (expected: another one)"
            })
    void aWrongLineIsRefusedWithoutItsToken(String line, String message) {
        assertThatThrownBy(() -> TokenTable.parse("bo first-line-has-it\n" + line))
                .hasMessage(message);
    }
}
