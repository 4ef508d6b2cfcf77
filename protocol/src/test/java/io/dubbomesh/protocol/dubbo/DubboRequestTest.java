package io.dubbomesh.protocol.dubbo;

import com.alibaba.com.caucho.hessian.io.Hessian2Input;
import com.sun.management.ThreadMXBean;
import io.dubbomesh.protocol.Attachments;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.hessian.HessianLite;
import io.dubbomesh.testsupport.Hex;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DubboRequestTest {
    private static final String STRING = "Ljava/lang/String;";

    private final ByteBuf in = Unpooled.buffer();
    private final ByteBuf out = Unpooled.buffer();
    private int attachmentsLength;

    private static MethodName name(String descriptor) {
        return new MethodName("a.Greeter", "hi", descriptor, "", "");
    }

    private void attachments(String... keysAndValues) {
        for (int i = 0; i < keysAndValues.length; i += 2) {
            Attachments.write(in, keysAndValues[i], keysAndValues[i + 1]);
        }
        attachmentsLength = in.writerIndex();
    }

    private void form(String... arguments) {
        for (String argument : arguments) {
            byte[] bytes = argument.getBytes(UTF_8);
            in.writeInt(bytes.length).writeBytes(bytes);
        }
    }

    private void encode(DubboRequest request, boolean form) throws CallException {
        CallArguments call = new CallArguments();
        int length = in.writerIndex() - attachmentsLength;
        if (form) {
            call.form(in, attachmentsLength, length);
        } else {
            call.json(in, attachmentsLength, length);
        }
        request.encode(out, 7, false, call.attachments(0, attachmentsLength).timeLeftMs(5000));
    }

    private void encodeForm(MethodName name, String... arguments) throws CallException {
        form(arguments);
        encode(DubboRequest.prepare(name, Serialization.HESSIAN2, null), true);
    }

    private void encodeJson(MethodName name, String arguments) throws CallException {
        in.writeCharSequence(arguments, UTF_8);
        encode(DubboRequest.prepare(name, Serialization.HESSIAN2, null), false);
    }

    private void refusedForm(String descriptor, String detail, String... arguments) {
        assertThatThrownBy(() -> encodeForm(name(descriptor), arguments))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.BAD_ARGUMENT))
                .hasMessage(detail);
        in.clear();
    }

    private void refusedJson(Outcome outcome, String descriptor, String detail, String arguments) {
        assertThatThrownBy(() -> encodeJson(name(descriptor), arguments))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.outcome()).isEqualTo(outcome))
                .hasMessageStartingWith(detail);
        in.clear();
    }

    /** What a provider reads behind the names, declared as {@code type}. */
    private Object argument(Class<?> type) throws Exception {
        Hessian2Input provider =
                HessianLite.reader(out.slice(DubboHeader.LENGTH, out.writerIndex() - DubboHeader.LENGTH));
        for (String expected : List.of("2.0.2", "a.Greeter", "0.0.0", "hi")) {
            assertThat(provider.readString()).isEqualTo(expected);
        }
        provider.readString();
        Object argument = provider.readObject(type);
        assertThat(provider.readObject(Map.class))
                .isEqualTo(Map.of("path", "a.Greeter", "interface", "a.Greeter", "timeout", "5000", "_TO", "5000"));
        assertThat(DubboHeader.bodyLength(out, 0)).isEqualTo(out.writerIndex() - DubboHeader.LENGTH);
        out.clear();
        in.clear();
        return argument;
    }

    @Test
    void aStringArgumentIsBetweenTheBytesThatRepeat() throws CallException {
        out.writeByte('<');
        encodeForm(new MethodName("a.Greeter", "hi", STRING, "1.0", "g"), "you");
        assertThat(out)
                .isEqualTo(
                        Hex.buffer(
                                "'<' dabb c2 00 0000000000000007 0000007d"
                                        + "05'2.0.2' 09'a.Greeter' 03'1.0' 02'hi' 12'Ljava/lang/String;' 03'you'"
                                        + "'H' 04'path' 09'a.Greeter' 09'interface' 09'a.Greeter' 07'version' 03'1.0' 05'group' 01'g' 07'timeout' 04'5000' 03'_TO' 04'5000' 'Z'"));
    }

    @Test
    void withoutVersionAndGroupTheVersionIsZeroAndTheGroupAbsent() throws CallException {
        encodeForm(name(""));
        assertThat(out)
                .isEqualTo(
                        Hex.buffer(
                                "dabb c2 00 0000000000000007 00000055"
                                        + "05'2.0.2' 09'a.Greeter' 05'0.0.0' 02'hi' 00"
                                        + "'H' 04'path' 09'a.Greeter' 09'interface' 09'a.Greeter' 07'timeout' 04'5000' 03'_TO' 04'5000' 'Z'"));
    }

    @Test
    void aOneWayRequestSaysSo() throws CallException {
        DubboRequest.prepare(name(""), Serialization.HESSIAN2, null)
                .encode(out, -1, true, new CallArguments().form(in, 0, 0).timeLeftMs(5000));
        assertThat(out.slice(0, 12)).isEqualTo(Hex.buffer("dabb 82 00 ffffffffffffffff"));
    }

    @Test
    void theCallersAttachmentsStandBehindDubbosOwn() throws CallException {
        attachments("traceparent", "00-ab", "dubbo.tag", "\u4e2d");
        encodeForm(name(STRING), "");
        ByteBuf expected = Hex.buffer(
                "'H' 04'path' 09'a.Greeter' 09'interface' 09'a.Greeter' 07'timeout' 04'5000' 03'_TO' 04'5000'"
                        + "0b'traceparent' 05'00-ab' 09'dubbo.tag' 01 e4b8ad 'Z'");
        int length = expected.readableBytes();
        assertThat(out.slice(out.writerIndex() - length, length)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "path",
                "interface",
                "version",
                "group",
                "token",
                "timeout",
                "_TO",
                "generic",
                "Path",
                "dubbo",
                "dubbo.stub.event",
                "sys_callback_arg-0",
                "@type",
                "$ref"
            })
    void anAttachmentThatIsDubbosOwnIsRefused(String key) {
        attachments("a", "b", key, "true");
        out.writeByte('<');
        assertThatThrownBy(() -> encodeForm(name("")))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.BAD_REQUEST))
                .hasMessage("attachment \"" + key + "\" is not for callers to set");
        assertThat(out.writerIndex()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "$invoke,Ljava/lang/String;[Ljava/lang/String;[Ljava/lang/Object;",
        "$invokeAsync,Ljava/lang/String;[Ljava/lang/String;[Ljava/lang/Object;",
        "$invoke,?",
        "$invoke,''"
    })
    void aCallerCannotInvokeGenerically(String method, String types) {
        assertThatThrownBy(() -> DubboRequest.prepare(
                        new MethodName("a.Greeter", method, types, "", ""), Serialization.HESSIAN2, null))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.METHOD_NOT_FOUND))
                .hasMessage("method " + method + " is not for callers to name");
    }

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
            encodeForm(name((String) row[0]), (String) row[2]);
            assertThat(argument((Class<?>) row[1])).as(Arrays.deepToString(row)).isEqualTo(row[3]);
            if (((Class<?>) row[1]).isArray()
                    || !((String) row[2]).contains("I") && !((String) row[2]).contains("+7")) {
                boolean quoted =
                        List.of("C", STRING, "Ljava/lang/Character;").contains((String) row[0]) || row[2].equals("NaN");
                String json = quoted ? '"' + ((String) row[2]).replace("\u0000", "\\u0000") + '"' : (String) row[2];
                encodeJson(name((String) row[0]), "[" + json + "]");
                assertThat(argument((Class<?>) row[1]))
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
        encodeForm(name(descriptor), map ? "{\"a\":\"b\"}" : "[\"a\",\"b\"]");
        Object argument = argument(type);
        assertThat(argument).isInstanceOf(type);
        if (map) {
            assertThat(argument).hasToString("{a=b}");
        } else {
            List<Object> elements = new ArrayList<>();
            ((Iterable<?>) argument).forEach(elements::add);
            assertThat(elements).containsExactly("a", "b");
        }
        refusedForm(descriptor, "args[0]: 1 (expected: " + className + ")", "1");
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
            refusedForm(row[0], "args[0]: \"" + row[1] + "\" (expected: " + row[2] + ")", row[1]);
        }
        refusedForm(STRING + "I", "args[1]: \"x\" (expected: int)", "ok", "x");
        refusedForm("I", "args[0]: \"" + "7".repeat(64) + "...\" (expected: int)", "7".repeat(1_000_000));
        refusedForm("I", "args[0]: \"a?b\" (expected: int)", "a\nb");
        refusedForm("Ljava/util/Date;", "args[0]: \"x\" (expected: java.util.Date)", "\"x\"");
        assertThat(out.toString(UTF_8)).isEqualTo("<");
    }

    @Test
    void jsonThatDoesNotFitIsNamed() {
        out.writeByte('<');
        Outcome bad = Outcome.BAD_ARGUMENT;
        refusedJson(bad, "I", "args[0]: null (expected: int)", "[null]");
        refusedJson(bad, "I", "args[0]: 1.0 (expected: int)", "[1.0]");
        refusedJson(bad, "I", "args[0]: true (expected: int)", "[true]");
        refusedJson(bad, "I", "args[0]: [...] (expected: int)", "[[1]]");
        refusedJson(bad, STRING, "args[0]: 1 (expected: java.lang.String)", "[1]");
        refusedJson(bad, STRING, "args[0]: {...} (expected: java.lang.String)", "[{\"a\":1}]");
        refusedJson(bad, "[[I", "args[0][1][2]: \"x\" (expected: int)", "[[[1],[1,2,\"x\"]]]");
        refusedJson(bad, "[I", "args[0]: 5 (expected: int[])", "[5]");
        refusedJson(bad, "[B", "args[0]: \"*\" (expected: byte[])", "[\"*\"]");
        refusedJson(bad, "[C", "args[0]: \"ab\" (expected: char[])", "[[\"ab\"]]");
        refusedJson(bad, "Ljava/util/Date;", "args[0]: \"2020\" (expected: java.util.Date)", "[\"2020\"]");
        refusedJson(bad, "Ljava/util/Date;", "args[0]: 1" + "0".repeat(30), "[1" + "0".repeat(30) + "]");
        refusedJson(bad, "I", "arguments: 2 (expected: 1)", "[1,[2,{}]]");
        refusedJson(bad, "II", "arguments: 1 (expected: 2)", "[1]");
        refusedJson(Outcome.BAD_REQUEST, "I", "arguments: no JSON array", "5");
        refusedJson(Outcome.BAD_REQUEST, "I", "arguments: no JSON array", "");
        refusedJson(Outcome.BAD_REQUEST, "I", "arguments: malformed JSON: ", "[1");
        refusedJson(Outcome.BAD_REQUEST, "I", "arguments: malformed JSON: ", "[1,]");
        refusedJson(Outcome.BAD_REQUEST, "I", "arguments: more than one JSON array", "[1][2]");
        refusedJson(Outcome.BAD_REQUEST, "Ljava/lang/Object;", "arguments: malformed JSON: ", "[".repeat(100_000));
        assertThat(out.toString(UTF_8)).isEqualTo("<");
    }

    @Test
    void thereIsExactlyOneArgumentForEachType() {
        refusedForm("", "arguments: 1 (expected: 0)", "x");
        refusedForm("I", "arguments: 0 (expected: 1)");
        refusedForm("II", "arguments: 1 (expected: 2)", "1");
        refusedForm("I", "arguments: 3 (expected: 1)", "1", "2", "3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"00", "00000001", "ffffffff", "7fffffff 00", "00000000 00", "00000001 31 00000005 31"})
    void aLengthBeyondTheBodyIsRefused(String arguments) {
        in.writeBytes(Hex.buffer(arguments));
        assertThatThrownBy(() -> encodeForm(name("I"))).isInstanceOf(CallException.class);
        assertThat(out.isReadable()).isFalse();
    }

    @Test
    void textThatIsNotUtf8IsRefused() {
        for (String descriptor : new String[] {STRING, "C", "Ljava/util/List;"}) {
            in.clear().writeInt(1).writeByte(0xff);
            assertThatThrownBy(() -> encodeForm(name(descriptor)))
                    .hasMessageStartingWith("args[0]: text that is not UTF-8");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X",
                "V",
                "[",
                "L;",
                "Ljava/lang/String",
                "java.lang.String",
                "Ljava.lang.String;",
                "L/a;",
                "La/;",
                "La//b;",
                "L[I;",
                "I;",
                "La b;"
            })
    void malformedDescriptorsAreRefused(String descriptor) {
        assertThatThrownBy(() -> DubboRequest.prepare(name(descriptor), Serialization.HESSIAN2, null))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.BAD_REQUEST));
        String many = "[".repeat(256) + "I";
        assertThatThrownBy(() -> DubboRequest.prepare(name(many), Serialization.HESSIAN2, null))
                .isInstanceOf(CallException.class);
        String params = "I".repeat(256);
        assertThatThrownBy(() -> DubboRequest.prepare(name(params), Serialization.HESSIAN2, null))
                .isInstanceOf(CallException.class);
    }

    @Test
    void fastjsonIsALineForEachValue() throws CallException {
        DubboRequest request = DubboRequest.prepare(
                new MethodName("a.Greeter", "hi", STRING, "1.0", ""), Serialization.FASTJSON, null);
        form("a\"b\n\u4e2d\ud83d\ude00");
        encode(request, true);
        String body = "\"2.0.2\"\n\"a.Greeter\"\n\"1.0\"\n\"hi\"\n\"Ljava/lang/String;\"\n"
                + "\"a\\\"b\\n\\u4e2d\\ud83d\\ude00\"\n"
                + "{\"path\":\"a.Greeter\",\"interface\":\"a.Greeter\",\"version\":\"1.0\",\"timeout\":\"5000\",\"_TO\":\"5000\"}\n";
        assertThat(out.slice(0, 12)).isEqualTo(Hex.buffer("dabb c6 00 0000000000000007"));
        assertThat(DubboHeader.bodyLength(out, 0)).isEqualTo(body.length());
        assertThat(out.toString(DubboHeader.LENGTH, body.length(), UTF_8)).isEqualTo(body);
        out.clear();
        in.clear();

        attachments("k", "v\"");
        form("");
        encode(request, true);
        assertThat(out.toString(UTF_8))
                .endsWith(
                        "\"\"\n"
                                + "{\"path\":\"a.Greeter\",\"interface\":\"a.Greeter\",\"version\":\"1.0\",\"timeout\":\"5000\",\"_TO\":\"5000\",\"k\":\"v\\\"\"}\n");
    }

    @Test
    void fastjsonTakesEveryType() throws CallException {
        String descriptor =
                "IJDZC[B[I[[ILjava/util/List;Ljava/util/Map;Ljava/lang/Object;Ljava/util/Date;Ljava/math/BigDecimal;Ljava/math/BigInteger;Ljava/lang/Integer;";
        in.writeCharSequence(
                "[ 1, -9007199254740993, 1.5, true, \"c\", \"AQI=\", [1 , 2], [[1],[]], [null,{}], {\"a\":[1,{\"b\":\"\\n\"}],\"c\":0.1}, \"x\", 5, 1.50, 7, null ]",
                UTF_8);
        encode(DubboRequest.prepare(name(descriptor), Serialization.FASTJSON, null), false);
        assertThat(out.toString(UTF_8))
                .contains("\n1\n-9007199254740993\n1.5\ntrue\n\"c\"\n\"AQI=\"\n[1,2]\n[[1],[]]\n[null,{}]\n"
                        + "{\"a\":[1,{\"b\":\"\\n\"}],\"c\":0.1}\n\"x\"\n5\n1.50\n7\nnull\n{\"path\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "D | [\"NaN\"] | args[0]: NaN cannot be sent by the serialization fastjson",
                "Ljava/lang/Object; | [[{\"@type\":\"a.B\"}]] | args[0]: key \"@type\" cannot be sent by the serialization fastjson",
                "Ljava/util/Map; | [{\"a\":{\"\\u0024ref\":\"$\"}}] | args[0].a: key \"$ref\" cannot be sent by the serialization fastjson"
            })
    void fastjsonIsNotTold(String descriptor, String arguments, String detail) {
        in.writeCharSequence(arguments, UTF_8);
        assertThatThrownBy(() -> encode(DubboRequest.prepare(name(descriptor), Serialization.FASTJSON, null), false))
                .hasMessage(detail);
        assertThat(out.isReadable()).isFalse();
    }

    @Test
    void fastjson2IsALengthAndJsonbForEachValue() throws CallException {
        DubboRequest request = DubboRequest.prepare(
                new MethodName("a.Greeter", "hi", STRING, "1.0", ""), Serialization.FASTJSON2, null);
        form("\u4e2d");
        encode(request, true);
        ByteBuf expected = Hex.buffer(
                "00000006 4e'2.0.2' 0000000a 52'a.Greeter' 00000004 4c'1.0' 00000003 4b'hi'"
                        + "00000013 5b'Ljava/lang/String;' 00000005 7a03 e4b8ad"
                        + "00000047 a6 4d'path' 52'a.Greeter' 52'interface' 52'a.Greeter' 50'version' 4c'1.0' 50'timeout' 4d'5000' 4c'_TO' 4d'5000' a5");
        assertThat(out.slice(0, 12)).isEqualTo(Hex.buffer("dabb d7 00 0000000000000007"));
        assertThat(out.slice(DubboHeader.LENGTH, DubboHeader.bodyLength(out, 0)))
                .isEqualTo(expected);
    }

    @Test
    void fastjson2TakesEveryType() throws CallException {
        String descriptor =
                "IJDZC[B[ILjava/util/List;Ljava/util/Map;Ljava/lang/Object;Ljava/util/Date;Ljava/math/BigDecimal;F";
        in.writeCharSequence(
                "[1, 5, 1.5, true, \"c\", \"AQI=\", [1], [null,{}], {\"a\":0.1}, \"x\", 5, 1.50, \"NaN\"]", UTF_8);
        encode(DubboRequest.prepare(name(descriptor), Serialization.FASTJSON2, null), false);
        assertThat(Hex.of(out))
                .contains(Hex.of(
                        Hex.buffer("00000001 01 00000001 e5 00000009 b53ff8000000000000 00000001 b1 00000002 4a'c'"
                                + "00000004 91020102 00000007 a44800000001 01 00000009 a44800000002 af a6a5"
                                + "0000000d a6 4a'a' b53fb999999999999a a5 00000002 4a'x' 00000009 ab0000000000000005"
                                + "00000005 b902bad096 00000009 b57ff8000000000000")));
    }

    @Test
    void fastjson2IsNotToldWhichClassToMake() {
        in.writeCharSequence("[[{\"@type\":\"a.B\"}]]", UTF_8);
        assertThatThrownBy(() ->
                        encode(DubboRequest.prepare(name("Ljava/lang/Object;"), Serialization.FASTJSON2, null), false))
                .hasMessage("args[0]: key \"@type\" cannot be sent by the serialization fastjson2");
        assertThat(out.isReadable()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"HESSIAN2", "FASTJSON", "FASTJSON2"})
    void aStringArgumentCostsNoAllocation(Serialization serialization) throws CallException {
        DubboRequest request = DubboRequest.prepare(name(STRING), serialization, null);
        form("hello, world");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = Long.MAX_VALUE;
        CallArguments call = new CallArguments();
        // The first rounds load classes and compile.
        for (int round = 0; round < 5; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 2000; i++) {
                out.clear();
                request.encode(out, i, false, call.form(in, 0, in.writerIndex()).timeLeftMs(5000));
            }
            allocated = Math.min(allocated, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(allocated).isLessThan(2000);
    }
}
