package io.dubbomesh.client.token;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ServiceTokensTest {
    @Test
    void theEntryThatNamesTheServiceMostExactlyCounts() {
        ServiceTokens tokens = ServiceTokens.parse(
                List.of("all", "a.B = b", "a.B:1.0=b1", "a.B:1.0:g=b1g", "a.B::g=bg", "a.C:=c", "a.D:0.0.0:g=dg"));

        assertThat(tokens.token("x.Y", "1.0", "g")).isEqualTo("all");
        assertThat(tokens.token("a.B", "", "")).isEqualTo("b");
        assertThat(tokens.token("a.B", "2.0", "g")).isEqualTo("b");
        assertThat(tokens.token("a.B", "1.0", "")).isEqualTo("b1");
        assertThat(tokens.token("a.B", "1.0", "g")).isEqualTo("b1g");
        assertThat(tokens.token("a.B", "", "g")).isEqualTo("bg");
        assertThat(tokens.token("a.C", "", "g")).isEqualTo("c");
        assertThat(tokens.token("a.C", "1.0", "")).isEqualTo("all");
        assertThat(tokens.token("a.D", "", "g")).isEqualTo("dg");
    }

    @Test
    void withoutAnEntryThereIsNone() {
        assertThat(ServiceTokens.parse(List.of("a.B:1.0=t")).token("a.B", "", ""))
                .isNull();
        assertThat(ServiceTokens.NONE.token("a.B", "", "")).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "a b=s3cret, 'entry 1 (expected: interface[:version[:group]]=token)'",
        "=s3cret, 'entry 1 (expected: interface[:version[:group]]=token)'",
        "s3-cret=a.B, 'entry 1 (expected: interface[:version[:group]]=token)'",
        "s3cret==, 'entry 1 (expected: a token of letters, digits, -, . and _)'",
        "s3.cret=, 'entry 1 (expected: a token of letters, digits, -, . and _)'",
        "a.B=s3 cret, 'entry 1, for a.B (expected: a token of letters, digits, -, . and _)'",
        "s3 cret, 'entry 1, for all services (expected: a token of letters, digits, -, . and _)'"
    })
    void aWrongEntryIsNamedWithoutItsToken(String entry, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServiceTokens.parse(List.of(entry)))
                .withMessage(message);
    }
}
