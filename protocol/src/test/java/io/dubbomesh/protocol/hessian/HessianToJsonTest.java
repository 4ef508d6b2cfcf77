package io.dubbomesh.protocol.hessian;

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

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
// The field types are those whose bytes are looked at; javac 25 says more of them than 17.
@SuppressWarnings("serial")
class HessianToJsonTest {
    private static final int MAX = 1 << 20;

    private final HessianReader reader = new HessianReader();
    private final ValueToJson transcoder = new ValueToJson(new HessianValues(reader), MAX);

    private String json(ByteBuf in) throws MalformedValueException {
        return json(in, ClassNames.OMIT);
    }

    private String json(ByteBuf in, ClassNames classNames) throws MalformedValueException {
        ByteBuf out = Unpooled.copiedBuffer("<", UTF_8);
        reader.reset(in, 0, in.readableBytes());
        transcoder.writeJson(out, classNames);
        assertThat(reader.isAtEnd()).isTrue();
        return out.toString(UTF_8).substring(1);
    }

    private String json(String bytes) throws MalformedValueException {
        return json(Hex.buffer(bytes));
    }

    private String jsonOf(Object value) throws MalformedValueException {
        return json(HessianLite.write(value));
    }

    private String text(String bytes) throws MalformedValueException {
        ByteBuf out = Unpooled.buffer();
        ByteBuf in = Hex.buffer(bytes);
        reader.reset(in, 0, in.readableBytes());
        transcoder.writeText(out, ClassNames.OMIT, DeclaredType.UNKNOWN);
        assertThat(reader.isAtEnd()).isTrue();
        return out.toString(UTF_8);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'N' | null | null",
                "'T' | true | true",
                "'F' | false | false",
                "4905e918d2 | 99162322 | 99162322",
                "4980000000 | -2147483648 | -2147483648",
                "90 | 0 | 0",
                "c7f6 | -10 | -10",
                "4c8000000000000000 | -9223372036854775808 | -9223372036854775808",
                "4c7fffffffffffffff | 9223372036854775807 | 9223372036854775807",
                "5f000005dc | 1.5 | 1.5",
                "447e37e43c8800759c | 1.0E300 | 1.0E300",
                "447ff8000000000000 | \"NaN\" | NaN",
                "44fff0000000000000 | \"-Infinity\" | -Infinity",
                "4b00000000 | \"1970-01-01T00:00:00Z\" | 1970-01-01T00:00:00Z",
                "4a000000d04b9284b8 | \"1998-05-08T09:51:31Z\" | 1998-05-08T09:51:31Z",
                "05'a\"b\\c' | \"a\\\"b\\\\c\" | a\"b\\c",
                "00 | \"\" | ``",
                "04 e4b8ad e697a5 0a 7f | `\"\u4e2d\u65e5\\n\u007f\"` | `\u4e2d\u65e5\n\u007f`",
                "05 eda0bdedb880 00 1f 61 | `\"\ud83d\ude00\\u0000\\u001fa\"` | `\ud83d\ude00\u0000\u001fa`",
                "04 08 0c 0d 09 | \"\\b\\f\\r\\t\" | `\b\f\r\t`",
                "20 | \"\" | \"\"",
                "21 01 | \"AQ==\" | \"AQ==\"",
                "410001 01 410003 020304 22 0506 | \"AQIDBAUG\" | \"AQIDBAUG\"",
                "79 01'a' | [\"a\"] | [\"a\"]",
            })
    void scalarsAreTextOrJson(String bytes, String json, String text) throws MalformedValueException {
        assertThat(json(bytes)).isEqualTo(json);
        assertThat(text(bytes)).isEqualTo(text);
    }

    @Test
    void longStringsAreEscapedWhereverItIsNeeded() throws MalformedValueException {
        for (int at = 0; at < 20; at++) {
            for (char special : "\"\\\n\u0000\u00fc\u4e2d".toCharArray()) {
                String value = "x".repeat(at) + special + "y".repeat(20 - at);
                String escaped = "\"" + value + "\"";
                escaped = switch (special) {
                    case '"' -> "\"" + value.replace("\"", "\\\"") + "\"";
                    case '\\' -> escaped.replace("\\", "\\\\");
                    case '\n' -> escaped.replace("\n", "\\n");
                    case 0 -> escaped.replace("\u0000", "\\u0000");
                    default -> escaped;
                };
                assertThat(jsonOf(value)).isEqualTo(escaped);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "78 | []",
                "'W' 'Z' | []",
                "'W' 91 'N' 'Z' | [1,null]",
                "'V' 04 '[int' 92 91 92 | [1,2]",
                "'H' 'Z' | {}",
                "'H' 01'a' 91 01'b' 'H' 'Z' 'Z' | {\"a\":1,\"b\":{}}",
                "'M' 01't' 01'\"' 91 'Z' | {\"\\\"\":1}",
                "'H' 91 01'b' 'Z' | [[1,\"b\"]]",
                "'H' 01'a' 91 92 'T' 'Z' | [[\"a\",1],[2,true]]",
                "'H' 'N' 91 'Z' | [[null,1]]",
                "'C' 01'A' 92 01'x' 01'y' 60 91 'N' | {\"x\":1,\"y\":null}",
                "'C' 01'A' 90 60 | {}",
                "7a 'C' 01'A' 91 01'x' 60 91 'Q' 91 | [{\"x\":1},{\"x\":1}]",
                "'C' 01'E' 91 04'name' 60 91 | {\"name\":1}",
                "'C' 01'E' 91 04'name' 'H' 60 03'RED' 91 'Z' | {\"RED\":1}",
            })
    void listsMapsAndObjects(String bytes, String json) throws MalformedValueException {
        assertThat(json(bytes)).isEqualTo(json);
        assertThat(text(bytes)).isEqualTo(json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'C' 01'E' 91 04'name' 60 03'RED' | \"RED\" | RED",
                "'C' 0e'java.util.UUID' 91 05'value' 60 01'x' | \"x\" | x",
                "'C' 12'java.sql.Timestamp' 91 05'value' 60 4b00000000 | \"1970-01-01T00:00:00Z\" | 1970-01-01T00:00:00Z",
                "'C' 30 32 'com.alibaba.com.caucho.hessian.io.java8.YearHandle' 91 04'year' 60 cfe4 | \"2020\" | 2020",
                "'C' 30 2b'java.util.concurrent.atomic.AtomicReference' 91 05'value' 60 79 01'a' | [\"a\"] | [\"a\"]",
            })
    void objectsThatRepresentAScalarAreTextOrJsonToo(String bytes, String json, String text)
            throws MalformedValueException {
        assertThat(json(bytes)).isEqualTo(json);
        assertThat(text(bytes)).isEqualTo(text);
    }

    enum Color {
        RED,
        GREEN
    }

    static final class Car implements Serializable {
        private static final long serialVersionUID = 1L;
        final String model = "a \"b\"";
        final int doors = 4;
        final long mileage = 1L << 40;
        final Color color = Color.GREEN;
        final Date built = new Date(0);
        final byte[] plate = {1, 2, 3};
        final BigDecimal price = new BigDecimal("19999.90");
        final List<Object> extras = new ArrayList<>();
        final Map<String, Object> notes = new TreeMap<>(Map.of("k", 1.25));
        Object previous;
    }

    @Test
    void objectsAreReadAsHessianLiteWritesThem() throws MalformedValueException {
        Car car = new Car();
        car.extras.add(new int[] {1, -1});
        car.extras.add(null);
        String one = jsonOf(car);
        assertThat(one)
                .contains("\"model\":\"a \\\"b\\\"\"")
                .contains("\"doors\":4")
                .contains("\"mileage\":1099511627776")
                .contains("\"color\":\"GREEN\"")
                .contains("\"built\":\"1970-01-01T00:00:00Z\"")
                .contains("\"plate\":\"AQID\"")
                .contains("\"price\":19999.90")
                .contains("\"extras\":[[1,-1],null]")
                .contains("\"notes\":{\"k\":1.25}")
                .contains("\"previous\":null");
        assertThat(jsonOf(new ArrayList<>(List.of(car, car, Color.GREEN, Color.GREEN))))
                .isEqualTo("[" + one + "," + one + ",\"GREEN\",\"GREEN\"]");
        Car next = new Car();
        next.previous = car;
        assertThat(jsonOf(new ArrayList<>(List.of(car, next)))).contains("\"previous\":" + one);
    }

    @Test
    void objectsOfOneClassHaveTheirNamesEachTime() throws MalformedValueException {
        String classes = "'C' 01'A' 92 02'x\"' 01'y' 'C' 01'B' 90 'C' 01'C' 91 33 ff'" + "z".repeat(1023) + "'";
        String a = "{\"x\\\"\":1,\"y\":2}";
        String c = "{\"" + "z".repeat(1023) + "\":3}";
        assertThat(json("'X' 9b" + classes + "60 91 92 61 60 91 92 61 60 91 92 62 93 62 93 62 93 60 91 92 61 60 91 92"))
                .isEqualTo("[" + String.join(",", a, "{}", a, "{}", a, c, c, c, a, "{}", a) + "]");
        // An object within another of its class.
        assertThat(json("7a" + classes + "60 91 92 60 60 91 92 'N'"))
                .isEqualTo("[" + a + ",{\"x\\\"\":" + a + ",\"y\":null}]");
        // Another stream, in which the same number is of another class.
        assertThat(json("7b 'C' 01'D' 91 01'd' 60 91 60 92 60 93")).isEqualTo("[{\"d\":1},{\"d\":2},{\"d\":3}]");
    }

    @Test
    void namesBeyondThoseThatAreKeptAreWrittenToo() throws MalformedValueException {
        ByteBuf in = Unpooled.buffer();
        HessianWriter writer = new HessianWriter().reset(in);
        writer.beginList(3 * 40);
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < 3 * 40; i++) {
            String[] fields = new String[100];
            for (int field = 0; field < fields.length; field++) {
                fields[field] = "aNameOfThirtyCharsOrSoInAll" + field;
            }
            writer.beginObject("C" + i % 40, fields);
            for (int field = 0; field < fields.length; field++) {
                writer.writeInt(i);
                expected.append(field == 0 ? ",{" : ",")
                        .append('"')
                        .append(fields[field])
                        .append("\":")
                        .append(i);
            }
            expected.append('}');
        }
        assertThat(json(in)).isEqualTo("[" + expected.substring(1) + "]");
    }

    @Test
    void aBigIntegerIsItsDigits() throws MalformedValueException {
        BigInteger big = new BigInteger("123456789012345678901234567890");
        List<BigInteger> values = List.of(
                big,
                big.negate(),
                BigInteger.ZERO,
                BigInteger.ONE.negate(),
                BigInteger.TWO.pow(32),
                BigInteger.TWO.pow(8191));
        assertThat(jsonOf(new ArrayList<>(values))).isEqualTo(values.toString().replace(" ", ""));
        assertThatThrownBy(() -> jsonOf(BigInteger.TWO.pow(1024 * 32))).hasMessageContaining("1025 words");
    }

    @Test
    void keysThatCanBeTextMakeAnObject() throws MalformedValueException {
        Map<Color, Integer> colors = new EnumMap<>(Color.class);
        colors.put(Color.RED, 1);
        colors.put(Color.GREEN, 2);
        assertThat(jsonOf(new ArrayList<>(List.of(colors, colors))))
                .isEqualTo("[" + "{\"RED\":1,\"GREEN\":2},".repeat(2).replaceAll(",$", "") + "]");
        assertThat(jsonOf(new ArrayList<>(List.of(Color.RED, colors)))).isEqualTo("[\"RED\",{\"RED\":1,\"GREEN\":2}]");
        Map<Object, Object> mixed = new LinkedHashMap<>();
        mixed.put("a", new Car());
        mixed.put(1L, List.class);
        assertThat(jsonOf(mixed)).startsWith("[[\"a\",{").endsWith("],[1,\"java.util.List\"]]");
    }

    @Test
    void aValueThatContainsItselfIsAnError() {
        List<Object> list = new ArrayList<>();
        list.add(new ArrayList<>(List.of(list)));
        assertThatThrownBy(() -> jsonOf(list)).hasMessageContaining("contains itself");
        Car car = new Car();
        car.previous = car;
        assertThatThrownBy(() -> jsonOf(car)).hasMessageContaining("contains itself");
        assertThatThrownBy(() -> json("'H' 01'a' 'Q' 90 'Z'")).hasMessageContaining("contains itself");
        assertThatThrownBy(() -> json("'H' 'Q' 90 01'a' 'Z'")).hasMessageContaining("contains itself");
    }

    @ParameterizedTest
    @ValueSource(strings = {"01", "1.", "", "+1", "1e", "NaN", "1 ", "0x1", "1\"", "--1", "-"})
    void aBigDecimalThatIsNotAJsonNumberIsAnError(String value) {
        String bytes = "'C' 14 'java.math.BigDecimal' 91 05 'value' 60 0" + value.length() + "'" + value + "'";
        assertThatThrownBy(() -> json(bytes)).isInstanceOf(MalformedValueException.class);
    }

    @Test
    void theTextIsBounded() {
        ByteBuf in = HessianLite.write("\u0000".repeat(MAX / 5));
        assertThatThrownBy(() -> json(in)).isInstanceOf(MalformedValueException.class);
        assertThatThrownBy(() -> jsonOf(new byte[MAX])).isInstanceOf(MalformedValueException.class);
        assertThatThrownBy(() -> jsonOf(Collections.nCopies(MAX / 4, null).toArray()))
                .hasMessageContaining("bytes of text");
    }

    @Test
    void listsThatDoubleEachOtherAreBounded() {
        Object list = new ArrayList<>(List.of("x"));
        for (int i = 0; i < 100; i++) {
            list = new ArrayList<>(Arrays.asList(list, list));
        }
        ByteBuf in = HessianLite.write(list);
        assertThatThrownBy(() -> json(in)).isInstanceOf(MalformedValueException.class);
    }

    @Test
    void bytesReadAgainWithoutMakingTextAreBounded() {
        // A list with a long name for its type and nothing in it, again and again.
        ByteBuf in = Unpooled.buffer();
        HessianWriter writer = new HessianWriter().reset(in);
        writer.beginList(100_000);
        in.writeByte('V');
        writer.writeString("t".repeat(1_000_000));
        writer.writeInt(0);
        for (int i = 1; i < 100_000; i++) {
            in.writeByte('Q').writeByte(0x91);
        }
        assertThatThrownBy(() -> json(in)).hasMessageContaining("repeat");
    }

    @Test
    void mapsThatAreBegunTwiceAtEveryLevelAreBounded() {
        StringBuilder bytes = new StringBuilder("91");
        for (int i = 0; i < 100; i++) {
            bytes.insert(0, "'H' 01'a' ").append(" 92 93 'Z'");
        }
        assertThatThrownBy(() -> json(bytes.toString())).hasMessageContaining("repeat");
    }

    @Test
    void theDepthOfValuesIsBounded() {
        assertThatThrownBy(() -> json("79".repeat(100_000) + "90")).hasMessageContaining("256 values");
        assertThatThrownBy(() -> json("'H' 01'a' ".repeat(100_000))).hasMessageContaining("256 values");
    }

    /** Hessian sends those of the superclass first. */
    @Test
    void aFieldThatASubclassHidesIsLeftOut() throws MalformedValueException {
        String definition = "'C' 01'A' 93 02'id' 04'name' 02'id'";
        assertThat(json(definition + "60 91 92 93")).isEqualTo("{\"name\":2,\"id\":3}");
        assertThat(json("7b" + definition + "60 91 92 93 60 'N' 79 60 'N' 'N' 95 'N' 60 91 92 'Q' 91"))
                .isEqualTo("[{\"name\":2,\"id\":3},{\"name\":[{\"name\":null,\"id\":5}],\"id\":null},"
                        + "{\"name\":2,\"id\":{\"name\":2,\"id\":3}}]");
        assertThat(json("'C' 01'A' 92 02'ab' 02'ba' 60 91 92")).isEqualTo("{\"ab\":1,\"ba\":2}");
        assertThat(json(HessianLite.write(new Hiding()), ClassNames.WRITE))
                .isEqualTo("{\"class\":\"" + Hiding.class.getName() + "\",\"number\":1,\"text\":\"own\"}");
    }

    private static class Hidden implements Serializable {
        private static final long serialVersionUID = 1L;
        final int number = Integer.parseInt("1");
        final String text = String.valueOf("inherited");
    }

    private static final class Hiding extends Hidden {
        private static final long serialVersionUID = 1L;
        final String text = String.valueOf("own");
    }

    @Test
    void aClassMayHaveManyFields() throws MalformedValueException {
        for (int count : new int[] {1, 2, 31, 64, 65, 1024, 2000}) {
            StringBuilder bytes = new StringBuilder("'C' 01'A' 49" + String.format("%08x", count));
            StringBuilder expected = new StringBuilder();
            for (int i = 0; i < count; i++) {
                bytes.append(String.format("05'f%04d'", i));
                expected.append(i == 0 ? '{' : ',').append(String.format("\"f%04d\":null", i));
            }
            assertThat(json(bytes + "60" + "'N'".repeat(count))).isEqualTo(expected + "}");
        }
    }
}
