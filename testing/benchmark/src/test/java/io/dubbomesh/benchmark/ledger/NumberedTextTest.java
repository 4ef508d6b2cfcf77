package io.dubbomesh.benchmark.ledger;

import io.dubbomesh.testsupport.random.Tries;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NumberedTextTest {
    private final NumberedText texts = new NumberedText(NumberedText.MIN_LENGTH);

    @Test
    void aNumberIsSixLettersOfBase26BehindThePadding() {
        assertThat(texts.text(0)).isEqualTo("AAAAAA");
        assertThat(texts.text(1)).isEqualTo("AAAAAB");
        assertThat(texts.text(26)).isEqualTo("AAAABA");
        assertThat(texts.text(NumberedText.COUNT - 1)).isEqualTo("ZZZZZZ");
        assertThat(new NumberedText(9).text(27)).isEqualTo("aaaAAAABB");
    }

    @Test
    void theHashIsJavasAndNamesTheNumber() {
        Tries.run(500, random -> {
            NumberedText some = new NumberedText(random.between(6, 300));
            int number = random.between(0, NumberedText.COUNT - 1);
            int hash = some.text(number).hashCode();
            assertThat(some.hash(number)).isEqualTo(hash);
            assertThat(some.number(hash)).isEqualTo(number);
        });
        assertThat(texts.number("ZZZZZZ".hashCode())).isEqualTo(NumberedText.COUNT - 1);
    }

    @Test
    void aHashOfAnotherTextNamesNoNumber() {
        assertThat(texts.number("AAAAAA".hashCode() - 1)).isEqualTo(-1);
        // '[' follows 'Z'.
        assertThat(texts.number("AAAAA[".hashCode())).isEqualTo(-1);
        assertThat(texts.number("[AAAAA".hashCode())).isEqualTo(-1);
        assertThat(texts.number("BAAAAAA".hashCode())).isEqualTo(-1);
    }
}
