package io.dubbomesh.protocol.jsonb;

import io.dubbomesh.protocol.type.DeclaredType;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class JsonbToJsonTest {
    private static final int MAX = 1 << 20;

    private final JsonbReader reader = new JsonbReader();
    private final ValueToJson transcoder = new ValueToJson(new JsonbValues(reader), MAX);

    private String json(ByteBuf in, boolean text, ClassNames classNames) throws MalformedValueException {
        ByteBuf out = Unpooled.copiedBuffer("<", UTF_8);
        reader.reset(in, 0, in.readableBytes());
        if (text) {
            transcoder.writeText(out, classNames, DeclaredType.UNKNOWN);
        } else {
            transcoder.writeJson(out, classNames);
        }
        assertThat(reader.isAtEnd()).isTrue();
        return out.toString(UTF_8).substring(1);
    }

    private String json(String bytes) throws MalformedValueException {
        return json(Hex.buffer(bytes), false, ClassNames.OMIT);
    }

    private String text(String bytes) throws MalformedValueException {
        return json(Hex.buffer(bytes), true, ClassNames.OMIT);
    }

    @ParameterizedTest
    @CsvSource({
        "af, null",
        "b1, true",
        "b0, false",
        "2f, 47",
        "f0, -16",
        "30 00, -2048",
        "3f ff, 2047",
        "40 0000, -262144",
        "47 ffff, 262143",
        "48 80000000, -2147483648",
        "bd 80, -128",
        "bc 8000, -32768",
        "be 8000000000000000, -9223372036854775808",
        "bf 7fffffff, 2147483647",
        "c0 0000, -262144",
        "c7 ffff, 262143",
        "c8 00, -2048",
        "d7 ff, 2047",
        "d8, -8",
        "ef, 15",
        "b2, 0.0",
        "b3, 1.0",
        "b4 d010, 16.0",
        "b5 3ff8000000000000, 1.5",
        "b6 48 00040000, 262144.0",
        "b7 3f8ccccd, 1.1",
        "b8 ef, 15",
        "b9 02 3896, 1.50",
        "b9 fb 01, 1E+5",
        "b9 02 be 7fffffffffffffff, 92233720368547758.07",
        "b9 02 bb 09 42ed123b0bd8203a14, 12345678901234567890.12",
        "b9 02 ba ea, 0.10",
        "ba be 8000000000000000, -9223372036854775808",
        "bb 0d 018ee90ff6c373e0ee4e3f0ad2, 123456789012345678901234567890"
    })
    void numbersKeepTheirDigits(String bytes, String json) throws MalformedValueException {
        assertThat(json(bytes)).isEqualTo(json);
        assertThat(text(bytes)).isEqualTo(json);
        assertThat(json("95" + bytes)).isEqualTo("[" + json + "]");
    }

    @ParameterizedTest
    @CsvSource({
        "b5 7ff8000000000000, NaN",
        "b5 7ff0000000000000, Infinity",
        "b7 ff800000, -Infinity",
        "a9 07e40102, 2020-01-02",
        "a7 01020304, 01:02:03.000000004",
        "a8 07e4010203040506, 2020-01-02T03:04:05.000000006",
        "aa 07e40102030405 06 4f '+01:00', 2020-01-02T03:04:05.000000006+01:00",
        "aa 07e40102030405 00 56 'Europe/Berlin', 2020-01-02T03:04:05+01:00[Europe/Berlin]",
        "ab 00000000000005dc, 1970-01-01T00:00:01.500Z",
        "ac ffffffff, 1969-12-31T23:59:59Z",
        "ad 00000001, 1970-01-01T00:01:00Z",
        "ae e1 05, 1970-01-01T00:00:01.000000005Z",
        "90 38 78, x",
        "4b 'ab', ab",
        "92 57'java.time.Year' 00 a6 7f 4d'year' 01 3fe4 a5, 2020",
        "92 5c'java.time.YearMonth' 00 a6 7f 4e'month' 01 01 7f 4d'year' 02 3fe4 a5, 2020-01",
        "92 5b'java.time.MonthDay' 00 a6 7f 4c'day' 01 02 7f 4e'month' 02 01 a5, --01-02",
        "92 50'D$Color' 00 4c'RED', RED"
    })
    void valuesThatJsonCannotExpressAreText(String bytes, String value) throws MalformedValueException {
        assertThat(text(bytes)).isEqualTo(value);
        assertThat(json(bytes)).isEqualTo('"' + value + '"');
        assertThat(text("95" + bytes)).isEqualTo("[\"" + value + "\"]");
    }

    @Test
    void stringsOfEveryEncodingAreTheSameText() throws MalformedValueException {
        String expected = "\"\\\"\u00e9\\u0000\"";
        assertThat(json("4c 22e900")).isEqualTo(expected);
        assertThat(json("79 03 22e900")).isEqualTo(expected);
        assertThat(json("7a 04 22c3a900")).isEqualTo(expected);
        assertThat(json("7b 06 002200e90000")).isEqualTo(expected);
        assertThat(json("7b 08 fffe 2200e9000000")).isEqualTo(expected);
        assertThat(json("7b 08 feff 002200e90000")).isEqualTo(expected);
        assertThat(json("7c 06 2200e9000000")).isEqualTo(expected);
        assertThat(json("7d 06 002200e90000")).isEqualTo(expected);
        assertThat(text("7d 06 002200e90000")).isEqualTo("\"\u00e9\0");
        assertThat(text("4c 22e900")).isEqualTo("\"\u00e9\0");
        assertThat(text("7a 04 22c3a900")).isEqualTo("\"\u00e9\0");
        assertThat(json("7c 04 3dd800de")).isEqualTo("\"\ud83d\ude00\"");
        assertThat(json("7a 04 f09f9880")).isEqualTo("\"\ud83d\ude00\"");
        assertThat(json("7c 06 3dd83dd800de")).isEqualTo("\"\ufffd\ud83d\ude00\"");
        assertThat(json("7d 02 d800")).isEqualTo("\"\ufffd\"");
        assertThat(json("49")).isEqualTo("\"\"");
        assertThat(json("7c 00")).isEqualTo("\"\"");
    }

    @Test
    void binaryDataIsBase64() throws MalformedValueException {
        assertThat(json("91 00")).isEqualTo("\"\"");
        assertThat(json("91 01 ff")).isEqualTo("\"/w==\"");
        assertThat(json("91 02 ff00")).isEqualTo("\"/wA=\"");
        assertThat(text("92 4b'[B' 00 91 04 ff000102")).isEqualTo("\"/wABAg==\"");
    }

    @Test
    void listsAndArraysOfAnyClassAreArrays() throws MalformedValueException {
        assertThat(json("94")).isEqualTo("[]");
        assertThat(json("97 01 4a'a' af")).isEqualTo("[1,\"a\",null]");
        assertThat(json("a4 10" + "01".repeat(16))).isEqualTo("[" + "1,".repeat(15) + "1]");
        assertThat(json("92 50'HashSet' 00 95 92 4b'[I' 01 96 01 02")).isEqualTo("[[1,2]]");
    }

    @Test
    void theFieldsOfObjectsAreNamedOrNumbered() throws MalformedValueException {
        assertThat(
                        json(
                                "96 92 4e'a.B$C' 00 a6 7f 4b'id' 01 05 7f 7c 04 2d4e6100 02 af a5 92 00 a6 7f 01 06 7f 02 b1 a5"))
                .isEqualTo("[{\"id\":5,\"\u4e2da\":null},{\"id\":6,\"\u4e2da\":true}]");
        assertThat(json("a6 a5")).isEqualTo("{}");
    }

    @Test
    void anObjectsClassComesFirstIfItIsAskedFor() throws MalformedValueException {
        ByteBuf in = Hex.buffer("97 92 4c'a.B' 00 a6 a5 92 00 a6 7f 4a'n' 01 01 a5 92 4b'LM' 02 a6 4a'k'"
                + "92 5a'java.util.TreeMap' 03 a6 a5 a5");
        assertThat(json(in, false, ClassNames.WRITE))
                .isEqualTo("[{\"class\":\"a.B\"},{\"class\":\"a.B\",\"n\":1},{\"k\":{}}]");
        assertThat(json(in, false, ClassNames.OMIT)).isEqualTo("[{},{\"n\":1},{\"k\":{}}]");
    }

    @Test
    void theKeyClassOfAGenericResultIsLeftOut() throws MalformedValueException {
        ByteBuf in =
                Hex.buffer("97 a6 4e'class' 4c'a.B' 4a'n' 01 a5 a6 4a'n' 01 4e'class' 4c'a.B' a5 a6 4e'class' 01 a5");
        assertThat(json(in, false, ClassNames.REMOVE)).isEqualTo("[{\"n\":1},{\"n\":1},{\"class\":1}]");
        assertThat(json(in, false, ClassNames.WRITE))
                .isEqualTo("[{\"class\":\"a.B\",\"n\":1},{\"n\":1,\"class\":\"a.B\"},{\"class\":1}]");
        assertThat(json(in, false, ClassNames.OMIT)).contains("\"class\":\"a.B\"");
    }

    @Test
    void keysThatAreNotTextMakeAListOfPairs() throws MalformedValueException {
        assertThat(json("a6 01 4a'a' e2 94 a5")).isEqualTo("[[1,\"a\"],[2,[]]]");
        assertThat(json("a6 4a'a' 95 01 af 4a'b' a5")).isEqualTo("[[\"a\",[1]],[null,\"b\"]]");
        assertThat(json("a6 ac00000001 01 a5")).isEqualTo("[[\"1970-01-01T00:00:01Z\",1]]");
        assertThat(json("a6 92 4c'a.B' 00 a6 7f 4a'n' 01 01 a5 02 a5")).isEqualTo("[[{\"n\":1},2]]");
        assertThat(json("a6 92 50'D$Color' 00 4c'RED' 01 90 38 78 02 a5")).isEqualTo("{\"RED\":1,\"x\":2}");
    }

    @Test
    void mapsThatAreBegunTwiceAtEveryLevelAreBounded() {
        StringBuilder bytes = new StringBuilder("01");
        for (int i = 0; i < 100; i++) {
            bytes.insert(0, "a6 4a'a' ").append(" 02 03 a5");
        }
        assertThatThrownBy(() -> json(bytes.toString())).hasMessageContaining("repeat");
    }

    @Test
    void theTextIsBounded() {
        String zeros = "79 44" + String.format("%04x", 0xffff) + "00".repeat(0xffff);
        assertThatThrownBy(() -> json("99" + zeros.repeat(5))).hasMessageContaining("text");
        ByteBuf binary = Hex.buffer("91 48 00100000").writeZero(MAX);
        assertThatThrownBy(() -> json(binary, false, ClassNames.OMIT)).hasMessageContaining("text");
        ByteBuf nulls = Hex.buffer("a4 48 00040000");
        for (int i = 0; i < MAX / 4; i++) {
            nulls.writeByte(0xaf);
        }
        assertThatThrownBy(() -> json(nulls, false, ClassNames.OMIT)).hasMessageContaining("bytes of text");
    }

    @Test
    void theDepthOfValuesIsBounded() throws MalformedValueException {
        assertThat(json("95".repeat(256) + "01")).hasSize(513);
        assertThatThrownBy(() -> json("95".repeat(257) + "01")).hasMessageContaining("256 values");
        assertThatThrownBy(() -> json("95".repeat(100_000) + "01")).hasMessageContaining("256 values");
        assertThatThrownBy(() -> json("a6 4a'a'".repeat(100_000))).hasMessageContaining("256 values");
        assertThatThrownBy(() -> json("96 93 4d'$[1]'" + "95".repeat(100_000))).hasMessageContaining("256 values");
        assertThatThrownBy(() -> skip("95".repeat(100_000) + "01")).hasMessageContaining("256 values");
    }

    private void skip(String bytes) throws MalformedValueException {
        ByteBuf in = Hex.buffer(bytes);
        reader.reset(in, 0, in.readableBytes());
        reader.skip();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a4 48 7fffffff 01",
                "a4 48 ffffffff",
                "a4 be 7fffffffffffffff",
                "79 48 7fffffff 'a'",
                "79 ff 'a'",
                "91 48 7fffffff",
                "bb 48 7fffffff",
                "bb 00",
                "b9 be 7fffffffffffffff 01",
                "7f 01",
                "92 00 01",
                "92 4a'a' 05 01",
                "92 4a'a' ff 01",
                "a6 7f 4a'a' 01 01 a5",
                "7c 03 616161",
                "7a 02 c328",
                "7e 01 61",
                "90 48 00010000",
                "a9 07e40d01",
                "a7 18 00 00 00",
                "a7 00 00 00 48 7fffffff",
                "aa 07e40102030405 06 4a'?'",
                "ae be 7fffffffffffffff 00",
                "92 57'java.time.Year' 00 a6 4d'year' 4a'x' a5",
                "92 5b'java.time.MonthDay' 00 a6 a5",
                "92 4a'a' 00 92 00 01",
                "a5",
                "95 a5",
                "a6 4a'a' a5",
                "80",
                ""
            })
    void bytesThatAreNotAValueAreAnError(String bytes) {
        assertThatThrownBy(() -> json(bytes)).isInstanceOf(MalformedValueException.class);
    }
}
