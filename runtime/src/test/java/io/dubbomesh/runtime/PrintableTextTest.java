package io.dubbomesh.runtime;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class PrintableTextTest {
    @Test
    void ordinaryTextOfAnyLanguageStaysAsItIs() {
        String text = "demo.Hello/say \"ä\" 你好 \uD83D\uDE00 C:\\x";

        assertThat(PrintableText.of(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "000a,\\n",
        "000d,\\r",
        "0009,\\t",
        "0000,\\u0000",
        "001b,\\u001b",
        "007f,\\u007f",
        "0085,\\u0085",
        "2028,\\u2028",
        "2029,\\u2029",
        "202e,\\u202e",
        "feff,\\ufeff",
        "d800,\\ud800",
        "dc00,\\udc00"
    })
    void charactersThatEndTheLineOrControlTheTerminalAreEscaped(String hex, String expected) {
        char c = (char) Integer.parseInt(hex, 16);

        assertThat(PrintableText.of("a" + c + "b")).isEqualTo("a" + expected + "b");
    }

    @Test
    void aLongTextIsCut() {
        assertThat(PrintableText.of("x".repeat(4096))).isEqualTo("x".repeat(4096));
        assertThat(PrintableText.brief("x".repeat(201))).isEqualTo("x".repeat(200) + "... (1 more)");
        assertThat(PrintableText.of("x".repeat(1_000_000))).isEqualTo("x".repeat(4096) + "... (995904 more)");
    }

    @Test
    void aSurrogatePairIsNotCutInTwo() {
        assertThat(PrintableText.of("x".repeat(4095) + "\uD83D\uDE00")).isEqualTo("x".repeat(4095) + "... (2 more)");
    }
}
