package io.dubbomesh.protocol.mesh;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class ReportedLoadTest {
    @Test
    void theLoadStandsInTheHeaderOfTheResponse() {
        ByteBuf out = Unpooled.buffer();
        int frame = FrameWriter.beginResponse(out, 9);
        ReportedLoad.write(out, frame, 3, 2, 50_000_000);

        // 50,000 us are 1,562 << 5.
        assertThat(ByteBufUtil.hexDump(out))
                .isEqualTo("d3e5010400002e1a" + "0000000000000009" + "00030002" + "00000000");
        assertThat(ReportedLoad.inService(MeshHeader.reportedCalls(out, frame))).isEqualTo(3);
        assertThat(ReportedLoad.waiting(MeshHeader.reportedCalls(out, frame))).isEqualTo(2);
        assertThat(ReportedLoad.timeNs(MeshHeader.reportedTime(out, frame))).isEqualTo(49_984_000);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0000, 0",
        "1, 0001, 1000",
        "999, 0001, 1000",
        "2047000, 07ff, 2047000",
        "2048000, 0c00, 2048000",
        "4095000, 0fff, 4094000",
        "4096000, 1400, 4096000",
        "9223372036854775807, ffff, 4395899027456000"
    })
    void aTimeHasElevenBitsAndAnExponent(long ns, String digits, long read) {
        ByteBuf out = Unpooled.buffer();
        int frame = FrameWriter.beginResponse(out, 1);
        ReportedLoad.write(out, frame, 0, 0, ns);

        assertThat(ByteBufUtil.hexDump(out, 6, 2)).isEqualTo(digits);
        assertThat(ReportedLoad.timeNs(MeshHeader.reportedTime(out, frame))).isEqualTo(read);
    }

    @ParameterizedTest
    @ValueSource(longs = {1_000, 12_345_678, 50_123_456, 1_999_999_999, 3_600_000_000_000L})
    void aTimeIsExactWithinATenthOfAPercent(long ns) {
        ByteBuf out = Unpooled.buffer();
        int frame = FrameWriter.beginResponse(out, 1);
        ReportedLoad.write(out, frame, 0, 0, ns);

        assertThat((double) ReportedLoad.timeNs(MeshHeader.reportedTime(out, frame)))
                .isCloseTo(ns, within(ns * 0.001));
    }

    @Test
    void moreCallsThanFitAreReportedAsTheLargestNumber() {
        ByteBuf out = Unpooled.buffer();
        int frame = FrameWriter.beginResponse(out, 1);
        ReportedLoad.write(out, frame, 70_000, 65_535, 0);

        assertThat(MeshHeader.reportedCalls(out, frame)).isEqualTo(0xffff_ffff);
        assertThat(ReportedLoad.inService(0xffff_ffff)).isEqualTo(65_535);
        assertThat(ReportedLoad.waiting(0xffff_ffff)).isEqualTo(65_535);
    }
}
