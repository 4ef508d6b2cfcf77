package io.dubbomesh.protocol.mesh;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Random;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

class CallTimingTest {
    private static final String KEY = "0007" + "3a74696d696e67";
    /** {@code 1500 50123456 192.0.2.7:20880}. */
    private static final String VALUE =
            "001d" + "31353030" + "20" + "3530313233343536" + "20" + "3139322e302e322e373a3230383830";

    private final CallTiming timing = new CallTiming();

    @Test
    void itStandsInFrontOfTheOtherAttachmentsOfAResponse() {
        CallTiming written = new CallTiming("192.0.2.7:20880").set(1500, 50_123_456);
        ByteBuf out = Unpooled.buffer().writeByte(0xee).writeZero(written.length());
        out.writeBytes(ByteBufUtil.decodeHexDump("0006" + "000161000162" + "2274657822"));
        written.insert(out, 1);

        assertThat(ByteBufUtil.hexDump(out)).isEqualTo("ee" + "002e" + KEY + VALUE + "000161000162" + "2274657822");
    }

    @Test
    void itIsFoundAmongOtherAttachments() {
        for (String block : new String[] {KEY + VALUE, "000161000162" + KEY + VALUE, KEY + VALUE + "000161000162"}) {
            assertThat(read(block)).as(block).isTrue();
            assertThat(timing.queueNs()).isEqualTo(1500);
            assertThat(timing.providerNs()).isEqualTo(50_123_456);
            assertThat(timing.provider()).isEqualTo("192.0.2.7:20880");
        }
    }

    @Test
    void theSameProviderIsTheSameText() {
        read(KEY + VALUE);
        String provider = timing.provider();
        read(KEY + VALUE);

        assertThat(timing.provider()).isSameAs(provider);
    }

    @Test
    void durationsAreNeverNegative() {
        CallTiming written = new CallTiming("a:1").set(-1, -2);
        ByteBuf out = Unpooled.buffer().writeZero(written.length()).writeShort(0);
        written.insert(out, 0);

        assertThat(timing.read(out, 2, out.writerIndex() - 2)).isTrue();
        assertThat(timing.queueNs()).isZero();
        assertThat(timing.providerNs()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "1",
                "1 2",
                "1 2 ",
                " 2 a:1",
                "1  a:1",
                "-1 2 a:1",
                "1 x a:1",
                "1x2 a:1",
                "1234567890123456789 2 a:1",
                "1 9999999999999999999 a:1"
            })
    void anotherValueIsNone(String value) {
        String digits = ByteBufUtil.hexDump(value.getBytes(US_ASCII));
        assertThat(read(KEY + String.format("%04x", value.length()) + digits)).isFalse();
    }

    @Test
    void aBlockThatEndsEarlyHasNone() {
        String block = KEY + VALUE;
        for (int length = 0; length < block.length() / 2; length++) {
            assertThat(read(block.substring(0, 2 * length)))
                    .as("%d bytes", length)
                    .isFalse();
        }
    }

    @Test
    void randomBytesAreReadOrNot() {
        Random random = new Random(20181);
        byte[] valid = ByteBufUtil.decodeHexDump(KEY + VALUE);
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = valid.clone();
            for (int i = random.nextInt(4); i >= 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            if (timing.read(Unpooled.wrappedBuffer(bytes), 0, bytes.length)) {
                assertThat(timing.queueNs()).isNotNegative();
                assertThat(timing.providerNs()).isNotNegative();
            }
        }
    }

    private boolean read(String block) {
        ByteBuf in = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump("ee" + block));
        return timing.read(in, 1, in.writerIndex() - 1);
    }
}
