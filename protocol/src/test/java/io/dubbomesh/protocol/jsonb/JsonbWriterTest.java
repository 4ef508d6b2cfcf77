package io.dubbomesh.protocol.jsonb;

import io.dubbomesh.testsupport.Hex;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class JsonbWriterTest {
    private final ByteBuf out = Unpooled.buffer();
    private final JsonbWriter writer = new JsonbWriter().reset(out);

    /** The one value that was written, without its length. */
    private String value() {
        assertThat(out.getInt(0)).isEqualTo(out.readableBytes() - Integer.BYTES);
        return Hex.of(out.slice(Integer.BYTES, out.getInt(0)));
    }

    private static String hex(String bytes) {
        return Hex.of(Hex.buffer(bytes));
    }

    @Test
    void eachValueComesAfterItsLength() {
        writer.writeNull();
        writer.writeBoolean(true);
        writer.writeInt(48);
        writer.beginMap();
        writer.writeKey("a");
        int list = writer.beginList();
        writer.writeString("b");
        writer.endList(list, 1);
        writer.endMap();
        writer.writeBoolean(false);
        assertThat(Hex.of(out))
                .isEqualTo(hex("00000001 af 00000001 b1 00000002 3830"
                        + "0000000c a6 4a'a' a4 48 00000001 4a'b' a5 00000001 b0"));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 00",
        "47, 2f",
        "-16, f0",
        "48, 3830",
        "-17, 37ef",
        "2047, 3fff",
        "-2048, 3000",
        "2048, 440800",
        "-2049, 43f7ff",
        "262143, 47ffff",
        "-262144, 400000",
        "262144, 4800040000",
        "-262145, 48fffbffff",
        "2147483647, 487fffffff",
        "-2147483648, 4880000000"
    })
    void intsTakeTheirShortestForm(int value, String bytes) {
        writer.writeInt(value);
        assertThat(value()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({
        "0, e0",
        "15, ef",
        "-8, d8",
        "16, d010",
        "-9, cff7",
        "2047, d7ff",
        "-2048, c800",
        "2048, c40800",
        "-2049, c3f7ff",
        "262143, c7ffff",
        "-262144, c00000",
        "262144, bf00040000",
        "-2147483648, bf80000000",
        "2147483648, be0000000080000000",
        "-9223372036854775808, be8000000000000000"
    })
    void longsTakeTheirShortestForm(long value, String bytes) {
        writer.writeLong(value);
        assertThat(value()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({
        "0.0, b2",
        "1.0, b3",
        "-0.0, b58000000000000000",
        "2.0, b4e2",
        "-100000.0, b4c27960",
        "1.5, b53ff8000000000000",
        "2147483648.0, b541e0000000000000",
        "NaN, b57ff8000000000000",
        "-Infinity, b5fff0000000000000"
    })
    void doublesThatAreWholeAreLongs(double value, String bytes) {
        writer.writeDouble(value);
        assertThat(value()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({
        "10, baea",
        "9223372036854775807, babe7fffffffffffffff",
        "9223372036854775808, bb09008000000000000000",
        "123456789012345678901234567890, bb0d018ee90ff6c373e0ee4e3f0ad2"
    })
    void bigIntegersAreLongsOrTheirBytes(BigInteger value, String bytes) {
        writer.writeBigInteger(value);
        assertThat(value()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({"15, b8ef", "1.50, b902bad096", "1E+5, b9fbbae1", "12345678901234567890.12, b902bb0942ed123b0bd8203a14"
    })
    void decimalsAreAScaleAndAnInteger(BigDecimal value, String bytes) {
        writer.writeBigDecimal(value);
        assertThat(value()).isEqualTo(bytes);
    }

    @Test
    void stringsHaveOneByteForACharOrTwo() {
        writer.writeString("");
        writer.writeString("h\u00e9\0");
        writer.writeString("a\u4e2d");
        writer.writeString("\ud83d\ude00\ud800");
        assertThat(Hex.of(out))
                .isEqualTo(hex("00000001 49 00000004 4c 68e900 00000006 7c04 6100 2d4e 00000008 7c06 3dd8 00de 00d8"));
    }

    @Test
    void stringsOfOverFortySevenCharsHaveALength() {
        writer.writeString("x".repeat(47));
        writer.writeString("x".repeat(48));
        writer.writeString("x".repeat(2048));
        assertThat(Hex.of(out.readSlice(5))).isEqualTo("0000003078");
        assertThat(out.readSlice(47).toString(UTF_8)).isEqualTo("x".repeat(47));
        assertThat(Hex.of(out.readSlice(7))).isEqualTo("00000033793830");
        assertThat(out.readSlice(48).toString(UTF_8)).isEqualTo("x".repeat(48));
        assertThat(Hex.of(out.readSlice(8))).isEqualTo("0000080479440800");
        assertThat(out.toString(UTF_8)).isEqualTo("x".repeat(2048));
    }

    /**
     * Fastjson2 makes a String that equals no other of text that needs only one byte for a char if it comes in UTF-8.
     */
    @Test
    void utf8IsCopiedUnlessOneByteSufficesForAChar() throws Exception {
        ByteBuf in = Unpooled.copiedBuffer("<abcdefgh><h\u00e9\ud83d\ude00>", UTF_8);
        writer.writeUtf8(in, 1, 8);
        writer.writeUtf8(in, 11, 7);
        writer.writeUtf8(in, 11, 3);
        writer.writeUtf8(in, 11, 0);
        assertThat(Hex.of(out))
                .isEqualTo(
                        hex("00000009 51 'abcdefgh' 00000009 7a07 'h' c3a9 f09f9880 00000003 4b 'h' e9 00000001 49"));
        assertThatThrownBy(() -> writer.writeUtf8(in, 11, 2)).hasMessageContaining("UTF-8");
    }

    @Test
    void binaryDataAndDatesAreTheirBytes() {
        writer.writeBinary(new byte[] {1, 2});
        writer.writeDate(1500);
        writer.writeDate(-1000);
        writer.writeDate(4_294_967_296_000L);
        assertThat(Hex.of(out))
                .isEqualTo(hex("00000004 91020102 00000009 ab00000000000005dc 00000005 acffffffff"
                        + "00000009 ab000003e800000000"));
    }

    @Test
    void datesAndTimesOfJavaTimeHaveTheirOwnForms() {
        LocalDateTime both = LocalDateTime.of(2020, 1, 2, 3, 4, 5, 6);
        assertThat(time(both.toLocalDate())).isEqualTo("a907e40102");
        assertThat(time(LocalDate.of(-1, 12, 31))).isEqualTo("a9ffff0c1f");
        assertThat(time(both.toLocalTime())).isEqualTo("a703040506");
        assertThat(time(LocalTime.of(23, 59, 58, 999_999_999))).isEqualTo("a7173b3a483b9ac9ff");
        assertThat(time(both)).isEqualTo("a807e4010203040506");
        assertThat(time(Instant.ofEpochSecond(1, 5))).isEqualTo("aee105");
        assertThat(time(OffsetTime.of(both.toLocalTime(), ZoneOffset.ofHours(1))))
                .isEqualTo(hex("aa 07b20101030405 06 4f'+01:00'"));
        assertThat(time(OffsetDateTime.of(both, ZoneOffset.UTC))).isEqualTo(hex("aa 07e40102030405 06 4a'Z'"));
        assertThat(time(ZonedDateTime.of(both, ZoneId.of("Europe/Berlin"))))
                .isEqualTo(hex("aa 07e40102030405 06 56'Europe/Berlin'"));
        assertThat(time(ZoneId.of("Europe/Berlin"))).isEqualTo(hex("56'Europe/Berlin'"));
        assertThat(time(Duration.ofMillis(1500))).isEqualTo(hex("4f'PT1.5S'"));
        assertThat(time(Period.of(1, 2, 3))).isEqualTo(hex("50'P1Y2M3D'"));
        assertThat(time(Year.of(2020))).isEqualTo(hex("92 57'java.time.Year' 00 a6 4d'year' 3fe4 a5"));
        assertThat(time(YearMonth.of(2020, 1)))
                .isEqualTo(hex("92 5c'java.time.YearMonth' 00 a6 4d'year' 3fe4 4e'month' 01 a5"));
        assertThat(time(MonthDay.of(1, 2)))
                .isEqualTo(hex("92 5b'java.time.MonthDay' 00 a6 4e'month' 01 4c'day' 02 a5"));
    }

    private String time(Object value) {
        writer.reset(out.clear()).writeTime(value);
        return value();
    }

    @Test
    void aYearThatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> writer.writeTime(LocalDate.of(40_000, 1, 1))).hasMessageContaining("40000");
    }

    @Test
    void classesAreNamedOnceInAValue() {
        int list = writer.beginList("java.util.LinkedList");
        writer.writeEnum("com.example.Color", "RED");
        writer.beginMap("com.example.Item");
        writer.writeKey("color");
        writer.writeEnum("com.example.Color", "BLUE");
        writer.endMap();
        writer.endList(list, 2);
        writer.writeEnum("com.example.Color", "RED");
        assertThat(Hex.of(out.readSlice(4 + out.getInt(0))).substring(8))
                .isEqualTo(hex("92 5d'java.util.LinkedList' 00 a4 48 00000002 92 5a'com.example.Color' 01 4c'RED'"
                        + "92 59'com.example.Item' 02 a6 4e'color' 92 01 4d'BLUE' a5"));
        assertThat(Hex.of(out.slice(out.readerIndex() + 4, out.readableBytes() - 4)))
                .isEqualTo(hex("92 5a'com.example.Color' 00 4c'RED'"));
    }

    @ParameterizedTest
    @CsvSource({
        "[int, [I",
        "[[boolean, [[Z",
        "[com.example.Item, [com.example.Item",
        "[integer, [integer",
        "[java.lang.String, [java.lang.String"
    })
    void arraysOfPrimitivesHaveALetter(String type, String name) {
        writer.endList(writer.beginList(type), 0);
        assertThat(value())
                .isEqualTo(hex("92" + String.format("%02x", 0x49 + name.length()) + "'" + name + "'00 a4 48 00000000"));
    }

    @Test
    void aKeyThatNamesAClassIsRefused() {
        writer.beginMap();
        assertThatThrownBy(() -> writer.writeKey("@type"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"@type\"")
                .hasMessageContaining("fastjson2");
    }
}
