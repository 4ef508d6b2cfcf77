package io.dubbomesh.protocol.hessian;

import com.fasterxml.jackson.core.JsonParser;
import io.dubbomesh.protocol.type.ValueToJson;
import io.dubbomesh.protocol.value.ClassNames;
import io.dubbomesh.protocol.value.JsonValues;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.testsupport.random.RandomJson;
import io.dubbomesh.testsupport.random.Tries;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** JSON that becomes Hessian and JSON again has not changed. */
class JsonRoundTripTest {
    private static final int VALUES = 1_000_000;

    private final HessianReader reader = new HessianReader();
    private final HessianWriter writer = new HessianWriter();
    private final ValueToJson transcoder = new ValueToJson(new HessianValues(reader), 1 << 24);
    private final ByteBuf json = Unpooled.buffer();
    private final ByteBuf hessian = Unpooled.buffer();
    private final ByteBuf again = Unpooled.buffer();

    private void copy(CharSequence text) throws IOException, MalformedValueException {
        ByteBufUtil.writeUtf8(json.clear(), text);
        try (JsonParser parser = JsonValues.parser(json, 0, json.writerIndex())) {
            parser.nextToken();
            JsonValues.copy(parser, writer.reset(hessian.clear()));
            assertThat(parser.nextToken()).isNull();
        }
        reader.reset(hessian, 0, hessian.writerIndex());
        transcoder.writeJson(again.clear(), ClassNames.OMIT);
        assertThat(reader.isAtEnd()).isTrue();
    }

    @Test
    void randomValuesAreTheSameAfterARoundTrip() {
        Tries.run(VALUES, random -> {
            copy(new RandomJson(random.random()).next());
            if (!again.equals(json)) {
                assertThat(again.toString(UTF_8)).isEqualTo(json.toString(UTF_8));
            }
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-0.0",
                "-9223372036854775808",
                "18446744073709551616",
                "4.9E-324",
                "1.7976931348623157E308",
                "1E+400",
                "-1E-400",
                "123456789012345678901234567890.123456789",
                "{\"\":{\"\":[]}}",
                "{\"a\":1,\"a\":2}",
                "\"\\u0000\\\"\\\\/\u2028\ud83d\ude00\"",
            })
    void valuesAtTheBoundsAreTheSameAfterARoundTrip(String value) throws IOException, MalformedValueException {
        copy(value);
        assertThat(again.toString(UTF_8)).isEqualTo(value);
    }
}
