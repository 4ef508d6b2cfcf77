package io.dubbomesh.protocol.hessian;

import io.dubbomesh.protocol.type.ValueToJson;
import io.dubbomesh.protocol.value.ClassNames;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.random.RandomValues;
import io.dubbomesh.testsupport.random.Tries;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Collectors;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Values of {@code java.time}, which are sent as objects of classes of hessian-lite. */
class TimesTest {
    private static final LocalDate DATE = LocalDate.of(2020, 2, 3);
    private static final LocalTime TIME = LocalTime.of(1, 2, 3, 4);
    private static final ZoneOffset OFFSET = ZoneOffset.ofHours(2);
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final List<String> ZONES =
            ZoneId.getAvailableZoneIds().stream().sorted().toList();

    private static final String LOCAL_DATE = define("LocalDate", "03'day' 05'month' 04'year'");
    private static final String LOCAL_TIME = define("LocalTime", "04'nano' 06'second' 06'minute' 04'hour'");
    private static final String LOCAL_DATE_TIME = define("LocalDateTime", "04'time' 04'date'");
    private static final String ZONE_OFFSET = define("ZoneOffset", "07'seconds'");

    private final ByteBuf out = Unpooled.buffer();
    private final HessianWriter writer = new HessianWriter().reset(out);

    private static String define(String type, String fields) {
        String name = "com.alibaba.com.caucho.hessian.io.java8." + type + "Handle";
        return "'C' 30 %02x '%s' %02x %s".formatted(name.length(), name, 0x90 + fields.split("' ").length, fields);
    }

    static List<Arguments> everyTypeAndItsBytes() {
        return List.of(
                Arguments.of(Instant.ofEpochSecond(5, 7), define("Instant", "05'nanos' 07'seconds'") + "60 97 e5"),
                Arguments.of(Duration.ofSeconds(-5, 7), define("Duration", "05'nanos' 07'seconds'") + "60 97 db"),
                Arguments.of(DATE, LOCAL_DATE + "60 93 92 cfe4"),
                Arguments.of(TIME, LOCAL_TIME + "60 94 93 92 91"),
                Arguments.of(
                        DATE.atTime(TIME),
                        LOCAL_DATE_TIME + "60" + LOCAL_TIME + "61 94 93 92 91" + LOCAL_DATE + "62 93 92 cfe4"),
                Arguments.of(
                        TIME.atOffset(OFFSET),
                        define("OffsetTime", "0a'zoneOffset' 09'localTime'") + "60" + ZONE_OFFSET + "61 d41c20"
                                + LOCAL_TIME + "62 94 93 92 91"),
                Arguments.of(
                        DATE.atTime(TIME).atOffset(OFFSET),
                        define("OffsetDateTime", "06'offset' 08'dateTime'") + "60" + ZONE_OFFSET + "61 d41c20"
                                + LOCAL_DATE_TIME + "62" + LOCAL_TIME + "63 94 93 92 91" + LOCAL_DATE
                                + "64 93 92 cfe4"),
                Arguments.of(
                        DATE.atTime(TIME).atZone(BERLIN),
                        define("ZonedDateTime", "06'offset' 08'dateTime' 06'zoneId'") + "60" + ZONE_OFFSET
                                + "61 d40e10" + LOCAL_DATE_TIME + "62" + LOCAL_TIME + "63 94 93 92 91" + LOCAL_DATE
                                + "64 93 92 cfe4 0d'Europe/Berlin'"),
                Arguments.of(BERLIN, define("ZoneId", "06'zoneId'") + "60 0d'Europe/Berlin'"),
                Arguments.of(OFFSET, ZONE_OFFSET + "60 d41c20"),
                Arguments.of(Period.of(1, 2, 3), define("Period", "04'days' 06'months' 05'years'") + "60 93 92 91"),
                Arguments.of(Year.of(2020), define("Year", "04'year'") + "60 cfe4"),
                Arguments.of(YearMonth.of(2020, 2), define("YearMonth", "05'month' 04'year'") + "60 92 cfe4"),
                Arguments.of(MonthDay.of(2, 3), define("MonthDay", "03'day' 05'month'") + "60 93 92"));
    }

    @ParameterizedTest
    @MethodSource("everyTypeAndItsBytes")
    void everyTypeHasItsBytes(Object value, String bytes) {
        writer.writeTime(value);
        assertThat(out).isEqualTo(Hex.buffer(bytes));
    }

    @Test
    void theirClassesAreDefinedOnce() {
        writer.writeTime(DATE);
        writer.writeTime(DATE);
        assertThat(out).isEqualTo(Hex.buffer(LOCAL_DATE + "60 93 92 cfe4 60 93 92 cfe4"));
    }

    @Test
    void aValueThatIsNotATimeIsRefused() {
        assertThatThrownBy(() -> writer.writeTime("12:00"))
                .hasMessage("java.lang.String (expected: a class of java.time)");
    }

    private static String json(ByteBuf in) throws MalformedValueException {
        HessianReader reader = new HessianReader().reset(in, 0, in.readableBytes());
        ByteBuf json = Unpooled.buffer();
        new ValueToJson(new HessianValues(reader), 1 << 20).writeJson(json, ClassNames.OMIT);
        assertThat(reader.isAtEnd()).isTrue();
        return json.toString(UTF_8);
    }

    @ParameterizedTest
    @MethodSource("everyTypeAndItsBytes")
    void inJsonTheyAreTheTextThatToStringReturns(Object value, String bytes) throws MalformedValueException {
        assertThat(json(Hex.buffer(bytes))).isEqualTo('"' + value.toString() + '"');
    }

    @Test
    void theirFieldsComeInAnyOrderAndOthersAreSkipped() throws MalformedValueException {
        String date = define("LocalDate", "04'year' 01'x' 05'month' 03'day'");
        assertThat(json(Hex.buffer(date + "60 cfe4 79 01'a' 92 93"))).isEqualTo("\"2020-02-03\"");
        // A date, a date and time that refers to the date, and a reference to the date and time.
        assertThat(json(Hex.buffer("7b" + LOCAL_DATE + "60 93 92 cfe4" + LOCAL_DATE_TIME + "61" + LOCAL_TIME
                        + "62 94 93 92 91 'Q' 91 'Q' 92")))
                .isEqualTo("[\"2020-02-03\",\"2020-02-03T01:02:03.000000004\",\"2020-02-03T01:02:03.000000004\"]");
    }

    @Test
    void zonesNeedNotBeKnownHere() throws MalformedValueException {
        String head = define("ZonedDateTime", "06'zoneId' 06'offset' 08'dateTime'");
        String tail = ZONE_OFFSET + "61 90" + LOCAL_DATE_TIME + "62" + LOCAL_TIME + "63 90 90 90 91" + LOCAL_DATE
                + "64 93 92 cfe4";
        assertThat(json(Hex.buffer(head + "60 08'Mars/\"x\"'" + tail)))
                .isEqualTo("\"2020-02-03T01:00Z[Mars/\\\"x\\\"]\"");
        assertThat(json(Hex.buffer(head + "60 01'Z'" + tail))).isEqualTo("\"2020-02-03T01:00Z\"");
    }

    static List<String> whatIsNoTime() {
        return List.of(
                LOCAL_DATE + "60 93 9d cfe4",
                LOCAL_DATE + "60 93 92 4c7fffffffffffffff",
                LOCAL_DATE + "60 93 92 'N'",
                LOCAL_DATE + "60 93 92 04'2020'",
                define("LocalDate", "03'day' 05'month'") + "60 93 92",
                LOCAL_DATE_TIME + "60 'N'" + LOCAL_DATE + "61 93 92 cfe4",
                LOCAL_DATE_TIME + "60" + LOCAL_DATE + "61 93 92 cfe4 61 93 92 cfe4",
                LOCAL_DATE_TIME + "60 'C' 01'A' 90 61" + LOCAL_DATE + "62 93 92 cfe4",
                LOCAL_DATE_TIME + "60".repeat(1000),
                LOCAL_DATE_TIME + "60 'Q' 90 'Q' 90",
                define("Instant", "05'nanos' 07'seconds'") + "60 90 4c7fffffffffffffff",
                define("Duration", "05'nanos' 07'seconds'") + "60 493b9aca00 4c7fffffffffffffff");
    }

    @ParameterizedTest
    @MethodSource("whatIsNoTime")
    void aMalformedTimeIsADeclaredError(String bytes) {
        assertThatThrownBy(() -> json(Hex.buffer(bytes))).isInstanceOf(MalformedValueException.class);
    }

    @Test
    void valuesThatHessianLiteWritesAreTheTextThatToStringReturns() {
        Tries.run(1000, random -> {
            List<Object> values = random.list(20, () -> time(random));
            String expected = values.stream()
                    .map(value -> '"' + value.toString() + '"')
                    .collect(Collectors.joining(",", "[", "]"));
            assertThat(json(HessianLite.write(values))).isEqualTo(expected);
        });
    }

    @Test
    void hessianLiteWritesTheSameAndReadsThemBack() {
        Tries.run(1000, random -> {
            List<Object> values = random.list(20, () -> time(random));
            writer.reset(out.clear());
            values.forEach(writer::writeTime);
            assertThat(out).isEqualTo(HessianLite.write(values.toArray()));

            ByteBuf list = Unpooled.buffer();
            HessianWriter listWriter = new HessianWriter().reset(list);
            listWriter.beginList(values.size());
            values.forEach(listWriter::writeTime);
            assertThat(HessianLite.read(list)).isEqualTo(values);
        });
    }

    private static Object time(RandomValues random) {
        long seconds = random.anyLong();
        return switch (random.random().nextInt(16)) {
            case 0 -> date(random);
            case 1 -> LocalDate.of(random.anyInt() / 3, 12, 31);
            case 2 -> timeOfDay(random);
            case 3 -> dateTime(random);
            case 4 -> offset(random);
            case 5 -> timeOfDay(random).atOffset(offset(random));
            case 6 -> dateTime(random).atOffset(offset(random));
            case 7 -> dateTime(random).atZone(zone(random));
            case 8 -> zone(random);
            case 9 ->
                Instant.ofEpochSecond(
                        random.between(Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond()),
                        random.between(0, 999_999_999));
            case 10 -> Duration.ofSeconds(seconds, Math.floorMod(seconds, 1_000_000_000));
            case 11 -> Period.of(random.anyInt(), random.anyInt(), random.anyInt());
            case 12 -> Period.of(Integer.MIN_VALUE, Integer.MAX_VALUE, 0);
            case 13 -> Year.of(random.between(Year.MIN_VALUE, Year.MAX_VALUE));
            case 14 -> YearMonth.of(random.between(Year.MIN_VALUE, Year.MAX_VALUE), random.between(1, 12));
            default -> MonthDay.from(date(random));
        };
    }

    private static LocalDate date(RandomValues random) {
        return LocalDate.ofEpochDay(random.between(-100_000, 200_000));
    }

    private static LocalTime timeOfDay(RandomValues random) {
        long precision = random.pick(1L, 1000L, 1_000_000L, 1_000_000_000L, 60_000_000_000L);
        long nano = random.between(0, LocalTime.MAX.toNanoOfDay());
        return LocalTime.ofNanoOfDay(nano - nano % precision);
    }

    private static LocalDateTime dateTime(RandomValues random) {
        return date(random).atTime(timeOfDay(random));
    }

    private static ZoneOffset offset(RandomValues random) {
        int seconds = random.between(ZoneOffset.MIN.getTotalSeconds(), ZoneOffset.MAX.getTotalSeconds());
        return ZoneOffset.ofTotalSeconds(random.anyBoolean() ? seconds : seconds / 900 * 900);
    }

    private static ZoneId zone(RandomValues random) {
        return ZoneId.of(random.pick(ZONES));
    }
}
