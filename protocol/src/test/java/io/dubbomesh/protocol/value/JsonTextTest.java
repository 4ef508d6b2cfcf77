package io.dubbomesh.protocol.value;

import io.dubbomesh.testsupport.random.Tries;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

class JsonTextTest {

    private static String digits(long value) {
        ByteBuf out = Unpooled.buffer(1);
        JsonText.writeLong(out, value);
        return out.toString(US_ASCII);
    }

    private static String mills(int mills) {
        ByteBuf out = Unpooled.buffer(1);
        JsonText.writeMills(out, mills);
        return out.toString(US_ASCII);
    }

    @ParameterizedTest
    @ValueSource(
            longs = {
                0,
                9,
                10,
                -10,
                99_999_999,
                100_000_000,
                -100_000_001,
                9_999_999_999_999_999L,
                10_000_000_000_000_000L,
                100_000_000_000_000_000L,
                Integer.MIN_VALUE,
                Long.MIN_VALUE,
                Long.MAX_VALUE
            })
    void aLongIsItsDigits(long value) {
        assertThat(digits(value)).isEqualTo(Long.toString(value));
    }

    @Test
    void everyLongIsItsDigits() {
        Tries.run(20_000, random -> {
            long value = random.anyLong();
            assertThat(digits(value)).isEqualTo(Long.toString(value));
        });
    }

    @Test
    void everyNumberOfUpToFourDigitsIsItsDigits() {
        for (int i = -9999; i <= 9999; i++) {
            assertThat(digits(i)).isEqualTo(Integer.toString(i));
            assertThat(digits(i * 10_000L)).isEqualTo(Long.toString(i * 10_000L));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0.0",
        "1, 0.001",
        "-1, -0.001",
        "10, 0.01",
        "100, 0.1",
        "1000, 1.0",
        "-12250, -12.25",
        "10005, 10.005",
        "2147483647, 2147483.647",
        "-2147483648, -2147483.648"
    })
    void thousandthsAreADecimal(int mills, String text) {
        assertThat(mills(mills)).isEqualTo(text);
    }

    @Test
    void everyThousandthIsTheDecimalThatJavaWrites() {
        Tries.run(20_000, random -> {
            int mills = random.anyInt();
            assertThat(mills(mills)).isEqualTo(Double.toString(mills / 1000.0));
        });
    }

    /** At every distance from the end of the buffer, since eight bytes are read at once if there are as many. */
    @Test
    void textIsCopiedIfNothingIsToBeEscaped() {
        for (int length = 0; length < 20; length++) {
            for (int behind = 0; behind < 10; behind++) {
                for (int special = -1; special < length + behind; special++) {
                    for (char c : "\"\\\u0000\u001f\u0080\u00ff".toCharArray()) {
                        StringBuilder text = new StringBuilder("x".repeat(length) + "y".repeat(behind));
                        if (special >= 0) {
                            text.setCharAt(special, c);
                        }
                        ByteBuf in = Unpooled.wrappedBuffer(("<" + text).getBytes(ISO_8859_1));
                        ByteBuf out = Unpooled.buffer(64);
                        boolean plain = special < 0 || special >= length;
                        assertThat(JsonText.copyPlain(out, 3, in, 1, 1 + length))
                                .isEqualTo(plain);
                        if (plain) {
                            assertThat(out.toString(3, length, US_ASCII)).isEqualTo("x".repeat(length));
                        }
                        int end = special < 0 ? length : Math.min(special, length);
                        assertThat(JsonText.plainEnd(in, 1, 1 + length)).isEqualTo(1 + end);
                        int asciiEnd = c < 0x80 ? length : end;
                        assertThat(Utf8.asciiEnd(in, 1, 1 + length)).isEqualTo(1 + asciiEnd);
                    }
                }
            }
        }
    }
}
