package io.dubbomesh.protocol.mesh;

import io.dubbomesh.protocol.MalformedFrameException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HeaderValidatorTest {
    private static final int MAX_FRAME = 1024;

    private final HeaderValidator headers = new HeaderValidator(MAX_FRAME);

    @ParameterizedTest
    @CsvSource({
        "d3e50101000000000000000000000000000000000000000c, HELLO",
        "d3e5010200000000000000000000000000000001000003e8, DEFINE with the longest body",
        "d3e50103007f000000000000000000010000000100000006, REQUEST with every flag",
        "d3e50104240300000000000000000001000000000000000e, RESPONSE with both flags",
        "d3e501040042000000000000000000010000001a0000000e, RESPONSE with a message of a stream",
        "d3e50104000137d00000000000000001000300020000000e, RESPONSE with the provider's load",
        "d3e501050000000000000000000000000000000000000000, PING",
        "d3e501060000000000000000000000000000000000000000, PONG",
        "d3e501070000000000000000000000000000000000000000, GOAWAY without a reason",
        "d3e501090000000000000000000000010000000000000004, CREDIT",
        "d3e5010a0000000000000000000000010000000000000000, CANCEL"
    })
    void aHeaderOfEveryTypeIsAccepted(String hex, String name) {
        assertThatCode(() -> headers.validate(header(hex), 1)).as(name).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "d3e40103000000000000000000000001000000010000000a | magic 0xd3e4 (expected: 0xd3e5)",
                "d3e50203000000000000000000000001000000010000000a | version 2 (expected: 1)",
                "d3e50103000000010000000000000001000000010000000a | reserved bits 1 (expected: 0)",
                "d3e50100000000000000000000000001000000010000000a | frame type 0 (expected: 1 to 10)",
                "d3e5010b000000000000000000000001000000010000000a | frame type 11 (expected: 1 to 10)",
                "d3e501030000000000000000000000010000000180000000 | body length -2147483648 of a frame of type 3 (expected: 0 to 1000)",
                "d3e5010300000000000000000000000100000001000003e9 | body length 1001 of a frame of type 3 (expected: 0 to 1000)",
                "d3e501050000000000000000000000000000000000000001 | body length 1 of a frame of type 5 (expected: 0 to 0)",
                "d3e501090000000000000000000000010000000000000005 | body length 5 of a frame of type 9 (expected: 0 to 4)",
                "d3e5010a0000000000000000000000010000000000000001 | body length 1 of a frame of type 10 (expected: 0 to 0)",
                "d3e501090040000000000000000000010000000000000004 | flags 0x40 of a frame of type 9 are not known",
                "d3e501030080000000000000000000010000000100000006 | flags 0x80 of a frame of type 3 are not known",
                "d3e501040004000000000000000000010000000100000006 | flags 0x04 of a frame of type 4 are not known"
            })
    void anInvalidHeaderIsRefusedWithTheValueAndWhatWasExpected(String hex, String message) {
        assertThatThrownBy(() -> headers.validate(header(hex), 1))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessage(message);
    }

    @Test
    void aHelloIsBoundedByItsFieldsAndNotByTheLongestFrame() {
        ByteBuf in = header("d3e501010000000000000000000000000000000000010000");

        assertThatThrownBy(() -> new HeaderValidator(1 << 20).validate(in, 1))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining("body length 65536 of a frame of type 1");
    }

    private static ByteBuf header(String hex) {
        return Unpooled.wrappedBuffer(new byte[] {9}, ByteBufUtil.decodeHexDump(hex));
    }
}
