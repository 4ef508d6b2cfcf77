package io.dubbomesh.protocol.jsonb;

import io.dubbomesh.protocol.type.ValueToJson;
import io.dubbomesh.protocol.value.ClassNames;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.testsupport.Hex;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class JsonbReferencesTest {
    private static final int MAX = 1 << 20;

    private final JsonbReader reader = new JsonbReader();
    private final ValueToJson transcoder = new ValueToJson(new JsonbValues(reader), MAX);

    private String json(ByteBuf in) throws MalformedValueException {
        ByteBuf out = Unpooled.buffer();
        reader.reset(in, 0, in.readableBytes());
        transcoder.writeJson(out, ClassNames.OMIT);
        assertThat(reader.isAtEnd()).isTrue();
        return out.toString(UTF_8);
    }

    private String json(String bytes) throws MalformedValueException {
        return json(Hex.buffer(bytes));
    }

    @Test
    void aReferenceIsWrittenAsItsTarget() throws MalformedValueException {
        assertThat(json("98 95 01 93 4d'$[0]' 93 4c'#-1' 02")).isEqualTo("[[1],[1],[1],2]");
        assertThat(json("a6 4b'a.' 95 01 4a'b' 93 4e'$.a\\.' a5")).isEqualTo("{\"a.\":[1],\"b\":[1]}");
        assertThat(json("a6 01 95 05 02 93 4c'$.1' a5")).isEqualTo("[[1,[5]],[2,[5]]]");
        assertThat(json("92 4c'a.B' 00 a6 7f 4a'x' 01 92 00 a6 7f 01 b1 a5 7f 4a'y' 02 93 4c'$.x' a5"))
                .isEqualTo("{\"x\":{\"x\":true},\"y\":{\"x\":true}}");
        assertThat(json("a6 4a'a' 92 4c'Opt' 00 4a'v' 4a'b' 93 4c'$.a' a5")).isEqualTo("{\"a\":\"v\",\"b\":\"v\"}");
        assertThat(json("a6 7c 02 2d4e 94 4a'b' 93 7c 06 24002e002d4e a5")).isEqualTo("{\"\u4e2d\":[],\"b\":[]}");
    }

    /** The code that fastjson2 generates for public classes writes null behind a reference in a field. */
    @Test
    void theNullAfterAFieldThatIsAReferenceIsSkipped() throws MalformedValueException {
        assertThat(
                        json(
                                "96 95 01 92 4c'a.B' 00 a6 7f 4a'x' 01 93 4d'$[0]' 7f 01 af 7f 4a'y' 02 93 4c'#-1' 7f 02 af a5"))
                .isEqualTo("[[1],{\"x\":[1],\"y\":[1]}]");
        assertThat(json("96 95 01 92 4c'a.B' 00 a6 7f 4a'x' 01 93 4d'$[0]' 7f 4a'y' 02 af a5"))
                .isEqualTo("[[1],{\"x\":[1],\"y\":null}]");
    }

    /** The reference before it in the bytes, not the one that was followed last. */
    @Test
    void aRepeatedReferenceMeansTheOneBeforeItWhereverItIsReadFrom() throws MalformedValueException {
        assertThat(json("99 95 01 95 02 96 93 4d'$[0]' 93 4c'#-1' 93 4d'$[1]' 93 4d'$[2]'"))
                .isEqualTo("[[1],[2],[[1],[1]],[2],[[1],[1]]]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "95 93 4a'$'",
                "95 93 4b'..'",
                "95 95 93 4d'$[0]'",
                "a6 4a'a' 93 4a'$' a5",
                "96 95 93 4d'$[1]' 95 93 4d'$[0]'",
                "92 4c'a.B' 00 a6 7f 4a'x' 01 93 4b'..' a5"
            })
    void aValueThatContainsItselfIsAnError(String bytes) {
        assertThatThrownBy(() -> json(bytes)).hasMessageContaining("contains itself");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "93 4a'$'",
                "95 93 4d'$[0]'",
                "96 93 4d'$[1]' 93 4d'$[0]'",
                "95 92 4a'a' 00 93 4d'$[0]'",
                "95 93 4d'$[1]'",
                "95 93 4c'#-1'",
                "95 93 49",
                "95 93 4c'$.a'",
                "96 94 93 50'$[0][0]'"
            })
    void aReferenceToNothingIsAnError(String bytes) {
        assertThatThrownBy(() -> json(bytes)).isInstanceOf(MalformedValueException.class);
    }

    /** Each list has an element, and a reference to it. */
    @Test
    void valuesThatDoubleEachOtherAreBounded() {
        StringBuilder list = new StringBuilder("95 4a'x'");
        for (int level = 100; level > 0; level--) {
            String path = "$" + "[0]".repeat(level);
            list.insert(0, "96 ")
                    .append(" 93 79 44")
                    .append(String.format("%04x", path.length()))
                    .append('\'')
                    .append(path)
                    .append('\'');
        }
        assertThatThrownBy(() -> json(list.toString())).hasMessageContaining("repeat");
    }

    @Test
    void bytesReadAgainWithoutMakingTextAreBounded() {
        // A list of a class with a long name and nothing in it, again and again.
        ByteBuf in = Hex.buffer("a4 48 00020000 92 79 48 00100000");
        in.writeZero(MAX).writeBytes(Hex.buffer("00 94"));
        for (int i = 1; i < 0x20000; i++) {
            in.writeBytes(Hex.buffer(i == 1 ? "93 4d'$[0]'" : "93 4c'#-1'"));
        }
        assertThatThrownBy(() -> json(in)).hasMessageContaining("repeat");
    }
}
