package io.dubbomesh.testsupport;

import io.netty.buffer.ByteBuf;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HexTest {
    @Test
    void bytesAreDigitsWithBlanksAndTextInQuotes() {
        assertThat(Hex.bytes("01 ff'a \u00e4'7f")).containsExactly(1, -1, 'a', ' ', 0xe4, 0x7f);
        assertThat(Hex.bytes("")).isEmpty();
        assertThatThrownBy(() -> Hex.bytes("1")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aBufferHasTheSameBytes() {
        ByteBuf buffer = Hex.buffer("01'a'");

        assertThat(Hex.of(buffer)).isEqualTo("0161");
        assertThat(buffer.readableBytes()).isEqualTo(2);
    }

    @Test
    void numbersAreBigEndian() {
        assertThat(Hex.u8(-1) + " " + Hex.u16(0x102) + " " + Hex.u32(-2) + " " + Hex.u64(3))
                .isEqualTo("ff 0102 fffffffe 0000000000000003");
        assertThat(Hex.text("\u00e4")).isEqualTo("c3a4");
    }
}
