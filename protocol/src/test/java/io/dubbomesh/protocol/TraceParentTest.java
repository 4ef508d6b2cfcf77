package io.dubbomesh.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

class TraceParentTest {
    private static final String EXAMPLE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    private final TraceParent parent = new TraceParent();

    private boolean read(String text) {
        ByteBuf in = Unpooled.copiedBuffer("x" + text + "y", US_ASCII);
        return parent.read(in, 1, text.length());
    }

    @Test
    void theExampleOfTheSpecificationIsRead() {
        assertThat(read(EXAMPLE)).isTrue();
        assertThat(parent.traceIdHigh()).isEqualTo(0x4bf92f3577b34da6L);
        assertThat(parent.traceIdLow()).isEqualTo(0xa3ce929d0e0e4736L);
        assertThat(parent.spanId()).isEqualTo(0x00f067aa0ba902b7L);
        assertThat(parent.isSampled()).isTrue();
    }

    @Test
    void onlyTheLastBitOfTheFlagsSaysWhetherATraceIsSampled() {
        assertThat(read(EXAMPLE.replace("-01", "-00"))).isTrue();
        assertThat(parent.isSampled()).isFalse();
        assertThat(read(EXAMPLE.replace("-01", "-fe"))).isTrue();
        assertThat(parent.isSampled()).isFalse();
        assertThat(read(EXAMPLE.replace("-01", "-03"))).isTrue();
        assertThat(parent.isSampled()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-comes-later"
            })
    void aLaterVersionIsReadAsFarAsItIsKnown(String text) {
        assertThat(read(text)).isTrue();
        assertThat(parent.spanId()).isEqualTo(0x00f067aa0ba902b7L);
        assertThat(parent.isSampled()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
                "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01.more",
                "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0x",
                "00 4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736:00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7_01"
            })
    void whatIsNotValidIsRefused(String text) {
        assertThat(read(text)).isFalse();
    }

    @Test
    void whatIsWrittenIsTheExampleOfTheSpecification() {
        ByteBuf out = Unpooled.buffer(1).writeByte('>');

        TraceParent.writeSampled(out, 0x4bf92f3577b34da6L, 0xa3ce929d0e0e4736L, 0x00f067aa0ba902b7L);

        assertThat(out.toString(US_ASCII)).isEqualTo(">" + EXAMPLE);
    }

    @Test
    void theIdOfTheCallersSpanCanBeReplacedInPlace() {
        ByteBuf bytes = Unpooled.copiedBuffer(">" + EXAMPLE + "<", US_ASCII);

        TraceParent.setSpanId(bytes, 1, 0xfedcba9876543210L);

        assertThat(bytes.toString(US_ASCII)).isEqualTo(">00-4bf92f3577b34da6a3ce929d0e0e4736-fedcba9876543210-01<");
    }
}
