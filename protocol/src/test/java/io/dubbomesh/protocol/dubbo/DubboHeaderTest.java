package io.dubbomesh.protocol.dubbo;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DubboHeaderTest {
    @Test
    void everyFieldIsReadFromItsPlace() {
        ByteBuf in = bytes("ee" + "dabb" + "c2" + "14" + "0123456789abcdef" + "80000001");

        assertThat(DubboHeader.magic(in, 1)).isEqualTo(DubboHeader.MAGIC);
        assertThat(DubboHeader.isRequest(in, 1)).isTrue();
        assertThat(DubboHeader.isTwoWay(in, 1)).isTrue();
        assertThat(DubboHeader.isEvent(in, 1)).isFalse();
        assertThat(DubboHeader.serialization(in, 1)).isEqualTo(2);
        assertThat(DubboHeader.status(in, 1)).isEqualTo(20);
        assertThat(DubboHeader.requestId(in, 1)).isEqualTo(0x0123456789abcdefL);
        assertThat(DubboHeader.bodyLength(in, 1)).isEqualTo(0x80000001);
    }

    @Test
    void eachFlagIsOneBit() {
        ByteBuf event = bytes("dabb" + "3f" + "64" + "0000000000000000" + "00000000");
        assertThat(DubboHeader.isRequest(event, 0)).isFalse();
        assertThat(DubboHeader.isTwoWay(event, 0)).isFalse();
        assertThat(DubboHeader.isEvent(event, 0)).isTrue();
        assertThat(DubboHeader.serialization(event, 0)).isEqualTo(31);

        ByteBuf oneWay = bytes("dabb" + "86" + "00" + "0000000000000000" + "00000000");
        assertThat(DubboHeader.isRequest(oneWay, 0)).isTrue();
        assertThat(DubboHeader.isTwoWay(oneWay, 0)).isFalse();
        assertThat(DubboHeader.isEvent(oneWay, 0)).isFalse();
    }

    @Test
    void aHeaderIsSixteenBytesAndItsBodyLengthCanFollowLater() {
        ByteBuf out = Unpooled.buffer().writeByte(0xee);
        DubboHeader.write(out, DubboHeader.REQUEST | DubboHeader.TWO_WAY | 2, 0xff, -2, 7);
        assertThat(ByteBufUtil.hexDump(out)).isEqualTo("ee" + "dabbc2ff" + "fffffffffffffffe" + "00000007");
        assertThat(out.readableBytes()).isEqualTo(1 + DubboHeader.LENGTH);

        DubboHeader.bodyLength(out, 1, 258);
        assertThat(ByteBufUtil.hexDump(out)).isEqualTo("ee" + "dabbc2ff" + "fffffffffffffffe" + "00000102");
    }

    private static ByteBuf bytes(String hex) {
        return Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex));
    }
}
