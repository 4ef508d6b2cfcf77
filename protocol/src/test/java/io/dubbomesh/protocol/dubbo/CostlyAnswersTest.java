package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.value.ReadingTime;
import io.dubbomesh.testsupport.Hex;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Answers whose values take far longer to be read than others of their length; an event loop reads a few of them in a
 * turn.
 */
@Timeout(120)
class CostlyAnswersTest {
    private static final ResultFormat JSON = ResultFormat.of(false, true, false);

    private static final String BIG = definition("java.math.BigInteger", "signum", "mag");
    /** The most that a number may have. */
    private static final int WORDS = 1024;

    private static final String TIME = "com.alibaba.com.caucho.hessian.io.java8.";
    private static final double LONG_EXPONENT = 1.2345678e-300;

    private final DubboResponseReader reader = new DubboResponseReader();
    private final DubboResponseReader brief = reader.brief(ReadingTime.ofTurn(this::turn));
    private long turn;
    /** Whether an answer has needed more time than its length gives it. */
    private boolean turnIsAskedFor;

    private long turn() {
        turnIsAskedFor = true;
        return turn;
    }

    private static ByteBuf frame(Serialization serialization, ByteBuf body) {
        ByteBuf in = Unpooled.buffer();
        DubboHeader.write(in, serialization.id(), DubboStatus.OK, 7, body.readableBytes());
        return in.writeBytes(body);
    }

    private static ByteBuf hessian(String body) {
        return frame(Serialization.HESSIAN2, Hex.buffer(body));
    }

    private static ByteBuf jsonb(int type, String value) {
        ByteBuf bytes = Hex.buffer(value);
        ByteBuf body = Unpooled.buffer().writeInt(1).writeByte(type);
        return frame(
                Serialization.FASTJSON2, body.writeInt(bytes.readableBytes()).writeBytes(bytes));
    }

    private static ByteBuf fastjson(int type, String value) {
        return frame(Serialization.FASTJSON, Unpooled.copiedBuffer(type + "\n" + value + "\n", UTF_8));
    }

    /** Whether the loop reads it; then the document is that of the other reader. */
    private boolean isReadBriefly(ByteBuf frame) {
        assertThat(frame.readableBytes()).isLessThan(DubboResponseReader.MAX_BRIEF);
        ByteBuf out = Unpooled.buffer();
        Outcome outcome = brief.read(frame, 0, JSON, out);
        if (outcome != null) {
            ByteBuf expected = Unpooled.buffer();
            assertThat(outcome).isEqualTo(reader.read(frame, 0, JSON, expected));
            assertThat(out).isEqualTo(expected);
        }
        return outcome != null;
    }

    /** A string of Hessian, in its shortest form. */
    private static String text(String text) {
        int length = text.length();
        return (length < 32 ? Hex.u8(length) : Hex.u16(0x3000 + length)) + Hex.text(text);
    }

    private static String definition(String className, String... fields) {
        StringBuilder hex = new StringBuilder("43" + text(className) + "49" + Hex.u32(fields.length));
        for (String field : fields) {
            hex.append(text(field));
        }
        return hex.toString();
    }

    private static String list(int length, String value) {
        return "58 49" + Hex.u32(length) + value.repeat(length);
    }

    private static String doubles(int length, double value) {
        return list(length, "44" + Hex.u64(Double.doubleToLongBits(value)));
    }

    /** A number of so many words, each of which takes one byte. */
    private static String big(int words) {
        return "60 91" + list(words, "8f");
    }

    @Test
    void aLoopLeavesBigNumbersToAnotherThread() {
        assertThat(isReadBriefly(hessian("91 57" + BIG + big(WORDS) + "5a"))).isTrue();
        turn++;
        assertThat(isReadBriefly(hessian("91 57" + BIG + big(WORDS).repeat(2) + "5a")))
                .isFalse();
        turn++;
        assertThat(isReadBriefly(hessian("91 57" + BIG + big(2).repeat(4_000) + "5a")))
                .isTrue();
    }

    @Test
    void aLoopLeavesBigNumbersOfFastjson2ToAnotherThread() {
        String number = "48" + Hex.u32(256) + "7f".repeat(256);
        for (String value : List.of("bb" + number, "b9 02 bb" + number)) {
            turn++;
            assertThat(isReadBriefly(jsonb(1, "a4 48" + Hex.u32(60) + value.repeat(60))))
                    .isTrue();
        }
        number = "48" + Hex.u32(4096) + "7f".repeat(4096);
        for (String value : List.of("bb" + number, "b9 02 bb" + number)) {
            turn++;
            assertThat(isReadBriefly(jsonb(1, "95" + value))).isTrue();
            turn++;
            assertThat(isReadBriefly(jsonb(1, "96" + value.repeat(2)))).isFalse();
        }
    }

    /** A read may bring many of them. */
    @Test
    void aLoopHasTimeForTheBigNumbersOfAFewAnswersInATurn() {
        ByteBuf costly = hessian("91" + BIG + big(WORDS));
        assertThat(isReadBriefly(costly)).isTrue();
        assertThat(isReadBriefly(costly)).isFalse();
        assertThat(isReadBriefly(costly)).isFalse();
        // These need no more than what their lengths give them.
        assertThat(isReadBriefly(hessian("91" + BIG + big(2)))).isTrue();
        assertThat(isReadBriefly(hessian("91 57 4b00000000 44 400921fb54442d18 05'hello' 5a")))
                .isTrue();
        turn++;
        assertThat(isReadBriefly(costly)).isTrue();
    }

    @Test
    void allReadersOfALoopHaveTheSameTime() {
        ReadingTime time = ReadingTime.ofTurn(() -> turn);
        ByteBuf costly = hessian("91" + BIG + big(WORDS));
        assertThat(reader.brief(time).read(costly, 0, JSON, Unpooled.buffer())).isEqualTo(Outcome.OK);
        assertThat(reader.brief(time).read(costly, 0, JSON, Unpooled.buffer())).isNull();
    }

    @Test
    void aLoopReadsAnyNumberOfUsualAnswersInATurn() {
        String object = "60 49 00012345 4a 0000018b2f6d1c00 44 3ff3c0ca4283de1b 08'somebody' 7a 03'one' 03'two'";
        ByteBuf objects =
                hessian("91 57" + definition("a.B", "id", "when", "price", "name", "tags") + object.repeat(500) + "5a");
        ByteBuf exception = hessian("90" + definition("a.B", "detailMessage", "code") + "60 02'no' 91");
        for (int i = 0; i < 100; i++) {
            assertThat(isReadBriefly(objects)).isTrue();
            assertThat(isReadBriefly(exception)).isTrue();
            assertThat(isReadBriefly(hessian("91" + doubles(1, Math.PI)))).isTrue();
        }
        assertThat(turnIsAskedFor).isFalse();
    }

    /**
     * Maps in each other, which are written as objects until a key is no text, and then once more as pairs: the
     * innermost value 128 times.
     */
    private static String restarts(String value) {
        return "91" + "48 01'a'".repeat(7) + value + "91 91 5a".repeat(7);
    }

    /**
     * An exception with 16 causes, and the most fields of each: the first is {@code value}, to which all others refer.
     */
    private static String exception(String value) {
        String[] fields = new String[65];
        for (int i = 0; i < 64; i++) {
            fields[i] = "f" + i;
        }
        fields[64] = "cause";
        return "90" + BIG + definition("a.X", fields) + "61" + value + "5191".repeat(63)
                + ("61" + "5191".repeat(64)).repeat(16) + "4e";
    }

    private static String namesThatMeet() {
        StringBuilder hex = new StringBuilder("91");
        for (int i = 0; i < 4; i++) {
            hex.append("43 01'a' 49").append(Hex.u32(1024));
            for (int name = 0; name < 1024; name++) {
                hex.append("04").append(Hex.text((char) (33 + name / 90) + "x" + (char) (33 + name % 90) + "y"));
            }
        }
        return hex + "4e";
    }

    private static String hiddenFields() {
        StringBuilder hex = new StringBuilder("91 57");
        for (String name : new String[] {"x", "y"}) {
            hex.append("43 01'a' b8").append(text(name.repeat(300)).repeat(40));
        }
        return hex.append(("60" + "91".repeat(40) + "61" + "91".repeat(40)).repeat(100)) + "5a";
    }

    private static String replacedMaps() {
        String definition = definition("a.M$SerializedForm", "keys", "values");
        return "91" + definition + "60 79 01'a' 79".repeat(120) + list(57_000, "91");
    }

    private static String fastjsonException(String value) {
        StringBuilder json = new StringBuilder("{'@type':'a.X','n':" + value);
        for (int level = 0; level < 17; level++) {
            for (int i = 0; i < 63; i++) {
                json.append(",'f").append(i).append("':{'$ref':'$.n'}");
            }
            json.append(level < 16 ? ",'cause':{'@type':'a.X'" : "}".repeat(17));
        }
        return json.toString().replace('\'', '"');
    }

    private static String fastjson2Exception(String value) {
        StringBuilder hex = new StringBuilder("a6 4a'n'" + value);
        for (int level = 0; level < 17; level++) {
            for (int i = 0; i < 63; i++) {
                hex.append(String.format("4c'f%02d' 93 4c'$.n'", i));
            }
            hex.append(level < 16 ? "4e'cause' a6" : "a5".repeat(17));
        }
        return hex.toString();
    }

    static Stream<Arguments> whatTakesFarLongerThanItsLength() {
        String dates = list(500, "4b 00000000");
        return Stream.of(
                Arguments.of("dates that are written again and again", hessian(restarts(dates))),
                Arguments.of("ints that are written again and again", hessian(restarts(list(3_000, "91")))),
                Arguments.of("doubles of long exponents", hessian("91" + doubles(5_000, LONG_EXPONENT))),
                Arguments.of(
                        "dates and times that refer to others",
                        hessian("91 57" + definition(TIME + "LocalDateHandle", "day", "month", "year")
                                + definition(TIME + "LocalTimeHandle", "nano", "second", "minute", "hour")
                                + definition(TIME + "LocalDateTimeHandle", "time", "date")
                                + "60 91 92 cfe4 61 91 91 91 91" + "62 5192 5191".repeat(4_000) + "5a")),
                Arguments.of(
                        "texts of the JDK",
                        hessian("91 57" + definition("java.lang.StringBuilder", "value", "count", "coder")
                                + "60 00 90 90".repeat(16_000) + "5a")),
                Arguments.of("names of fields that collide", hessian(namesThatMeet())),
                Arguments.of("hidden fields of two classes in turn", hessian(hiddenFields())),
                Arguments.of("maps in each other, each in the form of its replacement", hessian(replacedMaps())),
                Arguments.of("fields of exceptions that refer to dates", hessian(exception(dates))),
                Arguments.of("fields of exceptions that refer to ints", hessian(exception(list(2_000, "91")))),
                Arguments.of("fields of exceptions that refer to a big number", hessian(exception(big(800)))),
                Arguments.of(
                        "causes in each other",
                        hessian("90" + definition("a.X", "cause", "list") + "60".repeat(17) + "4e" + list(60_000, "91")
                                + "4e".repeat(16))),
                Arguments.of(
                        "times in zones",
                        jsonb(1, "a4 48" + Hex.u32(4_000) + "aa 07e6 01 02 03 04 05 06 4c'CET'".repeat(4_000))),
                Arguments.of(
                        "a long name of fields by its number",
                        jsonb(
                                1,
                                "96 93 4d'$[1]' a6 7f 79 48" + Hex.u32(30_000) + "78".repeat(30_000) + "00 01"
                                        + "7f 00 01".repeat(1_000) + "a5")),
                Arguments.of(
                        "a long name of a class by its number",
                        jsonb(
                                1,
                                "a4 48" + Hex.u32(1_001) + "92 79 48" + Hex.u32(30_000) + "78".repeat(30_000)
                                        + "00 a6 a5" + "92 00 a6 a5".repeat(1_000))),
                Arguments.of(
                        "a long name of an exception's fields by its number",
                        jsonb(
                                0,
                                "a6 7f 79 48" + Hex.u32(30_000) + "78".repeat(30_000) + "00 01"
                                        + "7f 00 01".repeat(1_000) + "a5")),
                Arguments.of(
                        "fields of exceptions that refer to ints, in fastjson2",
                        jsonb(0, fastjson2Exception("a4 48" + Hex.u32(2_000) + "01".repeat(2_000)))),
                Arguments.of(
                        "fields of exceptions that refer to ints, in fastjson",
                        fastjson(0, fastjsonException("[1" + ",1".repeat(2_000) + "]"))),
                Arguments.of(
                        "keys in each other, in fastjson",
                        fastjson(
                                1,
                                "[[1],{\"$ref\":\"$[0]\"}," + "{".repeat(240) + "\"" + "x".repeat(50_000) + "\""
                                        + ":1}".repeat(240) + "]")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void whatTakesFarLongerThanItsLength(String what, ByteBuf frame) {
        ByteBuf out = Unpooled.buffer();
        assertThat(reader.read(frame, 0, JSON, out))
                .isIn(Outcome.OK, Outcome.SERVICE_EXCEPTION, Outcome.PROVIDER_ERROR);
        assertThat(isReadBriefly(frame)).isFalse();
        assertThat(turnIsAskedFor).isTrue();
    }

    /** Behind a class whose names of fields collide, which is not what Dubbo writes. */
    @Test
    void anErrorHasTheTimeThatItsLengthGivesIt() {
        ByteBuf body = Hex.buffer(definition("a", "axay", "axby") + "02'no'");
        ByteBuf frame = Unpooled.buffer();
        DubboHeader.write(frame, 2, DubboStatus.SERVICE_ERROR, 7, body.readableBytes());
        frame.writeBytes(body);
        for (DubboResponseReader each : List.of(reader, brief)) {
            assertThat(each.error(frame, 0)).isEqualTo("no");
            ByteBuf out = Unpooled.buffer();
            assertThat(each.read(frame, 0, JSON, out)).isEqualTo(Outcome.PROVIDER_ERROR);
            assertThat(out.toString(UTF_8)).contains("provider answered with status 70: no");
        }
    }

    /** The thread beside the loop reads one answer after the other. */
    @Test
    void anAnswerThatWouldTakeSecondsIsTheProvidersError() {
        ByteBuf out = Unpooled.buffer();
        ByteBuf frame = hessian(
                "91" + "48 01'a'".repeat(16) + "57" + BIG + big(WORDS).repeat(4) + "5a" + "91 91 5a".repeat(16));
        assertThat(reader.read(frame, 0, JSON, out)).isEqualTo(Outcome.PROVIDER_ERROR);
        assertThat(out.toString(UTF_8)).contains("provider's answer: it takes longer to be read than is allowed");
    }
}
