package io.dubbomesh.protocol.mesh;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MeshHeaderTest {
    private final ByteBuf out = Unpooled.buffer();

    @Test
    void aRequestHeaderHasTheseTwentyFourBytes() {
        MeshHeader.write(out, FrameType.REQUEST, 0, Flags.TEXT | Flags.ONE_WAY, 0x0102030405060708L, 0x0a0b0c0d);
        MeshHeader.bodyLength(out, 0, 0x11223344);

        assertThat(ByteBufUtil.hexDump(out))
                .isEqualTo("d3e50103" + "00050000" + "0102030405060708" + "0a0b0c0d" + "11223344");
    }

    @Test
    void aResponseHeaderBearsItsStatus() {
        MeshHeader.write(out, FrameType.RESPONSE, 0xfe, Flags.JSON, -1, 0);

        assertThat(ByteBufUtil.hexDump(out))
                .isEqualTo("d3e50104" + "fe020000" + "ffffffffffffffff" + "00000000" + "00000000");
    }

    @Test
    void everyFieldIsReadWhereItStandsAlsoBehindOtherBytes() {
        ByteBuf in = Unpooled.wrappedBuffer(
                ByteBufUtil.decodeHexDump("ffff" + "d3e50104fe02000700000000000000092a2b2c2d80000001"));

        assertThat(MeshHeader.magic(in, 2)).isEqualTo(0xd3e5);
        assertThat(MeshHeader.version(in, 2)).isEqualTo(1);
        assertThat(MeshHeader.type(in, 2)).isEqualTo(FrameType.RESPONSE);
        assertThat(MeshHeader.status(in, 2)).isEqualTo(0xfe);
        assertThat(MeshHeader.flags(in, 2)).isEqualTo(Flags.JSON);
        assertThat(MeshHeader.reserved(in, 2)).isEqualTo(7);
        assertThat(MeshHeader.requestId(in, 2)).isEqualTo(9);
        assertThat(MeshHeader.methodId(in, 2)).isEqualTo(0x2a2b2c2d);
        assertThat(MeshHeader.bodyLength(in, 2)).isEqualTo(0x80000001);
    }

    @Test
    void endingAFrameCountsWhatStandsBehindItsHeader() {
        out.writeBytes(new byte[5]);
        MeshHeader.write(out, FrameType.GOAWAY, 0, 0, 0, 0);
        out.writeBytes(new byte[3]);
        MeshHeader.endFrame(out, 5);

        assertThat(MeshHeader.bodyLength(out, 5)).isEqualTo(3);
    }
}
