package io.dubbomesh.protocol.request;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.type.TypeNames;
import io.dubbomesh.testsupport.Hex;
import io.netty.buffer.ByteBuf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;

import static io.dubbomesh.protocol.request.RequestEncoder.STRING;
import static io.dubbomesh.protocol.request.RequestEncoder.name;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Arguments whose types are of the JDK. */
class JdkArgumentsTest {
    private static final String DATE =
            "java.util.Date, as 2026-11-21T10:00:00Z, as 2026-11-21 10:00:00, or in milliseconds since 1970";

    private static final String INT = "int, -2147483648 to 2147483647";
    private static final String LONG = "long, -9223372036854775808 to 9223372036854775807";

    private final RequestEncoder call = new RequestEncoder();
    private final ByteBuf in = call.in;
    private final ByteBuf out = call.out;

    @Test
    void textBecomesWhatIsDeclared() throws Exception {
        Object[][] cases = {
            {"Z", boolean.class, "true", true},
            {"Z", boolean.class, "false", false},
            {"C", char.class, "\u4e2d", '\u4e2d'},
            {"B", byte.class, "-128", (byte) -128},
            {"S", short.class, "32767", (short) 32767},
            {"I", int.class, "-2147483648", Integer.MIN_VALUE},
            {"I", int.class, "+7", 7},
            {"J", long.class, "9223372036854775807", Long.MAX_VALUE},
            {"F", float.class, "1.1", 1.1f},
            {"D", double.class, "-1e-3", -0.001},
            {"D", double.class, "NaN", Double.NaN},
            {"D", double.class, "-Infinity", Double.NEGATIVE_INFINITY},
            {"Ljava/lang/Integer;", Integer.class, "1", 1},
            {"Ljava/lang/Character;", Character.class, "x", 'x'},
            {"Ljava/math/BigDecimal;", BigDecimal.class, "1.50", new BigDecimal("1.50")},
            {"Ljava/math/BigInteger;", BigInteger.class, "-9", BigInteger.valueOf(-9)},
            {STRING, String.class, "a \ud83d\ude00\u0000", "a \ud83d\ude00\u0000"},
            {STRING, String.class, "null", "null"},
            {STRING, String.class, "x".repeat(100_000), "x".repeat(100_000)},
            {"Ljava/util/List<*>;", List.class, "[1,\"a\",null]", Arrays.asList(1, "a", null)},
            {"Ljava/util/List<*>;", List.class, "null", null},
            {"Ljava/util/Map<**>;", Map.class, "{\"a\":1.5}", Map.of("a", 1.5)},
            {"Ljava/lang/Object;", Object.class, "\"x\"", "x"},
            {"Ljava/util/Date;", Date.class, "12345", new Date(12345)},
            {"Ljava/util/Date;", Date.class, "\"1970-01-01T01:00:01+01:00\"", new Date(1000)},
            {"[B", byte[].class, "\"AQI=\"", new byte[] {1, 2}},
            {"[C", char[].class, "\"ab\"", new char[] {'a', 'b'}},
            {"[C", char[].class, "[\"a\",\"b\"]", new char[] {'a', 'b'}},
            {"[I", int[].class, "[1,\"2\"]", new int[] {1, 2}},
            {"[[J", long[][].class, "[[1],[],null]", new long[][] {{1}, {}, null}},
            {"[Ljava/lang/Double;", Double[].class, "[1,null]", new Double[] {1.0, null}},
        };
        for (Object[] row : cases) {
            call.encodeForm(name((String) row[0]), (String) row[2]);
            assertThat(call.argument((Class<?>) row[1]))
                    .as(Arrays.deepToString(row))
                    .isEqualTo(row[3]);
            if (((Class<?>) row[1]).isArray()
                    || !((String) row[2]).contains("I") && !((String) row[2]).contains("+7")) {
                boolean quoted =
                        List.of("C", STRING, "Ljava/lang/Character;").contains((String) row[0]) || row[2].equals("NaN");
                String json = quoted ? '"' + ((String) row[2]).replace("\u0000", "\\u0000") + '"' : (String) row[2];
                call.encodeJson(name((String) row[0]), "[" + json + "]");
                assertThat(call.argument((Class<?>) row[1]))
                        .as("JSON " + Arrays.deepToString(row))
                        .isEqualTo(row[3]);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2026-11-21T10:00:00Z | 1795255200000",
                "2026-11-21T10:00Z | 1795255200000",
                "2026-11-21T10:00:00.5Z | 1795255200500",
                "2026-11-21T11:00:00+01:00 | 1795255200000",
                "2026-11-21T11:00:00+0100 | 1795255200000",
                "2026-11-21T11:00:00.000+01 | 1795255200000",
                "2026-11-21T02:15:00-07:45 | 1795255200000",
                "2026-11-21 11:00:00+01:00 | 1795255200000",
                "-0001-01-01T00:00:00Z | -62198755200000",
                "+292278994-08-17T07:12:55.807Z | 9223372036854775807"
            })
    void aDateWithAnOffsetIsThatMoment(String text, long epochMs) throws Exception {
        for (String argument : List.of(text, '"' + text + '"')) {
            call.encodeForm(name("Ljava/util/Date;"), argument);
            assertThat(call.argument(Date.class)).isEqualTo(new Date(epochMs));
        }
        call.encodeJson(name("Ljava/util/Date;"), "[\"" + text + "\"]");
        assertThat(call.argument(Date.class)).isEqualTo(new Date(epochMs));
    }

    /** The values that the provider itself reads in a generic call. */
    @ParameterizedTest
    @CsvSource({
        "2026-11-21 10:00:00, 2026-11-21T10:00:00",
        "2026-11-21T10:00:00, 2026-11-21T10:00:00",
        "2026-1-5 9:05:07, 2026-01-05T09:05:07",
        "2026-11-21 10:00:00.123, 2026-11-21T10:00:00.123"
    })
    void aDateWithoutAnOffsetIsOfTheTimeZoneOfTheAgent(String text, LocalDateTime expected) throws Exception {
        Date date = Date.from(expected.atZone(ZoneId.systemDefault()).toInstant());
        for (String argument : List.of(text, '"' + text + '"')) {
            call.encodeForm(name("Ljava/util/Date;"), argument);
            assertThat(call.argument(Date.class)).isEqualTo(date);
        }
        call.encodeJson(
                name("Ljava/util/Map<Ljava/util/Date;Ljava/util/Date;>;"), "[{\"" + text + "\":\"" + text + "\"}]");
        assertThat(call.argument(Map.class)).isEqualTo(Map.of(date, date));

        call.encodeForm(name("Ljava/time/LocalDateTime;"), text);
        assertThat(call.argument(LocalDateTime.class)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "java.sql.Date, 2026-11-21, 2026-11-21T00:00",
        "java.sql.Date, 2026-11-21 10:00:00, 2026-11-21T10:00:00",
        "java.sql.Time, 10:00:00, 1970-01-01T10:00",
        "java.sql.Time, 10:00, 1970-01-01T10:00",
        "java.sql.Time, 2026-11-21 10:00:00, 2026-11-21T10:00",
        "java.sql.Timestamp, 2026-11-21 10:00:00.123, 2026-11-21T10:00:00.123"
    })
    void aDateOfSqlMayHaveNoTimeAndATimeNoDate(String type, String text, LocalDateTime expected) throws Exception {
        call.encodeForm(name('L' + type.replace('.', '/') + ';'), text);

        long epochMs = expected.atZone(ZoneId.systemDefault()).toInstant().toEpochMilli();
        assertThat(call.argument(Class.forName(type)))
                .isInstanceOfSatisfying(
                        Date.class, date -> assertThat(date.getTime()).isEqualTo(epochMs));
    }

    @Test
    void aLocalTimeHasNoOffset() {
        assertThatThrownBy(() -> call.encodeForm(name("Ljava/time/LocalDateTime;"), "2026-11-21 10:00:00Z"))
                .hasMessage(
                        "args[0]: \"2026-11-21 10:00:00Z\" (expected: java.time.LocalDateTime, as 2026-11-21T10:00:00)");
    }

    @ParameterizedTest
    @CsvSource({
        "java.util.UUID, 0F8FAD5B-d9cb-469f-a165-70867728950e, 0f8fad5b-d9cb-469f-a165-70867728950e",
        "java.net.URI, urn:a:b?c#d, urn:a:b?c#d",
        "java.util.Currency, EUR, EUR",
        "java.util.Locale, en, en",
        "java.util.Locale, en_US, en_US",
        "java.util.Locale, en-us, en_US",
        "java.util.Locale, de__POSIX, de__POSIX",
        "java.util.Locale, es-419, es_419"
    })
    void aTextOfTheJdkIsItsValue(String type, String text, String value) throws Exception {
        Class<?> declared = Class.forName(type);
        String descriptor = "L" + type.replace('.', '/') + ";";
        for (String argument : List.of(text, '"' + text + '"')) {
            call.encodeForm(name(descriptor), argument);
            assertThat(call.argument(declared)).isInstanceOf(declared).hasToString(value);
        }
        call.encodeJson(name("Ljava/util/List<" + descriptor + ">;"), "[[\"" + text + "\"]]");
        assertThat((List<?>) call.argument(List.class))
                .first()
                .isInstanceOf(declared)
                .hasToString(value);
        call.encodeJson(name("Ljava/util/Map<" + descriptor + STRING + ">;"), "[{\"" + text + "\":\"x\"}]");
        assertThat(((Map<?, ?>) call.argument(Map.class)).keySet())
                .first()
                .isInstanceOf(declared)
                .hasToString(value);
    }

    @ParameterizedTest
    @CsvSource({
        "java.util.UUID, 1-1-1-1-1, 0f8fad5b-d9cb-469f-a165-70867728950e",
        "java.net.URI, a b, https://example.com/a",
        "java.util.Currency, euro, EUR",
        "java.util.Locale, zh_TW_#Hant, en_US",
        "java.util.Locale, zh-Hant-TW, en_US"
    })
    void aTextThatIsNoValueIsRefusedWithAnExample(String type, String text, String example) {
        String descriptor = "L" + type.replace('.', '/') + ";";
        assertThatThrownBy(() -> call.encodeJson(name(descriptor), "[\"" + text + "\"]"))
                .isInstanceOf(CallException.class)
                .hasMessage("args[0]: \"" + text + "\" (expected: " + type + ", as " + example + ")");
    }

    @Test
    void datesOfSqlAreMomentsToo() throws Exception {
        long epochMs = 1795255200123L;
        for (java.util.Date date :
                List.of(new java.sql.Timestamp(epochMs), new java.sql.Date(epochMs), new java.sql.Time(epochMs))) {
            Class<?> type = date.getClass();
            String descriptor = "L" + type.getName().replace('.', '/') + ";";
            for (String json : List.of("\"2026-11-21T10:00:00.123Z\"", "1795255200123")) {
                call.encodeJson(name(descriptor), "[" + json + "]");
                assertThat(call.argument(type)).isEqualTo(date).isInstanceOf(type);
                call.encodeJson(name("Ljava/util/List<" + descriptor + ">;"), "[[" + json + "]]");
                assertThat(call.argument(List.class)).isEqualTo(List.of(date));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-11-21",
                "2026-02-30 10:00:00",
                "2026-13-01 10:00:00",
                "2026-11-21 24:00:00",
                "2026-11-21 10:00:00 Z",
                "2026-11-21  10:00:00",
                "21.11.2026 10:00:00",
                "10:00:00",
                "+1000000000-01-01T00:00:00Z"
            })
    void aDateThatIsNoneIsRefusedWithItsForms(String text) {
        call.refusedJson(
                Outcome.BAD_ARGUMENT,
                "Ljava/util/Date;",
                "args[0]: \"" + text + "\" (expected: " + DATE + ")",
                "[\"" + text + "\"]");
    }

    /** Values that a provider accepts in a generic call without known types are accepted with them too. */
    @Test
    void jsonThatDubboItselfConvertsBecomesWhatIsDeclared() throws Exception {
        Object[][] cases = {
            {"I", int.class, "7.0", 7},
            {"J", long.class, "-7e2", -700L},
            {"Ljava/math/BigInteger;", BigInteger.class, "7.00", BigInteger.valueOf(7)},
            {"Z", boolean.class, "\"True\"", true},
            {"Z", boolean.class, "\"FALSE\"", false},
            {"Z", boolean.class, "1", true},
            {"Ljava/lang/Boolean;", Boolean.class, "0", false},
            {"[B", byte[].class, "[1,-1,200]", new byte[] {1, -1, (byte) 200}},
            {"[B", byte[].class, "[]", new byte[] {}},
            {"Ljava/time/LocalDate;", LocalDate.class, "\"\"", null},
            {"Ljava/time/LocalDateTime;", LocalDateTime.class, "\"\"", null},
            {"Ljava/time/LocalTime;", LocalTime.class, "\"\"", null},
            {"Ljava/time/LocalTime;", LocalTime.class, "\"2026-11-21T10:15\"", LocalTime.of(10, 15)},
        };
        for (Object[] row : cases) {
            call.encodeJson(name((String) row[0]), "[" + row[2] + "]");
            assertThat(call.argument((Class<?>) row[1]))
                    .as(Arrays.deepToString(row))
                    .isEqualTo(row[3]);
        }
    }

    @Test
    void aDecimalKeepsItsDigitsInAMap() throws Exception {
        String json = "[{\"a\":1.50,\"b\":1.5,\"c\":[100.00,1e2]}]";
        call.encodeJson(name("Ljava/util/Map<Ljava/lang/String;Ljava/lang/Object;>;"), json);
        assertThat(call.argument(Map.class))
                .isEqualTo(
                        Map.of("a", new BigDecimal("1.50"), "b", 1.5, "c", List.of(new BigDecimal("100.00"), 100.0)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.lang.Iterable",
                "java.util.Collection",
                "java.util.AbstractCollection",
                "java.util.List",
                "java.util.AbstractList",
                "java.util.ArrayList",
                "java.util.LinkedList",
                "java.util.Vector",
                "java.util.Stack",
                "java.util.ArrayDeque",
                "java.util.PriorityQueue",
                "java.util.Set",
                "java.util.AbstractSet",
                "java.util.HashSet",
                "java.util.LinkedHashSet",
                "java.util.SortedSet",
                "java.util.NavigableSet",
                "java.util.TreeSet",
                "java.util.concurrent.CopyOnWriteArrayList",
                "java.util.concurrent.CopyOnWriteArraySet",
                "java.util.concurrent.ConcurrentSkipListSet",
                "java.util.concurrent.ConcurrentLinkedQueue",
                "java.util.concurrent.ConcurrentLinkedDeque",
                "java.util.concurrent.LinkedBlockingQueue",
                "java.util.concurrent.LinkedBlockingDeque",
                "java.util.Map",
                "java.util.AbstractMap",
                "java.util.HashMap",
                "java.util.LinkedHashMap",
                "java.util.SortedMap",
                "java.util.TreeMap",
                "java.util.Hashtable",
                "java.util.WeakHashMap",
                "java.util.IdentityHashMap",
                "java.util.concurrent.ConcurrentHashMap",
                "java.util.concurrent.ConcurrentSkipListMap"
            })
    void aCollectionIsReadAsTheDeclaredClass(String className) throws Exception {
        Class<?> type = Class.forName(className);
        boolean map = Map.class.isAssignableFrom(type);
        String descriptor = "L" + className.replace('.', '/') + (map ? "<**>;" : "<*>;");
        call.encodeForm(name(descriptor), map ? "{\"a\":\"b\"}" : "[\"a\",\"b\"]");
        Object argument = call.argument(type);
        assertThat(argument).isInstanceOf(type);
        if (map) {
            assertThat(argument).hasToString("{a=b}");
        } else {
            List<Object> elements = new ArrayList<>();
            ((Iterable<?>) argument).forEach(elements::add);
            assertThat(elements).containsExactly("a", "b");
        }
        String name = TypeNames.ofDescriptor(descriptor).get(0);
        call.refusedForm(descriptor, "args[0]: 1 (expected: " + name + ")", "1");
    }

    @Test
    void textThatDoesNotFitIsNamed() {
        out.writeByte('<');
        String[][] cases = {
            {"I", "abc", INT},
            {"I", "", INT},
            {"I", "2147483648", INT},
            {"I", " 1", INT},
            {"I", "1.0", INT},
            {"I", "\u0661", INT},
            {"I", "1L", INT},
            {"I", "--1", INT},
            {"B", "128", "byte, -128 to 127"},
            {"S", "-32769", "short, -32768 to 32767"},
            {"J", "9223372036854775808", LONG},
            {"F", "1e39", "float"},
            {"D", "1e309", "double"},
            {"D", "1d", "double"},
            {"D", "0x1p3", "double"},
            {"D", "nan", "double"},
            {"D", "1 ", "double"},
            {"D", ".", "double"},
            {"Z", "TRUE", "boolean"},
            {"C", "", "char"},
            {"C", "ab", "char"},
            {"C", "\ud83d\ude00", "char"},
            {"Ljava/lang/Long;", "null", "java.lang.Long, -9223372036854775808 to 9223372036854775807"},
            {"Ljava/math/BigInteger;", "1e3", "java.math.BigInteger"},
            {"Ljava/math/BigDecimal;", "1e99999999999", "java.math.BigDecimal"},
            {"Ljava/util/List;", "[1", "java.util.List as JSON"},
            {"Ljava/util/List;", "[1] 2", "java.util.List as JSON"},
            {"Ljava/util/Map;", "", "java.util.Map as JSON"},
            {"Ljava/util/Date;", "\"today", "java.util.Date as JSON"},
        };
        for (String[] row : cases) {
            call.refusedForm(row[0], "args[0]: \"" + row[1] + "\" (expected: " + row[2] + ")", row[1]);
        }
        call.refusedForm(STRING + "I", "args[1]: \"x\" (expected: " + INT + ")", "ok", "x");
        call.refusedForm("I", "args[0]: \"" + "7".repeat(64) + "...\" (expected: " + INT + ")", "7".repeat(1_000_000));
        call.refusedForm("I", "args[0]: \"a?b\" (expected: " + INT + ")", "a\nb");
        call.refusedForm("Ljava/util/Date;", "args[0]: \"x\" (expected: " + DATE + ")", "\"x\"");
        call.refusedForm("Ljava/util/Date;", "args[0]: \"x\" (expected: " + DATE + ")", "x");
        call.refusedForm("Ljava/util/Date;", "args[0]: \"\" (expected: java.util.Date as JSON)", "");
        call.refusedForm(
                "Ljava/time/LocalDate;",
                "args[0]: \"21.11.2026\" (expected: java.time.LocalDate, as 2026-11-21)",
                "21.11.2026");
        assertThat(out.toString(UTF_8)).isEqualTo("<");
    }

    @Test
    void jsonThatDoesNotFitIsNamed() {
        out.writeByte('<');
        Outcome bad = Outcome.BAD_ARGUMENT;
        call.refusedJson(bad, "I", "args[0]: null (expected: " + INT + ")", "[null]");
        call.refusedJson(bad, "I", "args[0]: 1.5 (expected: " + INT + ")", "[1.5]");
        call.refusedJson(bad, "I", "args[0]: 1e999999999 (expected: " + INT + ")", "[1e999999999]");
        call.refusedJson(bad, "J", "args[0]: 1e-999999999 (expected: " + LONG + ")", "[1e-999999999]");
        call.refusedJson(bad, "I", "args[0]: 2147483648.0 (expected: " + INT + ")", "[2147483648.0]");
        call.refusedJson(bad, "I", "args[0]: \"1.0\" (expected: " + INT + ")", "[\"1.0\"]");
        call.refusedJson(bad, "Z", "args[0]: \"yes\" (expected: boolean)", "[\"yes\"]");
        call.refusedJson(bad, "Z", "args[0]: 2 (expected: boolean)", "[2]");
        call.refusedJson(bad, "I", "args[0]: true (expected: " + INT + ")", "[true]");
        call.refusedJson(bad, "I", "args[0]: [...] (expected: " + INT + ")", "[[1]]");
        call.refusedJson(bad, STRING, "args[0]: 1 (expected: java.lang.String)", "[1]");
        call.refusedJson(bad, STRING, "args[0]: {...} (expected: java.lang.String)", "[{\"a\":1}]");
        call.refusedJson(bad, "[[I", "args[0][1][2]: \"x\" (expected: " + INT + ")", "[[[1],[1,2,\"x\"]]]");
        call.refusedJson(bad, "[I", "args[0]: 5 (expected: int[])", "[5]");
        call.refusedJson(bad, "[B", "args[0]: \"*\" (expected: byte[], as base64 or a list of numbers)", "[\"*\"]");
        call.refusedJson(bad, "[B", "args[0]: 256 (expected: byte[], as", "[[0,256]]");
        call.refusedJson(bad, "[B", "args[0]: {...} (expected: byte[], as", "[[{}]]");
        call.refusedJson(bad, "[C", "args[0]: \"ab\" (expected: char[])", "[[\"ab\"]]");
        call.refusedJson(bad, "Ljava/util/Date;", "args[0]: \"2020\" (expected: " + DATE, "[\"2020\"]");
        call.refusedJson(bad, "Ljava/time/Year;", "args[0]: {...} (expected: java.time.Year, as 2026)", "[{}]");
        call.refusedJson(bad, "Ljava/util/Date;", "args[0]: 1" + "0".repeat(30), "[1" + "0".repeat(30) + "]");
        call.refusedJson(Outcome.BAD_REQUEST, "I", "arguments: 2 (expected: 1: hi(int))", "[1,[2,{}]]");
        call.refusedJson(Outcome.BAD_REQUEST, "II", "arguments: 1 (expected: 2: hi(int,int))", "[1]");
        call.refusedJson(Outcome.BAD_REQUEST, "I", "arguments: not a JSON array", "5");
        call.refusedJson(Outcome.BAD_REQUEST, "I", "arguments: not a JSON array", "");
        call.refusedJson(
                Outcome.BAD_REQUEST, "I", "arguments: malformed JSON at line 1, column 3: Unexpected end", "[1");
        call.refusedJson(Outcome.BAD_REQUEST, "I", "arguments: malformed JSON at line 1, column 4: Unexpected", "[1,]");
        call.refusedJson(Outcome.BAD_REQUEST, "I", "arguments: more than one JSON array", "[1][2]");
        call.refusedJson(Outcome.BAD_REQUEST, "Ljava/lang/Object;", "arguments: malformed JSON: ", "[".repeat(100_000));
        assertThat(out.toString(UTF_8)).isEqualTo("<");
    }

    @Test
    void thereIsExactlyOneArgumentForEachType() {
        call.refusedForm(Outcome.BAD_REQUEST, "", "arguments: 1 (expected: 0: hi())", "x");
        call.refusedForm(Outcome.BAD_REQUEST, "I", "arguments: 0 (expected: 1: hi(int))");
        call.refusedForm(Outcome.BAD_REQUEST, "II", "arguments: 1 (expected: 2: hi(int,int))", "1");
        call.refusedForm(Outcome.BAD_REQUEST, "I", "arguments: 3 (expected: 1: hi(int))", "1", "2", "3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"00", "00000001", "ffffffff", "7fffffff 00", "00000000 00", "00000001 31 00000005 31"})
    void aLengthBeyondTheBodyIsRefused(String arguments) {
        in.writeBytes(Hex.buffer(arguments));
        assertThatThrownBy(() -> call.encodeForm(name("I"))).isInstanceOf(CallException.class);
        assertThat(out.isReadable()).isFalse();
    }

    @Test
    void textThatIsNotUtf8IsRefused() {
        for (String descriptor : new String[] {STRING, "C", "Ljava/util/List;"}) {
            in.clear().writeInt(1).writeByte(0xff);
            assertThatThrownBy(() -> call.encodeForm(name(descriptor)))
                    .hasMessageStartingWith("args[0]: text that is not UTF-8");
        }
    }
}
