package io.dubbomesh.protocol.mesh;

import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FrameWriterTest {
    private final ByteBuf out = Unpooled.buffer();

    @Test
    void aRequestHasItsFlagsIdsAndBodyLengthInTheHeader() {
        int frame = FrameWriter.beginRequest(out, Flags.TEXT | Flags.ONE_WAY, 0x0102030405060708L, 0x0a0b0c0d);
        out.writeByte(0xab);
        FrameWriter.endRequest(out, frame);

        assertThat(written()).isEqualTo("d3e50103" + "00050000" + "0102030405060708" + "0a0b0c0d" + "00000001" + "ab");
    }

    @Test
    void aResponseHasTheOutcomeAndFlagsThatItEndsWith() {
        int frame = FrameWriter.beginResponse(out, -1);
        out.writeShort(0);
        FrameWriter.endResponse(out, frame, Outcome.TIMEOUT, Flags.JSON);

        assertThat(written())
                .isEqualTo("d3e50104" + "24020000" + "ffffffffffffffff" + "00000000" + "00000002" + "0000");
    }

    @Test
    void aDefinitionHasItsMethodIdAndNames() {
        FrameWriter.define(out, 7, MethodNames.encode(new MethodName("S", "m", "", "", "")));

        assertThat(written())
                .isEqualTo("d3e50102" + "00000000" + "0000000000000000" + "00000007" + "0000000c" + "000153" + "00016d"
                        + "000000000000");
    }

    @Test
    void aHeartbeatIsAHeaderAlone() {
        FrameWriter.ping(out);
        FrameWriter.pong(out);

        String rest = "00000000" + "0000000000000000" + "00000000" + "00000000";
        assertThat(written()).isEqualTo("d3e50105" + rest + "d3e50106" + rest);
    }

    @Test
    void aCreditHasItsRequestAndTheBytesThatWereTaken() {
        FrameWriter.credit(out, 0x0102030405060708L, 0x01020304);

        assertThat(written())
                .isEqualTo("d3e50109" + "00000000" + "0102030405060708" + "00000000" + "00000004" + "01020304");
    }

    @Test
    void aCancelHasItsRequestAndNoBody() {
        FrameWriter.cancel(out, 0x0102030405060708L);

        assertThat(written()).isEqualTo("d3e5010a" + "00000000" + "0102030405060708" + "00000000" + "00000000");
    }

    @Test
    void aGoAwayHasItsReasonAsUtf8() {
        FrameWriter.goAway(out, "bye é");

        assertThat(written())
                .isEqualTo("d3e50107" + "00000000" + "0000000000000000" + "00000000" + "00000006" + "62796520c3a9");
    }

    @Test
    void aFrameAfterOthersCountsOnlyItsOwnBody() {
        out.writeBytes(new byte[5]);
        int frame = FrameWriter.beginRequest(out, Flags.JSON, 1, 1);
        out.writeBytes(new byte[3]);
        FrameWriter.endRequest(out, frame);

        assertThat(frame).isEqualTo(5);
        assertThat(MeshHeader.bodyLength(out, 5)).isEqualTo(3);
    }

    private String written() {
        return ByteBufUtil.hexDump(out);
    }
}
