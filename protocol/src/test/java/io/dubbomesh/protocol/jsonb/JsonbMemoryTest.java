package io.dubbomesh.protocol.jsonb;

import io.dubbomesh.protocol.SmallStack;
import io.dubbomesh.protocol.type.ValueToJson;
import io.dubbomesh.protocol.value.ClassNames;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.testsupport.Hex;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The memory for a value is bounded by its length, also on a small stack. */
@Timeout(60)
class JsonbMemoryTest {
    private static final int SIZE = 8 << 20;
    private static final int LEVELS = 10_000;

    private final JsonbReader reader = new JsonbReader();
    private final ValueToJson transcoder = new ValueToJson(new JsonbValues(reader), SIZE);
    private final ByteBuf out = Unpooled.buffer(2 * SIZE);

    private void write(ByteBuf in) throws MalformedValueException {
        reader.reset(in, 0, in.readableBytes());
        transcoder.writeJson(out.clear(), ClassNames.WRITE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"93 49", "93 4a'a'", "92 4a'a' 00 af"})
    void eightMebibytesTakeNoMoreThanFiveTimesTheirSize(String unit) throws InterruptedException {
        ByteBuf piece = Hex.buffer(unit);
        int count = SIZE / piece.readableBytes() - 2;
        ByteBuf in = Unpooled.buffer(SIZE)
                .writeByte(JsonbTag.ARRAY)
                .writeByte(JsonbTag.INT)
                .writeInt(count);
        for (int i = 0; i < count; i++) {
            in.writeBytes(piece, 0, piece.readableBytes());
        }
        SmallStack.run(() -> {
            long before = SmallStack.allocated();
            try {
                write(in);
            } catch (MalformedValueException e) {
                assertThat(e.getMessage()).isNotEmpty();
            }
            assertThat(SmallStack.allocated() - before).isLessThan(5L * SIZE);
        });
    }

    @Test
    void tenThousandLevelsAreADeclaredError() throws InterruptedException {
        SmallStack.run(() -> {
            for (String level :
                    new String[] {"95", "a4 38 01", "a6 4a'a'", "a6", "92 4a'a' 00 a6 4a'a'", "a6 92 4a'a' 00"}) {
                assertThatThrownBy(() -> write(Hex.buffer(level.repeat(LEVELS))))
                        .isInstanceOf(MalformedValueException.class);
                assertThatThrownBy(() -> write(Hex.buffer("96 93 4a'a'" + level.repeat(LEVELS))))
                        .isInstanceOf(MalformedValueException.class);
            }
        });
    }
}
