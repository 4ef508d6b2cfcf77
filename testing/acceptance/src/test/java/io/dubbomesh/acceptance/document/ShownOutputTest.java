package io.dubbomesh.acceptance.document;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ShownOutputTest {
    @Test
    void aPageShowsWhatWasPrinted() {
        assertThat(ShownOutput.matches("total 7.00\n", "total 7.00")).isTrue();
        assertThat(ShownOutput.matches("total 7.00\n", "total 7.01\n")).isFalse();
        assertThat(ShownOutput.matches("one\n", "one\ntwo\n")).isFalse();
        assertThat(ShownOutput.matches("a.c\n", "abc\n")).isFalse();
    }

    @Test
    void dotsStandForTextAndForLines() {
        assertThat(ShownOutput.matches("from 127.0.0.1:...: \"x\"\n", "from 127.0.0.1:30010: \"x\"\n"))
                .isTrue();
        assertThat(ShownOutput.matches("first\n...\nlast\n", "first\nsecond\nthird\nlast\n"))
                .isTrue();
        assertThat(ShownOutput.matches("first\n...\nlast\n", "first\nlast\n")).isTrue();
        assertThat(ShownOutput.matches("first\n...\nlast\n", "first\nsecond\n")).isFalse();
        assertThat(ShownOutput.matches("a ... c\n", "a b\nb c\n")).isFalse();
    }

    @Test
    void whatDiffersFromRunToRunIsNotCompared() {
        assertThat(ShownOutput.matches(
                        "id urn:uuid:3f0c1c1e-6f3a-4d0e-9b1d-0f6f2c7d9a55 since 2026-11-22T10:00:00Z, 12 ms\n",
                        "id urn:uuid:00000000-6f3a-4d0e-9b1d-0f6f2c7d9a55 since 2027-01-01T10:00:00.123Z, 3.5 ms\n"))
                .isTrue();
        assertThat(ShownOutput.matches("NAME  WEIGHT\na     1\n", "NAME         WEIGHT\na            1\n"))
                .isTrue();
    }
}
