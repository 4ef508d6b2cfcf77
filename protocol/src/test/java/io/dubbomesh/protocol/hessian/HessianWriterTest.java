package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.testsupport.Hex;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.util.Calendar;
import java.util.Currency;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HessianWriterTest {
    private final ByteBuf out = Unpooled.buffer();
    private final HessianWriter writer = new HessianWriter().reset(out);

    @Test
    void nullAndBooleansAreLetters() {
        writer.writeNull();
        writer.writeBoolean(true);
        writer.writeBoolean(false);
        assertThat(Hex.of(out)).isEqualTo("4e5446");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 90",
        "47, bf",
        "-16, 80",
        "48, c830",
        "-17, c7ef",
        "2047, cfff",
        "-2048, c000",
        "2048, d40800",
        "-2049, d3f7ff",
        "262143, d7ffff",
        "-262144, d00000",
        "262144, 4900040000",
        "-262145, 49fffbffff",
        "99162322, 4905e918d2",
        "2147483647, 497fffffff",
        "-2147483648, 4980000000"
    })
    void intsTakeTheirShortestForm(int value, String bytes) {
        writer.writeInt(value);
        assertThat(Hex.of(out)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({
        "0, e0",
        "15, ef",
        "-8, d8",
        "16, f810",
        "-9, f7f7",
        "2047, ffff",
        "-2048, f000",
        "2048, 3c0800",
        "-2049, 3bf7ff",
        "262143, 3fffff",
        "-262144, 380000",
        "262144, 5900040000",
        "2147483647, 597fffffff",
        "-2147483648, 5980000000",
        "2147483648, 4c0000000080000000",
        "-9223372036854775808, 4c8000000000000000"
    })
    void longsTakeTheirShortestForm(long value, String bytes) {
        writer.writeLong(value);
        assertThat(Hex.of(out)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 5b",
        "1, 5c",
        "-1, 5dff",
        "127, 5d7f",
        "-128, 5d80",
        "128, 5e0080",
        "-32768, 5e8000",
        "1.5, 5f000005dc",
        "32768, 5f01f40000",
        "12.25, 5f00002fda",
        "-0.0, 448000000000000000",
        "0.009, 443f826e978d4fdf3b",
        "NaN, 447ff8000000000000",
        "Infinity, 447ff0000000000000",
        "1e300, 447e37e43c8800759c"
    })
    void doublesTakeTheirShortestFormThatIsExact(double value, String bytes) {
        writer.writeDouble(value);
        assertThat(Hex.of(out)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 4b00000000",
        "60000, 4b00000001",
        "-60000, 4bffffffff",
        "894621091000, 4a000000d04b9284b8",
        "128849018880000, 4a0000753000000000"
    })
    void datesAreInMinutesWhereThatIsExact(long epochMs, String bytes) {
        writer.writeDate(epochMs);
        assertThat(Hex.of(out)).isEqualTo(bytes);
    }

    /** Compares with the bytes of hessian-lite 4.0.4. */
    @Test
    void aCalendarIsAnObjectOfItsOwnClassWithItsMoment() {
        for (String name : List.of("java.util.Calendar", "java.util.GregorianCalendar")) {
            out.clear();
            writer.reset(out).writeDate(name, 0x18b_cfe5_6800L);
            assertThat(out)
                    .isEqualTo(Hex.buffer(
                            "'C' 30 30'com.alibaba.com.caucho.hessian.io.CalendarHandle' 92 04'date' 04'type'"
                                    + " 60 4a 0000018bcfe56800 'N'"));
            Calendar calendar = new GregorianCalendar();
            calendar.setTimeInMillis(0x18b_cfe5_6800L);
            assertThat(HessianLite.read(out)).isEqualTo(calendar);
        }
    }

    @ParameterizedTest
    @MethodSource("textsOfTheJdkAndTheirBytes")
    void aTextOfTheJdkIsAnObjectThatHessianLiteMakesItsValueOf(Object value, String bytes) {
        writer.writeText(value.getClass().getName(), value.toString());

        assertThat(out).isEqualTo(Hex.buffer(bytes));
        // Earlier versions of hessian-lite set only the text of a URI, for every sender.
        assertThat(HessianLite.read(out)).isInstanceOf(value.getClass()).hasToString(value.toString());
    }

    static List<Arguments> textsOfTheJdkAndTheirBytes() {
        String locale = "'C' 30 2e'com.alibaba.com.caucho.hessian.io.LocaleHandle'"
                + " 94 05'value' 07'variant' 07'country' 08'language' 60";
        return List.of(
                Arguments.of(
                        UUID.fromString("0f8fad5b-d9cb-469f-a165-70867728950e"),
                        "'C' 0e'java.util.UUID' 91 0b'mostSigBits' 60 30 24'0f8fad5b-d9cb-469f-a165-70867728950e'"),
                Arguments.of(URI.create("urn:a:b"), "'C' 0c'java.net.URI' 91 06'string' 60 07'urn:a:b'"),
                Arguments.of(Currency.getInstance("EUR"), "'C' 12'java.util.Currency' 91 0c'currencyCode' 60 03'EUR'"),
                Arguments.of(Locale.US, locale + "05'en_US' 00 02'US' 02'en'"),
                Arguments.of(Locale.ENGLISH, locale + "02'en' 00 00 02'en'"),
                Arguments.of(new Locale("en", "", "v"), locale + "05'en__v' 01'v' 00 02'en'"),
                Arguments.of(Locale.ROOT, locale + "00 00 00 00"));
    }

    @Test
    void aDateOfSqlIsAnObjectWithItsMoment() {
        writer.writeDate("java.util.Date", 0);
        writer.writeDate("java.sql.Timestamp", 0);
        writer.writeDate("java.sql.Timestamp", 1);
        assertThat(out)
                .isEqualTo(Hex.buffer(
                        "4b 00000000 'C' 12'java.sql.Timestamp' 91 05'value' 60 4b 00000000 60 4a 0000000000000001"));
    }

    @ParameterizedTest
    @CsvSource({
        "'', 00",
        "hello, 0568656c6c6f",
        "\u00fc\u4e2d, 02c3bce4b8ad",
        "\ud83d\ude00, 02eda0bdedb880",
        "a\u0000b, 03610062"
    })
    void stringsCountCharsAndSplitTheLargeOnes(String value, String bytes) throws Exception {
        writer.writeString(value);
        assertThat(Hex.of(out)).isEqualTo(bytes);

        writer.reset(out.clear());
        ByteBuf utf8 = Unpooled.copiedBuffer("<" + value + ">", UTF_8);
        writer.writeUtf8(utf8, 1, utf8.readableBytes() - 2);
        assertThat(Hex.of(out)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({"31, 1f", "32, 3020", "1023, 33ff", "1024, 530400", "32768, 538000", "32769, 52800061"})
    void stringsHaveALengthOfOneTwoOrThreeBytes(int chars, String head) throws Exception {
        String value = "a".repeat(chars);
        writer.writeString(value);
        assertThat(Hex.of(out)).startsWith(head + "61");
        ByteBuf fromChars = out.copy();

        writer.reset(out.clear());
        ByteBuf utf8 = Unpooled.copiedBuffer(value, UTF_8);
        writer.writeUtf8(utf8, 0, utf8.readableBytes());
        assertThat(out).isEqualTo(fromChars);
    }

    @Test
    void aChunkNeverEndsWithinAPair() throws Exception {
        String value = "a".repeat(32767) + "\ud83d\ude00" + "b";
        writer.writeString(value);
        assertThat(out.slice(0, 3)).isEqualTo(Hex.buffer("52 7fff"));
        assertThat(out.slice(3 + 32767, out.readableBytes() - 3 - 32767)).isEqualTo(Hex.buffer("03 eda0bd edb880 62"));
        ByteBuf fromChars = out.copy();

        writer.reset(out.clear());
        ByteBuf utf8 = Unpooled.copiedBuffer(value, UTF_8);
        writer.writeUtf8(utf8, 0, utf8.readableBytes());
        assertThat(out).isEqualTo(fromChars);
    }

    @ParameterizedTest
    @CsvSource({
        "80",
        "c3",
        "c0af",
        "c1bf",
        "e08080",
        "e4b8",
        "eda080",
        "edbfbf",
        "f0808080",
        "f09f98",
        "f4908080",
        "f5808080",
        "ff",
        "c341",
        "e4b841",
        "6161616161616161c3"
    })
    void textThatIsNotUtf8IsRefusedBeforeAnythingIsWritten(String bytes) {
        ByteBuf in = Hex.buffer(bytes);
        assertThatThrownBy(() -> writer.writeUtf8(in, 0, in.readableBytes()))
                .isInstanceOf(MalformedValueException.class);
        assertThat(out.isReadable()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"0, 20", "15, 2f", "16, 3410", "1023, 37ff", "1024, 420400", "32768, 428000", "32769, 418000"})
    void binaryDataHasALengthOfOneTwoOrThreeBytes(int length, String head) {
        byte[] value = new byte[length];
        writer.writeBinary(value);
        assertThat(Hex.of(out)).startsWith(head);
        ByteBuf fromArray = out.copy();

        writer.reset(out.clear());
        writer.writeBinary(Unpooled.wrappedBuffer(value), 0, length);
        assertThat(out).isEqualTo(fromArray);
    }

    @Test
    void listsHaveTheirLength() {
        writer.beginList(0);
        writer.beginList(7);
        writer.beginList(8);
        int begin = writer.beginList();
        writer.writeInt(1);
        writer.writeInt(2);
        writer.endList(begin, 2);
        assertThat(Hex.of(out)).isEqualTo("78" + "7f" + "5898" + "5849000000029192");
    }

    @Test
    void typesAreNamedOnceAndThenReferredTo() {
        writer.beginList("[int", 0);
        writer.beginList("[int", 7);
        writer.beginList("[int", 8);
        writer.endList(writer.beginList("[long"), 0);
        writer.beginMap("a.B");
        writer.endMap();
        writer.beginMap("a.B");
        writer.endMap();
        assertThat(out)
                .isEqualTo(Hex.buffer(
                        "70 04'[int' 77 90 'V' 90 98 'V' 05'[long' 'I' 00000000" + "'M' 03'a.B' 'Z' 'M' 92 'Z'"));

        writer.reset(out.clear());
        writer.beginList("[long", 0);
        assertThat(out).isEqualTo(Hex.buffer("70 05'[long'"));
    }

    @Test
    void classesAreDefinedOnceWithTheirFields() {
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 17; j++) {
                writer.beginObject("C" + (char) ('a' + j));
            }
        }
        StringBuilder bytes = new StringBuilder();
        for (int j = 0; j < 16; j++) {
            bytes.append("'C' 02'C%c' 90 6%x".formatted('a' + j, j));
        }
        bytes.append("'C' 02'Cq' 90 'O' a0");
        bytes.append("60 61 62 63 64 65 66 67 68 69 6a 6b 6c 6d 6e 6f 'O' a0");
        assertThat(out).isEqualTo(Hex.buffer(bytes.toString()));

        writer.reset(out.clear());
        writer.beginObject("A", "x");
        writer.beginObject("A", "y");
        writer.beginObject("A", "x");
        assertThat(out).isEqualTo(Hex.buffer("'C' 01'A' 91 01'x' 60 'C' 01'A' 91 01'y' 61 60"));
    }

    @Test
    void anythingWithValuesInItCanBeReferredTo() {
        writer.writeString("x");
        writer.beginList(1);
        writer.writeBigInteger(BigInteger.ONE);
        writer.writeTime(YearMonth.of(2020, 2));
        assertThat(writer.begun()).isEqualTo(4);
        writer.beginMap();
        writer.writeReference(4);
        writer.writeReference(300);
        assertThat(Hex.of(out)).endsWith("48" + "5194" + "51c92c");
        assertThat(writer.reset(out.clear()).begun()).isZero();
    }

    @Test
    void hessianLiteFindsWhatIsReferredTo() {
        writer.beginList("java.util.ArrayList", 9);
        writer.writeBigDecimal(BigDecimal.ONE);
        writer.writeBigInteger(BigInteger.TEN);
        writer.writeTime(LocalDateTime.of(2020, 2, 3, 4, 5));
        writer.writeEnum("java.lang.Thread$State", "NEW");
        writer.writeDate(0);
        int map = writer.begun();
        writer.beginMap();
        writer.writeKey("me");
        writer.writeReference(map);
        writer.endMap();
        writer.writeReference(map);
        writer.beginObject("java.util.concurrent.atomic.AtomicLong", "value");
        writer.writeLong(7);
        writer.writeReference(0);

        List<?> list = (List<?>) HessianLite.read(out);
        assertThat(list.get(3)).isEqualTo(Thread.State.NEW);
        assertThat(list.get(6)).isSameAs(list.get(5)).isInstanceOf(Map.class);
        assertThat(((Map<?, ?>) list.get(5)).get("me")).isSameAs(list.get(5));
        assertThat(list.get(7)).hasToString("7");
        assertThat(list.get(8)).isSameAs(list);
    }

    @Test
    void mapsHaveAnEnd() {
        writer.beginMap();
        writer.writeKey("a");
        writer.writeInt(1);
        writer.endMap();
        assertThat(out).isEqualTo(Hex.buffer("'H' 01 'a' 91 'Z'"));
    }

    @Test
    void aBigDecimalIsAnObjectWhoseClassIsDefinedOnce() {
        writer.writeBigDecimal(new BigDecimal("1.50"));
        writer.writeBigDecimal(BigDecimal.ONE);
        assertThat(out).isEqualTo(Hex.buffer("'C' 14 'java.math.BigDecimal' 91 05 'value' 60 04 '1.50' 60 01 '1'"));

        writer.reset(out.clear());
        writer.writeBigDecimal(BigDecimal.ONE);
        assertThat(out).isEqualTo(Hex.buffer("'C' 14 'java.math.BigDecimal' 91 05 'value' 60 01 '1'"));
    }

    @Test
    void aBigIntegerIsItsSignAndItsWords() {
        writer.writeBigDecimal(BigDecimal.ONE);
        out.clear();
        writer.writeBigInteger(BigInteger.TWO.pow(32).negate());
        writer.writeBigInteger(BigInteger.ZERO);
        assertThat(out)
                .isEqualTo(Hex.buffer("'C' 14 'java.math.BigInteger' 92 06 'signum' 03 'mag' 61 8f 7a 91 90 61 90 78"));
    }

    /** Each level moves all that is inside. */
    @Test
    void aLongValueDeepInRecordsIsRefused() {
        for (int i = 0; i < 200; i++) {
            writer.beginRecord("P");
        }
        writer.writeString("a".repeat(1 << 20));

        assertThatThrownBy(() -> {
                    for (int i = 0; i < 200; i++) {
                        writer.endRecord(List.of("next"));
                    }
                })
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("too long for their depth");
    }

    @Test
    void aRecordIsAnObjectWhoseDefinitionHasTheNamesThatWereWritten() {
        writer.writeInt(0);
        writer.beginRecord("P");
        writer.writeComponentName("x");
        writer.writeInt(1);
        writer.writeComponentName("e");
        writer.writeEnum("E", "A");
        writer.endRecord(List.of("x", "e"));
        writer.writeEnum("E", "B");

        assertThat(out)
                .isEqualTo(Hex.buffer("90 'C' 01'P' 92 01'x' 01'e' 60 91 'C' 01'E' 91 04'name' 61 01'A' 61 01'B'"));
    }

    @Test
    void recordsInEachOtherAreDefinedFromTheOutside() {
        writer.beginRecord("P");
        writer.writeComponentName("q");
        writer.beginRecord("Q");
        writer.writeComponentName("l");
        int list = writer.beginList();
        writer.beginRecord("P");
        writer.endRecord(List.of());
        writer.endList(list, 1);
        writer.endRecord(List.of("l"));
        writer.endRecord(List.of("q"));

        assertThat(out)
                .isEqualTo(Hex.buffer("'C' 01'P' 91 01'q' 60 'C' 01'Q' 91 01'l' 61 'X' 'I' 00000001 'C' 01'P' 90 62"));
    }
}
