package io.dubbomesh.idl;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MessageMethod;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Random;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class MessageJsonTest {
    static final ProtoFiles FILES = files();

    private static final MessageMethod ECHO = FILES.service("test.kinds.Kinds").method("Echo");
    private static final int MAX = 1 << 20;

    private static ProtoFiles files() {
        try (InputStream in = MessageJsonTest.class.getResourceAsStream("/proto/kinds.desc")) {
            return ProtoFiles.ofSets(List.of(in.readAllBytes()));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static MessageMethod method(String service, String method) {
        return FILES.service(service).method(method);
    }

    private static String written(MessageMethod method, String array) throws CallException {
        ByteBuf in = Unpooled.copiedBuffer("##" + array + "#", UTF_8);
        ByteBuf out = Unpooled.buffer().writeByte(1);
        method.writeArray(out, in, 2, in.writerIndex() - 3);
        return ByteBufUtil.hexDump(out, 1, out.writerIndex() - 1);
    }

    private static String writtenText(MessageMethod method, String... texts) throws CallException {
        ByteBuf in = Unpooled.buffer();
        for (String text : texts) {
            in.writeInt(text.getBytes(UTF_8).length).writeBytes(text.getBytes(UTF_8));
        }
        ByteBuf out = Unpooled.buffer();
        method.writeTexts(out, in, 0, in.writerIndex());
        return ByteBufUtil.hexDump(out);
    }

    private static String read(MessageMethod method, String hex, boolean isText, int max) throws CallException {
        ByteBuf in = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump("ffff" + hex + "ff"));
        ByteBuf out = Unpooled.buffer();
        try {
            method.readMessage(in, 2, in.writerIndex() - 3, isText, max, out);
        } catch (CallException e) {
            assertThat(out.writerIndex()).isZero();
            throw e;
        }
        return out.toString(UTF_8);
    }

    private static String read(String hex) throws CallException {
        return read(ECHO, hex, false, MAX);
    }

    private static CallException refused(MessageMethod method, String array) {
        return catchThrowableOfType(CallException.class, () -> written(method, array));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"int32\":-1}                         | 08ffffffffffffffffff01",
                "{\"int64\":\"9007199254740993\"}       | 1081808080808080 10",
                "{\"int64\":9007199254740993}           | 1081808080808080 10",
                "{\"int64\":\"-9223372036854775808\"}   | 1080808080808080808001",
                "{\"int32\":1e2}                        | 0864",
                "{\"int32\":\"7\"}                      | 0807",
                "{\"uint32\":4294967295}                | 18ffffffff0f",
                "{\"uint64\":\"18446744073709551615\"}  | 20ffffffffffffffffff01",
                "{\"sint32\":-2}                        | 2803",
                "{\"sint64\":\"-2\"}                    | 3003",
                "{\"fixed32\":1}                        | 3d01000000",
                "{\"fixed64\":\"1\"}                    | 410100000000000000",
                "{\"sfixed32\":-1}                      | 4dffffffff",
                "{\"sfixed64\":\"-1\"}                  | 51ffffffffffffffff",
                "{\"float\":1.5}                        | 5d0000c03f",
                "{\"float\":\"NaN\"}                    | 5d0000c07f",
                "{\"double\":\"-Infinity\"}             | 61000000000000f0ff",
                "{\"double\":\"1.5\"}                   | 61000000000000f83f",
                "{\"bool\":true}                        | 6801",
                "{\"string\":\"\u00e9\"}                | 7202c3a9",
                "{\"bytes\":\"-_8\"}                    | 7a02fbff",
                "{\"bytes\":\"+/8=\"}                   | 7a02fbff",
                "{\"color\":\"RED\"}                    | 800101",
                "{\"color\":1}                          | 800101",
                "{\"color\":12345}                      | 8001b960",
                "{\"color\":\"BLUE\"}                   | 8001feffffffffffffffff01",
                "{\"inner\":{\"child\":{}}}             | 8a01021200",
                "{\"numbers\":[\"1\",2]}                | 92010201 02",
                "{\"inners\":[{},{\"name\":\"a\"}]}     | 9a01009a01030a0161",
                "{\"byName\":{\"a\":\"1\"}}             | a201050a01611001",
                "{\"by_name\":{\"a\":\"1\"}}            | a201050a01611001",
                "{\"byNumber\":{\"-1\":{}}}             | aa010d08ffffffffffffffffff011200",
                "{\"byFlag\":{\"true\":\"RED\"}}        | b2010408011001",
                "{\"number\":\"0\"}                     | c00100",
                "{\"maybe\":0}                          | c80100",
                "{\"maybe\":null}                       | ~~",
                "{\"snakeCaseName\":\"x\"}              | d2010178",
                "{\"other\":\"x\"}                      | da010178",
                "{\"renamed\":\"x\"}                    | da010178",
                "{\"at\":\"1970-01-01T00:00:01.5Z\"}    | f2010808011080cab5ee01",
                "{\"length\":\"1.5s\"}                  | fa010808011080cab5ee01",
                "{\"mask\":\"aB,c.dE\"}                 | 82020c0a03615f620a05632e645f65",
                "{\"struct\":{\"a\":null}}              | 8a02090a070a016112020800",
                "{\"value\":null}                       | 92020208 00",
                "{\"value\":[1]}                        | 92020d320b0a0911000000000000f03f",
                "{\"list\":[true]}                      | 9a02040a022001",
                "{\"any\":{\"@type\":\"type.googleapis.com/test.kinds.Inner\",\"name\":\"a\"}} | a2022b0a24747970652e676f6f676c65617069732e636f6d2f746573742e6b696e64732e496e6e657212030a0161",
                "{\"boxed\":\"5\"}                      | aa02020805",
                "{\"boxed\":0}                          | aa0200",
                "{\"boxedText\":\"a\"}                  | b202030a0161",
                "{}                                     | ~~",
            })
    void aMessageIsWrittenAsTheMappingSays(String json, String hex) throws CallException {
        String expected = hex == null ? "" : hex.replace(" ", "");
        assertThat(written(ECHO, " [ " + json + " ] ")).isEqualTo(expected);
        assertThat(writtenText(ECHO, json)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "1081808080808080 10               | \"int64\":\"9007199254740993\"",
                "20ffffffffffffffffff01            | \"uint64\":\"18446744073709551615\"",
                "18ffffffff0f                      | \"uint32\":4294967295",
                "5d0000c07f                        | \"float\":\"NaN\"",
                "61000000000000f0ff                | \"double\":\"-Infinity\"",
                "61000000000000f83f                | \"double\":1.5",
                "7202c3a9                          | \"string\":\"\u00e9\"",
                "72063c3e263d275c                  | \"string\":\"<>&='\\\\\"",
                "72010a                            | \"string\":\"\\n\"",
                "7a02fbff                          | \"bytes\":\"+/8=\"",
                "8001feffffffffffffffff01          | \"color\":\"BLUE\"",
                "8001b960                          | \"color\":12345",
                "8a01021200                        | \"inner\":{\"name\":\"\",\"child\":{\"name\":\"\"}}",
                "9201020102                        | \"numbers\":[\"1\",\"2\"]",
                "900101                            | \"numbers\":[\"1\"]",
                "a201050a01621001a201050a01611002  | \"byName\":{\"a\":\"2\",\"b\":\"1\"}",
                "a201050a01611001a201050a01611002  | \"byName\":{\"a\":\"2\"}",
                "c00100                            | \"number\":\"0\"",
                "c80100                            | \"maybe\":0",
                "da010178                          | \"other\":\"x\"",
                "f2010808011080cab5ee01            | \"at\":\"1970-01-01T00:00:01.500Z\"",
                "fa010808011080cab5ee01            | \"length\":\"1.500s\"",
                "82020c0a03615f620a05632e645f65    | \"mask\":\"aB,c.dE\"",
                "8a02090a070a016112020800          | \"struct\":{\"a\":null}",
                "9202020800                        | \"value\":null",
                "aa02020805                        | \"boxed\":\"5\"",
                "aa0200                            | \"boxed\":\"0\"",
                "fa7f0178                          | \"other\":\"\"",
                "a2022b0a24747970652e676f6f676c65617069732e636f6d2f746573742e6b696e64732e496e6e657212030a0161 | \"any\":{\"@type\":\"type.googleapis.com/test.kinds.Inner\",\"name\":\"a\"}",
            })
    void aMessageIsReadAsTheMappingSays(String hex, String member) throws CallException {
        assertThat(read(hex.replace(" ", ""))).contains(member);
    }

    @Test
    void fieldsWithoutPresenceAreThereAndOthersOnlyIfTheyAreSet() throws CallException {
        assertThat(read(""))
                .isEqualTo(
                        "{\"int32\":0,\"int64\":\"0\",\"uint32\":0,\"uint64\":\"0\",\"sint32\":0,\"sint64\":\"0\",\"fixed32\":0,"
                                + "\"fixed64\":\"0\",\"sfixed32\":0,\"sfixed64\":\"0\",\"float\":0.0,\"double\":0.0,\"bool\":false,"
                                + "\"string\":\"\",\"bytes\":\"\",\"color\":\"COLOR_UNSPECIFIED\",\"numbers\":[],\"inners\":[],"
                                + "\"byName\":{},\"byNumber\":{},\"byFlag\":{},\"snakeCaseName\":\"\",\"other\":\"\"}");
    }

    @Test
    void anEmptyArrayAndAFormWithoutArgumentsAreAMessageWithoutFields() throws CallException {
        assertThat(written(ECHO, "[]")).isEmpty();
        assertThat(writtenText(ECHO)).isEmpty();
        assertThat(written(method("test.kinds.Kinds", "Nothing"), "[{}]")).isEmpty();
        assertThat(read(method("test.kinds.Kinds", "Nothing"), "", false, MAX)).isEqualTo("{}");
    }

    @Test
    void aFormNeedsNoQuotesWhereTheJsonOfTheMessageIsAString() throws CallException {
        MessageMethod text = method("test.kinds.Kinds", "getURL");
        assertThat(writtenText(text, "a\"b")).isEqualTo("0a03612262");
        assertThat(writtenText(text, "\"a\"")).isEqualTo("0a03226122");
        assertThat(written(text, "[\"a\"]")).isEqualTo("0a0161");
        assertThat(read(text, "0a03612262", true, MAX)).isEqualTo("a\"b");
        assertThat(read(text, "0a03612262", false, MAX)).isEqualTo("\"a\\\"b\"");
        MessageMethod at = method("test.kinds.Kinds", "At");
        assertThat(writtenText(at, "1970-01-01T00:00:01Z")).isEqualTo("0801");
        assertThat(writtenText(at, "\"1970-01-01T00:00:01Z\"")).isEqualTo("0801");
        assertThat(read(at, "0801", true, MAX)).isEqualTo("1970-01-01T00:00:01Z");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "[{\"int32\":\"x\"}]                    | args[0].int32: \"x\" (expected: int32)",
                "[{\"int32\":2147483648}]               | args[0].int32: 2147483648 (expected: int32)",
                "[{\"int32\":1.5}]                      | args[0].int32: 1.5 (expected: int32)",
                "[{\"uint64\":-1}]                      | args[0].uint64: -1 (expected: uint64)",
                "[{\"uint64\":\"1e999999999\"}]         | args[0].uint64: \"1e999999999\" (expected: uint64)",
                "[{\"float\":1e39}]                     | args[0].float: 1e39 (expected: float)",
                "[{\"bool\":1}]                         | args[0].bool: 1 (expected: bool)",
                "[{\"bytes\":\"*\"}]                    | args[0].bytes: \"*\" (expected: bytes, in base64)",
                "[{\"color\":\"GREEN\"}]                | args[0].color: \"GREEN\" (expected: one of COLOR_UNSPECIFIED, RED, BLUE)",
                "[{\"inner\":{\"child\":{\"name\":{}}}}] | args[0].inner.child.name: {} (expected: string)",
                "[{\"inner\":5}]                        | args[0].inner: 5 (expected: an object, test.kinds.Inner)",
                "[{\"inners\":{}}]                      | args[0].inners: {} (expected: an array of an object, test.kinds.Inner)",
                "[{\"inners\":[{},{\"nam\":1}]}]        | args[0].inners[1].nam: unknown (expected: a field of test.kinds.Inner: name, child)",
                "[{\"inners\":[{},null]}]               | args[0].inners[1]: null (expected: an object, test.kinds.Inner)",
                "[{\"numbers\":[1,\"a\"]}]              | args[0].numbers[1]: \"a\" (expected: int64)",
                "[{\"byName\":{\"a\":1,\"b\":\"c\"}}]   | args[0].byName.b: \"c\" (expected: int64)",
                "[{\"byNumber\":{\"x\":{}}}]            | args[0].byNumber.x: \"x\" (expected: a key, int32)",
                "[{\"byNumber\":{\"1\":{\"x\":1}}}]     | args[0].byNumber.1.x: unknown (expected: a field of test.kinds.Inner: name, child)",
                "[{\"byName\":[]}]                      | args[0].byName: [] (expected: an object, whose members are the entries of a map)",
                "[{\"at\":\"today\"}]                   | args[0].at: \"today\" (expected: google.protobuf.Timestamp, as \"2024-05-06T07:08:09.5Z\")",
                "[{\"at\":\"1970-00-01T00:00:01Z\"}]    | args[0].at: \"1970-00-01T00:00:01Z\" (expected: google.protobuf.Timestamp, as \"2024-05-06T07:08:09.5Z\")",
                "[{\"length\":\"1.5\"}]                 | args[0].length: \"1.5\" (expected: google.protobuf.Duration, as \"1.5s\")",
                "[{\"boxed\":\"x\"}]                    | args[0].boxed: \"x\" (expected: int64)",
                "[5]                                    | args[0]: 5 (expected: an object, test.kinds.Kind)",
                "[null]                                 | args[0]: null (expected: an object, test.kinds.Kind)",
            })
    void aRefusalNamesTheFieldTheValueAndWhatIsExpected(String array, String detail) {
        CallException refused = refused(ECHO, array);
        assertThat(refused).hasMessage(detail);
        assertThat(refused.outcome()).isEqualTo(Outcome.BAD_ARGUMENT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "[{},{}]               | arguments: 2 (expected: 1: Echo(test.kinds.Kind))",
                "{}                    | arguments: not a JSON array",
                "[] []                 | arguments: more than one JSON array",
                "[{'int32':1}]         | arguments: malformed JSON at line 1, column 3: Unexpected character (''' (code 39)): was expecting double-quote to start field name",
                "[{\"int32\":1,\"int32\":2}] | arguments: malformed JSON at line 1, column 20: Duplicate field 'int32'",
            })
    void whatIsNoJsonOfOneArgumentIsABadRequest(String array, String detail) {
        CallException refused = refused(ECHO, array);
        assertThat(refused).hasMessage(detail);
        assertThat(refused.outcome()).isEqualTo(Outcome.BAD_REQUEST);
    }

    @Test
    void twoMembersOfAOneofAreRefused() {
        assertThat(refused(ECHO, "[{\"inners\":[{}],\"text\":\"a\",\"number\":1}]"))
                .hasMessageStartingWith("args[0]: ")
                .hasMessageContaining("oneof");
        assertThat(refused(ECHO, "[{\"byName\":{\"a\":1},\"by_name\":{\"a\":1}}]"))
                .hasMessageStartingWith("args[0]: ");
    }

    @Test
    void messagesOfProto2KeepTheirRules() throws CallException {
        MessageMethod call = method("test.legacy.Legacy", "call");
        assertThat(refused(call, "[{}]"))
                .hasMessage("args[0]: id missing (expected: all required fields of test.legacy.Old)");
        assertThat(refused(call, "[{\"id\":1,\"closed\":3}]"))
                .hasMessage("args[0].closed: 3 (expected: one of ONE, TWO)");
        assertThat(written(call, "[{\"id\":1,\"closed\":\"TWO\",\"packed\":[1,2],\"part\":{\"name\":\"a\"}}]"))
                .isEqualTo("08011802220201022b0a01612c");
        assertThat(read(call, "08011803220201022b0a01612c", false, MAX))
                .isEqualTo("{\"id\":1,\"packed\":[1,2],\"part\":{\"name\":\"a\"}}");
        assertThat(read(call, "", false, MAX)).isEqualTo("{\"packed\":[]}");
    }

    @Test
    void messagesOfAnEditionKeepTheirFeatures() throws CallException {
        MessageMethod call = method("test.edition.Edition", "Call");
        assertThat(written(call, "[{\"implicit\":0,\"explicit\":0,\"delimited\":{},\"expanded\":[1,2]}]"))
                .isEqualTo("10001b1c20012002");
        assertThat(read(call, "10001b1c20012002", false, MAX))
                .isEqualTo(
                        "{\"implicit\":0,\"explicit\":0,\"delimited\":{\"implicit\":0,\"expanded\":[]},\"expanded\":[1,2]}");
    }

    @Test
    void anAnswerThatIsNoSuchMessageIsAnErrorOfTheProvider() {
        for (String hex : List.of("08", "0a05", "72ff", "7201ff", "8a01ff7f", "0b", "0c", "00", "8a0102120180")) {
            CallException refused = catchThrowableOfType(CallException.class, () -> read(hex));
            assertThat(refused).as(hex).hasMessageStartingWith("not a test.kinds.Kind: ");
            assertThat(refused.outcome()).isEqualTo(Outcome.PROVIDER_ERROR);
        }
    }

    @Test
    void anAnyOfATypeThatIsNotDescribedIsNamed() {
        assertThat(catchThrowableOfType(CallException.class, () -> read("a202050a03612f62")))
                .hasMessageContaining("a/b");
    }

    @Test
    void theJsonOfAnAnswerIsBounded() throws CallException {
        assertThat(read(method("test.kinds.Kinds", "getURL"), "0a0161", false, 3))
                .isEqualTo("\"a\"");
        assertThat(catchThrowableOfType(
                        CallException.class, () -> read(method("test.kinds.Kinds", "getURL"), "0a0161", false, 2)))
                .hasMessage("takes more than 2 bytes as JSON");
    }

    @Test
    @Timeout(20)
    void depthAndNumberOfValuesAreBounded() {
        assertThat(refused(
                        ECHO, "[" + "{\"inner\":".repeat(1) + "{\"child\":".repeat(200) + "{}" + "}".repeat(201) + "]"))
                .hasMessageStartingWith("args[0].inner.child.child");
        assertThat(refused(ECHO, "[".repeat(100_000))).hasMessageContaining("depth");
        assertThat(refused(ECHO, "[{\"numbers\":[" + "1,".repeat(MessageJson.MAX_VALUES) + "1]}]"))
                .hasMessage("args[0]: more than 200000 values (expected: fewer)");
        ByteBuf deep = Unpooled.buffer();
        for (int i = 0; i < 1000; i++) {
            deep.writeByte(0x8b).writeByte(0x02);
        }
        assertThat(catchThrowableOfType(CallException.class, () -> read(ByteBufUtil.hexDump(deep))))
                .hasMessageContaining("more than 100 messages");
        String many = "9a0100".repeat(MessageJson.MAX_VALUES + 1);
        assertThat(catchThrowableOfType(CallException.class, () -> read(many)))
                .hasMessageContaining("more than 200000 values");
        String packed = "920181897a" + "01".repeat(2_000_001);
        assertThat(catchThrowableOfType(CallException.class, () -> read(packed)))
                .hasMessageContaining("more than 200000 values");
    }

    @Test
    @Timeout(20)
    void theValuesOfAnAnyAreBounded() {
        String type = "0a11" + ByteBufUtil.hexDump("x/test.kinds.Kind".getBytes(UTF_8));
        String any = type + field(2, "9a0100".repeat(MessageJson.MAX_VALUES + 1));
        for (String message : List.of(any, field(2, "") + any, field(2, any.substring(0, 2)) + any)) {
            assertThat(catchThrowableOfType(CallException.class, () -> read(field(36, message))))
                    .hasMessageContaining("more than 200000 values");
        }
        String nested = field(36, any);
        for (int i = 0; i < 3; i++) {
            nested = field(36, type + field(2, nested));
        }
        String inner = nested;
        assertThat(catchThrowableOfType(CallException.class, () -> read(inner)))
                .hasMessageContaining("more than 200000 values");
    }

    @Test
    void theMessagesInAnAnyCountForTheDepth() {
        String type = "0a11" + ByteBufUtil.hexDump("x/test.kinds.Kind".getBytes(UTF_8));
        String nested = "";
        for (int i = 0; i < 60; i++) {
            nested = field(36, type + field(2, nested));
        }
        String deep = nested;
        assertThat(catchThrowableOfType(CallException.class, () -> read(deep)))
                .hasMessageContaining("more than 100 messages");
    }

    /** Returns a field of bytes. */
    private static String field(int number, String content) {
        ByteString bytes = ByteString.copyFrom(ByteBufUtil.decodeHexDump(content));
        return ByteBufUtil.hexDump(UnknownFieldSet.newBuilder()
                .addField(
                        number,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(bytes)
                                .build())
                .build()
                .toByteArray());
    }

    @ParameterizedTest
    @ValueSource(strings = {"int32", "int64", "uint32", "uint64", "fixed64", "double", "float", "boxed"})
    @Timeout(10)
    void hostileNumbersTakeNoTime(String field) {
        for (String number : List.of("1e999999999", "1e-999999999", "-1e2147483647", "0e999999999", "9".repeat(900))) {
            try {
                written(ECHO, "[{\"" + field + "\":\"" + number + "\"}]");
                written(ECHO, "[{\"" + field + "\":" + number + "}]");
            } catch (CallException e) {
                assertThat(e.outcome()).isIn(Outcome.BAD_ARGUMENT, Outcome.BAD_REQUEST);
            }
        }
    }

    @Test
    void randomBytesAreReadOrRefused() {
        Random random = new Random(37);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextInt(24)];
            random.nextBytes(bytes);
            try {
                assertThat(read(ByteBufUtil.hexDump(bytes))).startsWith("{");
            } catch (CallException e) {
                assertThat(e.outcome()).isEqualTo(Outcome.PROVIDER_ERROR);
            }
        }
    }

    @Test
    void damagedJsonIsWrittenOrRefused() throws IOException {
        String whole = "[{\"int64\":\"5\",\"inner\":{\"name\":\"a\"},\"numbers\":[1,2],\"byName\":{\"a\":\"1\"},\"at\":"
                + "\"1970-01-01T00:00:01.5Z\",\"struct\":{\"a\":[1,null]},\"any\":{\"@type\":\"/test.kinds.Inner\"}}]";
        Random random = new Random(37);
        for (int i = 0; i < 5_000; i++) {
            StringBuilder damaged = new StringBuilder(whole);
            for (int j = random.nextInt(3); j >= 0; j--) {
                damaged.setCharAt(random.nextInt(whole.length()), "{}[]\",:0a-. \\".charAt(random.nextInt(13)));
            }
            try {
                written(ECHO, damaged.toString());
            } catch (CallException e) {
                assertThat(e.outcome()).isIn(Outcome.BAD_ARGUMENT, Outcome.BAD_REQUEST);
            }
        }
    }
}
