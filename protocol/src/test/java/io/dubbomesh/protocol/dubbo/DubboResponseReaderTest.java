package io.dubbomesh.protocol.dubbo;

import com.sun.management.ThreadMXBean;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.AnswerReader.Answer;
import io.dubbomesh.protocol.hessian.HessianLite;
import io.dubbomesh.protocol.value.ReadingTime;
import io.dubbomesh.testsupport.Hex;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static io.dubbomesh.protocol.dubbo.AnswerReader.NONE;
import static io.dubbomesh.protocol.dubbo.AnswerReader.assertProviderError;
import static io.dubbomesh.protocol.dubbo.AnswerReader.ok;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class DubboResponseReaderTest {
    private final AnswerReader answers = new AnswerReader();
    private final DubboResponseReader brief = answers.reader.brief(ReadingTime.ofTurn(() -> 0));

    @Test
    void anIntWithDubbosOwnAttachmentsIsItsDigits() {
        String body = "94 49 05e918d2 'H' 05'dubbo' 05'2.0.2' 'Z'";
        assertThat(answers.hessian(body, true)).isEqualTo(ok("99162322"));
        assertThat(answers.hessian(body, false)).isEqualTo(ok("99162322"));
    }

    @Test
    void valuesAreTextOrJson() {
        assertThat(answers.hessian("91 02'hi'", true)).isEqualTo(ok("hi"));
        assertThat(answers.hessian("91 02'hi'", false)).isEqualTo(ok("\"hi\""));
        assertThat(answers.hessian("92", true)).isEqualTo(ok("null"));
        assertThat(answers.hessian("92", false)).isEqualTo(ok("null"));
        assertThat(answers.hessian("95 'H' 'Z'", true)).isEqualTo(ok("null"));
        assertThat(answers.hessian("95 'N'", true)).isEqualTo(ok("null"));
        assertThat(answers.hessian("91 'N'", true)).isEqualTo(ok("null"));
        assertThat(answers.hessian("91 'H' 01'a' 91 'Z'", true)).isEqualTo(ok("{\"a\":1}"));
    }

    @Test
    void theFormatDecidesWhetherClassesAreNamed() {
        String object = "91 'C' 03'a.B' 91 01'x' 60 91";
        String map = "91 'H' 05'class' 03'a.B' 01'x' 91 'Z'";
        String bare = "{\"x\":1}";
        String named = "{\"class\":\"a.B\",\"x\":1}";
        assertThat(document(object, ResultFormat.of(false, false, false))).isEqualTo(bare);
        assertThat(document(object, ResultFormat.of(true, true, false))).isEqualTo(named);
        assertThat(document(map, ResultFormat.of(false, false, false))).isEqualTo(named);
        assertThat(document(map, ResultFormat.of(true, false, true))).isEqualTo(bare);
        assertThat(document(map, ResultFormat.of(false, true, true))).isEqualTo(named);
    }

    private String document(String body, ResultFormat format) {
        ByteBuf bytes = Hex.buffer(body);
        ByteBuf in = Unpooled.buffer();
        DubboHeader.write(in, 2, 20, 7, bytes.readableBytes());
        in.writeBytes(bytes);
        ByteBuf out = Unpooled.buffer();
        answers.reader.read(in, 0, format, out);
        return out.skipBytes(2).toString(UTF_8);
    }

    /** Returns the outcome of a brief reader, which must be that of the other one unless it is null. */
    private Outcome brief(String body) {
        ByteBuf bytes = Hex.buffer(body);
        ByteBuf in = Unpooled.buffer();
        DubboHeader.write(in, 2, 20, 7, bytes.readableBytes());
        in.writeBytes(bytes);
        ResultFormat format = ResultFormat.of(false, false, false);
        ByteBuf out = Unpooled.buffer();
        Outcome outcome = brief.read(in, 0, format, out);
        if (outcome != null) {
            ByteBuf expected = Unpooled.buffer();
            assertThat(answers.reader.read(in, 0, format, expected)).isEqualTo(outcome);
            assertThat(out).isEqualTo(expected);
        }
        return outcome;
    }

    private static String list(int length, String value) {
        return "91 58 49" + Hex.u32(length) + value.repeat(length);
    }

    @Test
    void aBriefReaderReadsWhatIsShort() {
        assertThat(brief("91 02'hi'")).isEqualTo(Outcome.OK);
        assertThat(brief("94 7a 'H' 'Z' 91 'H' 01'k' 01'v' 'Z'")).isEqualTo(Outcome.OK);
        assertThat(brief("90 'C' 03'a.B' 91 0d'detailMessage' 60 02'no'")).isEqualTo(Outcome.SERVICE_EXCEPTION);
        // One byte for the type of the result, one for the list, five for its length.
        assertThat(brief(list(DubboResponseReader.MAX_BRIEF - 7, "90"))).isEqualTo(Outcome.OK);
    }

    @Test
    void aBriefReaderLeavesWhatTakesLongToAnother() {
        assertThat(brief(list(DubboResponseReader.MAX_BRIEF - 6, "90"))).isNull();
        // Each null takes five bytes of JSON.
        assertThat(brief(list(60_000, "4e"))).isNull();
        // A list and 20,000 references to it.
        assertThat(brief("91 58 49" + Hex.u32(20_001) + "7990" + "5191".repeat(20_000)))
                .isNull();
    }

    @Test
    void aBriefReaderLeavesItToAnotherToSayWhatIsMalformed() {
        assertThat(brief("91 'N' 'N'")).isNull();
        assertThat(brief("91 79")).isNull();
    }

    @Test
    void aBriefReaderHidesTheTokensOfTheOther() {
        answers.reader.redact(List.of("s3cret-token"));
        ByteBuf bytes = Hex.buffer("90 'C' 03'a.B' 91 0d'detailMessage' 60 12'is s3cret-token ok'");
        ByteBuf in = Unpooled.buffer();
        DubboHeader.write(in, 2, 20, 7, bytes.readableBytes());
        in.writeBytes(bytes);
        ByteBuf out = Unpooled.buffer();
        brief.read(in, 0, ResultFormat.of(false, false, false), out);
        assertThat(out.toString(UTF_8)).contains("is ... ok").doesNotContain("s3cret");
    }

    @Test
    void attachmentsComeBeforeTheValue() {
        assertThat(answers.hessian(
                        "94 7a 'H' 'Z' 'C' 01'A' 91 01'x' 60 91 'H' 01'k' 01'v' 02'k2' 02 e4b8ad 21 'Z'", false))
                .isEqualTo(new Answer(Outcome.OK, Map.of("k", "v", "k2", "\u4e2d!"), "[{},{\"x\":1}]"));
        assertThat(answers.hessian("95 'H' 01'k' 00 'Z'", true))
                .isEqualTo(new Answer(Outcome.OK, Map.of("k", ""), "null"));
    }

    @Test
    void attachmentsThatAreNotForTheCallerAreLeftOut() {
        Map<String, Object> attachments = new HashMap<>(Map.of(
                "dubbo",
                "2.0.2",
                "path",
                "p",
                "_TO",
                "5",
                "input",
                "x",
                ":exception",
                "y",
                "bad",
                "a\r\nb",
                "n",
                5,
                "list",
                new ArrayList<>(List.of("a")),
                "long",
                "v".repeat(9000),
                "ok",
                "fine"));
        attachments.put("bad\u0001key", "x");
        attachments.put("del", "\u007f");
        attachments.put("", "empty");
        attachments.put("null", null);
        attachments.put("flag", true);
        assertThat(answers.read(2, 20, HessianLite.write(4, "value", attachments), true))
                .isEqualTo(new Answer(Outcome.OK, Map.of("ok", "fine", "n", "5", "flag", "true"), "value"));
    }

    @Test
    void attachmentsTakeNoMoreThanEightKibibytesTogether() {
        Map<String, Object> attachments = new LinkedHashMap<>();
        for (int i = 0; i < 100; i++) {
            attachments.put("key" + i, "v".repeat(1000));
        }
        Answer answer = answers.read(2, 20, HessianLite.write(4, 1, attachments), true);
        assertThat(answer.document()).isEqualTo("1");
        assertThat(answer.attachments()).hasSize(8);
    }

    @Test
    void statusesOtherThanOkHaveAText() {
        Answer answer = answers.read(
                2, 70, HessianLite.write("Not found exported service: a.B in [..]\n\tat a.b.C(D.java:1)"), true);
        assertThat(answer.outcome()).isEqualTo(Outcome.SERVICE_NOT_FOUND);
        assertThat(answer.document())
                .isEqualTo("{\"status\":404,\"title\":\"Not Found\",\"detail\":\"provider answered with status 70: "
                        + "Not found exported service: a.B in [..]\",\"code\":\"SERVICE_NOT_FOUND\"}");
        assertThat(answers.read(6, 100, Unpooled.copiedBuffer("\"pool exhausted\"\n", UTF_8), true)
                        .outcome())
                .isEqualTo(Outcome.OVERLOADED);
        assertThat(answers.read(2, 31, Unpooled.EMPTY_BUFFER, true))
                .isEqualTo(
                        new Answer(
                                Outcome.TIMEOUT,
                                NONE,
                                "{\"status\":504,\"title\":\"Gateway Timeout\",\"detail\":\"provider answered with status 31\",\"code\":\"TIMEOUT\"}"));
        assertThat(answers.read(2, 80, HessianLite.write("x".repeat(100_000)), true)
                        .document())
                .hasSizeLessThan(1300);
        assertThat(answers.read(6, 40, Unpooled.copiedBuffer("garbage", UTF_8), true)
                        .outcome())
                .isEqualTo(Outcome.BAD_REQUEST);
    }

    /**
     * The texts of Dubbo 3.2.19 and 3.3.6 for a call with an object of a class that their check refuses, and for one of
     * a method that they do not have.
     */
    @ParameterizedTest
    @CsvSource({
        "false, METHOD_NOT_FOUND, it has no such method with these parameter types",
        "true, BAD_ARGUMENT, the provider cannot read an argument (its class check may refuse a class that the call names"
    })
    void anArgumentIsToBlameIfAKnownMethodCannotBeDecoded(boolean known, Outcome expected, String detail) {
        ByteBuf text = HessianLite.write(
                "Fail to decode request due to: RpcInvocation [methodName=area, parameterTypes=null]");
        ByteBuf in = Unpooled.buffer();
        DubboHeader.write(in, 2, 40, 7, text.readableBytes());
        in.writeBytes(text);
        ByteBuf out = Unpooled.buffer();
        ResultFormat format = ResultFormat.of(true, false, false);

        assertThat(answers.reader.read(in, 0, known ? format.ofKnownMethod() : format, out))
                .isEqualTo(expected);
        assertThat(out.skipBytes(2).toString(UTF_8)).contains(detail, "security/serialize.allowlist");
    }

    @ParameterizedTest
    @CsvSource({
        "false, 'the provider demands a token, and none is set for this service (dubbo.token or dubbo.token-file of the provider agent)'",
        "true, the provider refuses the token that is set for this service (dubbo.token or dubbo.token-file of the provider agent)"
    })
    void aTokenThatIsRefusedNamesTheSettingAndIsNotRepeated(boolean token, String detail) {
        ByteBuf text = HessianLite.write(
                "org.apache.dubbo.rpc.RpcException: Invalid token! Forbid invoke remote service "
                        + "interface a.B method c() from consumer 192.0.2.1 to provider 192.0.2.2, consumer incorrect token is s3cret");
        ByteBuf in = Unpooled.buffer();
        DubboHeader.write(in, 2, 70, 7, text.readableBytes());
        in.writeBytes(text);
        ByteBuf out = Unpooled.buffer();

        Outcome outcome = answers.reader.read(in, 0, ResultFormat.of(true, false, false, token), out);
        assertThat(outcome).isEqualTo(Outcome.PROVIDER_REFUSED_TOKEN);
        assertThat(out.skipBytes(2).toString(UTF_8))
                .isEqualTo("{\"status\":502,\"title\":\"Bad Gateway\",\"detail\":\"" + detail
                        + "\",\"code\":\"PROVIDER_REFUSED_TOKEN\"}");
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "5", "31"})
    void unknownSerializationsAreNotRead(int id) {
        assertProviderError(answers.read(id, 20, Hex.buffer("91 90"), true), "serialization id " + id);
        assertProviderError(answers.read(id, 100, Hex.buffer("00"), true), "serialization id " + id);
    }

    @ParameterizedTest
    @CsvSource({"3, java", "8, kryo", "9, fst", "12, protostuff", "21, protobuf-json", "25, kryo2", "28, fury"})
    void aSerializationThatIsNotSpokenIsNamedWithWhatToSet(int id, String name) {
        String detail = "the provider answered in " + name
                + ", which the agent does not read (expected: hessian2, fastjson, fastjson2): set the provider's serialization to hessian2";
        assertProviderError(answers.read(id, 20, Hex.buffer("91 90"), true), detail);
        assertProviderError(answers.read(id, 40, Hex.buffer("00"), true), detail);
    }

    @Test
    void aSerializationThatTheProviderDoesNotExpectNamesTheSetting() {
        ByteBuf text = HessianLite.write("Unexpected serialization id:2 received from network");
        assertThat(answers.read(2, 40, text, true).document())
                .contains("status 40 in hessian2 to a request in hessian2 (see dubbo.serialization): Unexpected");
        assertThat(answers.read(2, 40, HessianLite.write("else"), true).document())
                .doesNotContain("dubbo.serialization");
    }

    @ParameterizedTest
    @CsvSource({
        "2, 944905e918d2480564756262" + "6f05322e302e325a",
        "2, 914905e918d2",
        "2, 9105" + "68656c6c6f",
        "6, 310a39393136323332320a",
        "23, 00000002bd04 00000005 4805e918d2" + "0000000e a6 4e647562626f 4e322e302e32 a5"
    })
    void aShortResultCostsNoAllocation(int serialization, String body) {
        ByteBuf in = Unpooled.buffer();
        ByteBuf bytes = Hex.buffer(body);
        DubboHeader.write(in, serialization, 20, 7, bytes.readableBytes());
        in.writeBytes(bytes);
        ByteBuf out = Unpooled.buffer();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = Long.MAX_VALUE;
        // The first rounds load classes and compile.
        for (int round = 0; round < 5; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 2000; i++) {
                answers.reader.read(in, 0, ResultFormat.of(true, false, false), out.clear());
            }
            allocated = Math.min(allocated, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(allocated).isLessThan(2000);
    }
}
