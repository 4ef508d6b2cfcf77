package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.type.ValueToJson;
import io.dubbomesh.protocol.value.ClassNames;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.testsupport.Hex;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class ClassNamesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'C' 03'a.B' 91 01'x' 60 91 | {\"x\":1} | {\"x\":1} | {\"class\":\"a.B\",\"x\":1}",
                "'C' 03'a.B' 90 60 | {} | {} | {\"class\":\"a.B\"}",
                "'C' 03'a.E' 91 04'name' 60 03'RED' | \"RED\" | \"RED\" | \"RED\"",
                "'H' 05'class' 03'a.B' 01'x' 91 'Z' | {\"class\":\"a.B\",\"x\":1} | {\"x\":1} | {\"class\":\"a.B\",\"x\":1}",
                "'H' 01'x' 91 05'class' 03'a.B' 'Z' | {\"x\":1,\"class\":\"a.B\"} | {\"x\":1} | {\"x\":1,\"class\":\"a.B\"}",
                "'H' 05'class' 03'a B' 'Z' | {\"class\":\"a B\"} | {} | {\"class\":\"a B\"}",
                "'H' 05'class' 95 'Z' | {\"class\":5} | {\"class\":5} | {\"class\":5}",
                "'H' 05'clasp' 03'a.B' 'Z' | {\"clasp\":\"a.B\"} | {\"clasp\":\"a.B\"} | {\"clasp\":\"a.B\"}",
                "'H' 05'class' 03'a.B' 91 92 'Z' | [[\"class\",\"a.B\"],[1,2]] | [[\"class\",\"a.B\"],[1,2]] | [[\"class\",\"a.B\"],[1,2]]",
                "'H' 01'x' 'H' 05'class' 03'a.B' 01'y' 79 'H' 05'class' 03'a.B' 01'z' 91 'Z' 'Z' 'Z'"
                        + " | {\"x\":{\"class\":\"a.B\",\"y\":[{\"class\":\"a.B\",\"z\":1}]}}"
                        + " | {\"x\":{\"y\":[{\"z\":1}]}}"
                        + " | {\"x\":{\"class\":\"a.B\",\"y\":[{\"class\":\"a.B\",\"z\":1}]}}",
            })
    void theyAreOmittedOrRemovedOrWritten(String bytes, String omitted, String removed, String written)
            throws MalformedValueException {
        assertThat(json(bytes, ClassNames.OMIT)).isEqualTo(omitted);
        assertThat(json(bytes, ClassNames.REMOVE)).isEqualTo(removed);
        assertThat(json(bytes, ClassNames.WRITE)).isEqualTo(written);
    }

    private static String json(String bytes, ClassNames classNames) throws MalformedValueException {
        ByteBuf in = Hex.buffer(bytes);
        ByteBuf out = Unpooled.buffer();
        HessianReader reader = new HessianReader().reset(in, 0, in.readableBytes());
        new ValueToJson(new HessianValues(reader), 1000).writeJson(out, classNames);
        assertThat(reader.isAtEnd()).isTrue();
        return out.toString(UTF_8);
    }
}
