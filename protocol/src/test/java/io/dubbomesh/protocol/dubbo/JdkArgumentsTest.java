package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.testsupport.Hex;
import io.netty.buffer.ByteBuf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;

import static io.dubbomesh.protocol.dubbo.RequestEncoder.STRING;
import static io.dubbomesh.protocol.dubbo.RequestEncoder.name;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Arguments whose types are of the JDK. */
class JdkArgumentsTest {
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
            {"Ljava/util/List;", List.class, "[1,\"a\",null]", Arrays.asList(1, "a", null)},
            {"Ljava/util/List;", List.class, "null", null},
            {"Ljava/util/Map;", Map.class, "{\"a\":1.5}", Map.of("a", 1.5)},
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
        String descriptor = "L" + className.replace('.', '/') + ";";
        boolean map = Map.class.isAssignableFrom(type);
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
        call.refusedForm(descriptor, "args[0]: 1 (expected: " + className + ")", "1");
    }

    @Test
    void textThatDoesNotFitIsNamed() {
        out.writeByte('<');
        String[][] cases = {
            {"I", "abc", "int"},
            {"I", "", "int"},
            {"I", "2147483648", "int"},
            {"I", " 1", "int"},
            {"I", "1.0", "int"},
            {"I", "\u0661", "int"},
            {"I", "1L", "int"},
            {"I", "--1", "int"},
            {"B", "128", "byte"},
            {"S", "-32769", "short"},
            {"J", "9223372036854775808", "long"},
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
            {"Ljava/lang/Long;", "null", "java.lang.Long"},
            {"Ljava/math/BigInteger;", "1e3", "java.math.BigInteger"},
            {"Ljava/math/BigDecimal;", "1e99999999999", "java.math.BigDecimal"},
            {"Ljava/util/List;", "[1", "java.util.List as JSON"},
            {"Ljava/util/List;", "[1] 2", "java.util.List as JSON"},
            {"Ljava/util/Map;", "", "java.util.Map as JSON"},
            {"Ljava/util/Date;", "today", "java.util.Date as JSON"},
        };
        for (String[] row : cases) {
            call.refusedForm(row[0], "args[0]: \"" + row[1] + "\" (expected: " + row[2] + ")", row[1]);
        }
        call.refusedForm(STRING + "I", "args[1]: \"x\" (expected: int)", "ok", "x");
        call.refusedForm("I", "args[0]: \"" + "7".repeat(64) + "...\" (expected: int)", "7".repeat(1_000_000));
        call.refusedForm("I", "args[0]: \"a?b\" (expected: int)", "a\nb");
        call.refusedForm("Ljava/util/Date;", "args[0]: \"x\" (expected: java.util.Date)", "\"x\"");
        assertThat(out.toString(UTF_8)).isEqualTo("<");
    }

    @Test
    void jsonThatDoesNotFitIsNamed() {
        out.writeByte('<');
        Outcome bad = Outcome.BAD_ARGUMENT;
        call.refusedJson(bad, "I", "args[0]: null (expected: int)", "[null]");
        call.refusedJson(bad, "I", "args[0]: 1.0 (expected: int)", "[1.0]");
        call.refusedJson(bad, "I", "args[0]: true (expected: int)", "[true]");
        call.refusedJson(bad, "I", "args[0]: [...] (expected: int)", "[[1]]");
        call.refusedJson(bad, STRING, "args[0]: 1 (expected: java.lang.String)", "[1]");
        call.refusedJson(bad, STRING, "args[0]: {...} (expected: java.lang.String)", "[{\"a\":1}]");
        call.refusedJson(bad, "[[I", "args[0][1][2]: \"x\" (expected: int)", "[[[1],[1,2,\"x\"]]]");
        call.refusedJson(bad, "[I", "args[0]: 5 (expected: int[])", "[5]");
        call.refusedJson(bad, "[B", "args[0]: \"*\" (expected: byte[])", "[\"*\"]");
        call.refusedJson(bad, "[C", "args[0]: \"ab\" (expected: char[])", "[[\"ab\"]]");
        call.refusedJson(bad, "Ljava/util/Date;", "args[0]: \"2020\" (expected: java.util.Date)", "[\"2020\"]");
        call.refusedJson(bad, "Ljava/util/Date;", "args[0]: 1" + "0".repeat(30), "[1" + "0".repeat(30) + "]");
        call.refusedJson(bad, "I", "arguments: 2 (expected: 1)", "[1,[2,{}]]");
        call.refusedJson(bad, "II", "arguments: 1 (expected: 2)", "[1]");
        call.refusedJson(Outcome.BAD_REQUEST, "I", "arguments: not a JSON array", "5");
        call.refusedJson(Outcome.BAD_REQUEST, "I", "arguments: not a JSON array", "");
        call.refusedJson(Outcome.BAD_REQUEST, "I", "arguments: malformed JSON: ", "[1");
        call.refusedJson(Outcome.BAD_REQUEST, "I", "arguments: malformed JSON: ", "[1,]");
        call.refusedJson(Outcome.BAD_REQUEST, "I", "arguments: more than one JSON array", "[1][2]");
        call.refusedJson(Outcome.BAD_REQUEST, "Ljava/lang/Object;", "arguments: malformed JSON: ", "[".repeat(100_000));
        assertThat(out.toString(UTF_8)).isEqualTo("<");
    }

    @Test
    void thereIsExactlyOneArgumentForEachType() {
        call.refusedForm("", "arguments: 1 (expected: 0)", "x");
        call.refusedForm("I", "arguments: 0 (expected: 1)");
        call.refusedForm("II", "arguments: 1 (expected: 2)", "1");
        call.refusedForm("I", "arguments: 3 (expected: 1)", "1", "2", "3");
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
