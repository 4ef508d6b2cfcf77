package io.dubbomesh.protocol.mesh;

import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.testsupport.Hex;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class MethodNamesTest {
    private static final MethodName NAME = new MethodName("a.B", "gr\u00fcezi", "I", "1.0", "");
    private static final String BYTES = "0003 612e42  0007 6772c3bc657a69  0001 49  0003 312e30  0000";

    private static MethodName read(String hex) throws MalformedFrameException {
        ByteBuf in = Unpooled.wrappedBuffer(Hex.bytes(hex));
        return MethodNames.read(in, 0, in.writerIndex());
    }

    @Test
    void theNamesAreTextInUtf8BehindTheirLengths() throws Exception {
        assertThat(MethodNames.encode(NAME)).isEqualTo(Hex.bytes(BYTES));
        assertThat(read(BYTES)).isEqualTo(NAME);
    }

    @Test
    void aNameThatReachesBeyondTheBodyIsMalformed() {
        assertThatThrownBy(() -> read("0003612e42" + "0001"))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessage("names of a method: a field reaches beyond the body");
    }

    /** A byte that begins nothing, a character cut short, one that is too long, half of a pair. */
    @ParameterizedTest
    @ValueSource(strings = {"ff", "c3", "c080", "eda080"})
    void aNameThatIsNotUtf8IsMalformed(String name) {
        String length = "000" + name.length() / 2;
        assertThatThrownBy(() -> read("0003612e42" + length + name + "000149" + "0000" + "0000"))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessage("names of a method: not UTF-8");
    }
}
