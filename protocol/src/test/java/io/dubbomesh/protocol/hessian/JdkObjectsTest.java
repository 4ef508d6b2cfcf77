package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.type.ValueToJson;
import io.dubbomesh.protocol.value.ClassNames;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.testsupport.Hex;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.File;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URL;
import java.sql.Timestamp;
import java.time.DayOfWeek;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Calendar;
import java.util.Currency;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Classes of the JDK whose fields are of no use to a caller. */
class JdkObjectsTest {
    private final HessianReader reader = new HessianReader();
    private final ValueToJson transcoder = new ValueToJson(new HessianValues(reader), 1 << 20);

    private String json(ByteBuf in) throws MalformedValueException {
        ByteBuf out = Unpooled.buffer();
        reader.reset(in, 0, in.readableBytes());
        transcoder.writeJson(out, ClassNames.OMIT);
        assertThat(reader.isAtEnd()).isTrue();
        return out.toString(UTF_8);
    }

    static List<Arguments> valuesAndTheirJson() throws Exception {
        Calendar calendar = new GregorianCalendar(TimeZone.getTimeZone("Asia/Tokyo"));
        calendar.setTimeInMillis(0);
        return List.of(
                Arguments.of(new java.sql.Date(0), "\"1970-01-01T00:00:00Z\""),
                Arguments.of(new java.sql.Time(0), "\"1970-01-01T00:00:00Z\""),
                Arguments.of(new Timestamp(1), "\"1970-01-01T00:00:00.001Z\""),
                Arguments.of(calendar, "\"1970-01-01T00:00:00Z\""),
                Arguments.of(Locale.US, "\"en_US\""),
                Arguments.of(new UUID(1, 2), "\"00000000-0000-0001-0000-000000000002\""),
                Arguments.of(new URL("http://a.example:80/b?c=d#e"), "\"http://a.example:80/b?c=d#e\""),
                Arguments.of(new URL("file:/b"), "\"file:/b\""),
                Arguments.of(URI.create("urn:a:b"), "\"urn:a:b\""),
                Arguments.of(new File("a"), "\"a\""),
                Arguments.of(Currency.getInstance("EUR"), "\"EUR\""),
                Arguments.of(new BigDecimal("-1.50E+30"), "-1.50E+30"),
                Arguments.of(String.class, "\"java.lang.String\""),
                Arguments.of(DayOfWeek.MONDAY, "\"MONDAY\""),
                Arguments.of(EnumSet.of(DayOfWeek.MONDAY, DayOfWeek.FRIDAY), "[\"MONDAY\",\"FRIDAY\"]"),
                Arguments.of(new StringBuilder("a\"b"), "\"a\\\"b\""),
                Arguments.of(new StringBuffer("\u4e2d\ud83d\ude00"), "\"\u4e2d\ud83d\ude00\""),
                Arguments.of(new AtomicInteger(-5), "-5"),
                Arguments.of(new AtomicLong(1L << 40), "1099511627776"),
                Arguments.of(new AtomicBoolean(true), "true"),
                Arguments.of(new AtomicBoolean(), "false"),
                Arguments.of(new AtomicReference<>(new ArrayList<>(List.of(1))), "[1]"),
                Arguments.of(new AtomicIntegerArray(new int[] {1, 2}), "[1,2]"));
    }

    @ParameterizedTest
    @MethodSource("valuesAndTheirJson")
    void objectsThatRepresentOneValueAreThatValue(Object value, String json) throws MalformedValueException {
        assertThat(json(HessianLite.write(value))).isEqualTo(json);
        // What comes behind it must be numbered as hessian-lite does.
        List<Object> list = new ArrayList<>(List.of("x"));
        Object[] behind = {value, list, value, list};
        assertThat(json(HessianLite.write((Object) behind))).isEqualTo("[%1$s,[\"x\"],%1$s,[\"x\"]]".formatted(json));
        List<Object> nested = new ArrayList<>(Arrays.asList(behind));
        assertThat(json(HessianLite.write(new ArrayList<>(List.of(nested, list)))))
                .endsWith("[\"x\"]],[\"x\"]]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'C' 0e'java.util.UUID' 92 0c'leastSigBits' 0b'mostSigBits' 60 e2 e1 | \"00000000-0000-0001-0000-000000000002\"",
                "'C' 30 2e'com.alibaba.com.caucho.hessian.io.LocaleHandle' 93 07'variant' 07'country' 08'language' 60 00 02'US' 02'en' | \"en_US\"",
                "'C' 30 2e'com.alibaba.com.caucho.hessian.io.LocaleHandle' 93 07'variant' 07'country' 08'language' 60 01'v' 00 02'en' | \"en__v\"",
                "'C' 30 2e'com.alibaba.com.caucho.hessian.io.LocaleHandle' 93 07'variant' 07'country' 08'language' 60 00 00 00 | \"\"",
                "'C' 17'java.lang.StringBuilder' 92 05'value' 05'count' 60 05'ab' 00 00 00 92 | \"ab\"",
                "'C' 17'java.lang.StringBuilder' 93 05'value' 05'count' 05'coder' 60 24 2d4e 6100 91 91 | \"\u4e2d\"",
            })
    void theFieldsOfOlderLibrariesAndJdksAreReadToo(String bytes, String json) throws MalformedValueException {
        assertThat(json(Hex.buffer(bytes))).isEqualTo(json);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'C' 0e'java.util.UUID' 92 01'a' 01'b' 60 90 90",
                "'C' 17'java.lang.StringBuilder' 92 05'value' 05'count' 60 02'ab' 93",
                "'C' 17'java.lang.StringBuilder' 92 05'value' 05'count' 60 02'ab' 8f",
                "'C' 30 30'com.alibaba.com.caucho.hessian.io.CalendarHandle' 91 04'type' 60 'N'",
                "'C' 30 29'java.util.concurrent.atomic.AtomicBoolean' 91 05'value' 60 'N'",
            })
    void missingFieldsAreADeclaredError(String bytes) {
        assertThatThrownBy(() -> json(Hex.buffer(bytes))).isInstanceOf(MalformedValueException.class);
    }

    @Test
    void collectionsThatHessianLiteEmptiesAreAnErrorRatherThanAWrongAnswer() {
        assertThatThrownBy(() -> json(HessianLite.write(List.of(1, 2)))).hasMessageContaining("immutable collection");
    }

    @Test
    void theInsideOfAnObjectIsNotItsValue() {
        String longName = "'" + "x".repeat(254) + "'";
        for (String fields : new String[] {"92 01'a' 01'b'", "92 30 fe" + longName + "01'b'"}) {
            assertThatThrownBy(() -> json(Hex.buffer("'C' 14'java.util.SimpleZone'" + fields + "60 90 91")))
                    .isInstanceOf(MalformedValueException.class)
                    .hasMessageContaining("a java.util.SimpleZone, whose fields are not its value");
        }
    }

    @Test
    void bitsAreTheNumbersOfThoseThatAreSet() throws MalformedValueException {
        BitSet bits = new BitSet();
        assertThat(json(HessianLite.write(bits))).isEqualTo("[]");
        bits.set(0);
        bits.set(63);
        bits.set(130);
        assertThat(json(HessianLite.write(bits))).isEqualTo("[0,63,130]");
    }

    @Test
    void theSerializedFormOfACollectionIsNotItsValue() throws MalformedValueException {
        String list = "'C' 1f'com.exampl.Fixed$SerializedForm' 91 08'elements' 60 7a 91 92";
        assertThat(json(Hex.buffer(list))).isEqualTo("[1,2]");
        String sorted = "'C' 1f'com.exampl.Fixed$SerializedForm' 92 0a'comparator' 08'elements' 60 'N' 7a 91 92";
        assertThat(json(Hex.buffer(sorted))).isEqualTo("[1,2]");
        String map = "'C' 1f'com.exampl.Fixed$SerializedForm' 92 06'values' 04'keys' 60 7a";
        assertThat(json(Hex.buffer(map + "01'x' 92 7a 01'a' 01'b'"))).isEqualTo("{\"a\":\"x\",\"b\":2}");
        assertThat(json(Hex.buffer(map + "01'x' 92 7a 91 01'b'"))).isEqualTo("[[1,\"x\"],[\"b\",2]]");
        assertThat(json(Hex.buffer("7a" + map + "01'x' 92 7a 01'a' 01'b' 'Q' 91")))
                .isEqualTo("[{\"a\":\"x\",\"b\":2},{\"a\":\"x\",\"b\":2}]");
        assertThatThrownBy(() -> json(Hex.buffer(map + "01'x' 92 79 01'a'"))).hasMessageContaining("not as many");
        String other = "'C' 30 23'com.example.Span$SerializationProxy' 92 04'from' 02'to' 60 91 92";
        assertThatThrownBy(() -> json(Hex.buffer(other)))
                .hasMessageContaining("a com.example.Span$SerializationProxy, whose fields are not its value");
    }

    /** A class that replaces an object is nested in that of the object. */
    @Test
    void aClassOfItsOwnMayBeNamedAsASerializedForm() throws MalformedValueException {
        assertThat(json(Hex.buffer("'C' 1a'com.example.SerializedForm' 91 08'elements' 60 79 91")))
                .isEqualTo("{\"elements\":[1]}");
        assertThat(json(Hex.buffer("'C' 1b'com.exa.OrderSerializedForm' 92 02'id' 04'text' 60 91 01'x'")))
                .isEqualTo("{\"id\":1,\"text\":\"x\"}");
    }
}
