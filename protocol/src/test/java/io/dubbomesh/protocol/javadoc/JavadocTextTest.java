package io.dubbomesh.protocol.javadoc;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class JavadocTextTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Text. | Text.",
                "<p>One<p>two <b>three</b></p> | One~two three",
                "A {@link a.B#c(int) label} and {@link #d} | A label and `d`",
                "{@code a < b} &lt;x&gt; {@literal @y} {@value #Z} {@inheritDoc} | `a < b` <x> `@y` #Z",
                "a {@code {b} c} | a {@code {b} c}",
                "{@unfinished | {@unfinished",
                "@param x | ",
            })
    void aCommentIsMarkdown(String comment, String expected) {
        assertThat(JavadocText.of(' ' + comment + ' ').description())
                .isEqualTo(expected == null ? null : expected.replace("~", "\n\n"));
    }

    @Test
    void aLongCommentIsCut() {
        assertThat(JavadocText.of("x".repeat(3000)).description()).hasSize(2000).endsWith("x...");
    }
}
