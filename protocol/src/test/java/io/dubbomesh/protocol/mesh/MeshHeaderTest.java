package io.dubbomesh.protocol.mesh;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MeshHeaderTest {
    @Test
    void everyFieldIsReadAtItsOffsetAlsoAfterOtherBytes() {
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
}
