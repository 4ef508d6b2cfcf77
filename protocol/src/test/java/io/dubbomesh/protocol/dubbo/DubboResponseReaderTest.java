package io.dubbomesh.protocol.dubbo;

import com.sun.management.ThreadMXBean;
import io.dubbomesh.protocol.Attachments;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.hessian.HessianLite;
import io.dubbomesh.testsupport.Hex;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
// The field types are those whose bytes are looked at; javac 25 says more of them than 17.
@SuppressWarnings("serial")
class DubboResponseReaderTest {
    private static final Map<String, String> NONE = Map.of();

    private final DubboResponseReader reader = new DubboResponseReader(1 << 20, false, Serialization.HESSIAN2);

    private record Answer(Outcome outcome, Map<String, String> attachments, String document) {}

    private Answer read(int serialization, int status, ByteBuf body, boolean text) {
        ByteBuf in = Unpooled.buffer();
        in.writeZero(3);
        DubboHeader.write(in, serialization, status, 7, body.readableBytes());
        in.writeBytes(body.duplicate()).writeZero(5);
        ByteBuf out = Unpooled.copiedBuffer("<", UTF_8);
        Outcome outcome = reader.read(in, 3, ResultFormat.of(text, false, false), out);
        assertThat(in.refCnt()).isOne();
        assertThat(out.readByte()).isEqualTo((byte) '<');
        int length = out.readUnsignedShort();
        Map<String, String> attachments = new LinkedHashMap<>();
        try {
            Attachments.forEach(
                    out,
                    out.readerIndex(),
                    length,
                    (block, key, keyLength, value, valueLength) -> attachments.put(
                            block.toString(key, keyLength, UTF_8), block.toString(value, valueLength, UTF_8)));
        } catch (CallException e) {
            throw new AssertionError(e);
        }
        out.skipBytes(length);
        return new Answer(outcome, attachments, out.toString(UTF_8));
    }

    private Answer hessian(String body, boolean text) {
        return read(2, 20, Hex.buffer(body), text);
    }

    private Answer fastjson(String body, boolean text) {
        return read(6, 20, Unpooled.copiedBuffer(body, UTF_8), text);
    }

    private static Answer ok(String document) {
        return new Answer(Outcome.OK, NONE, document);
    }

    private static void assertProviderError(Answer answer, String detail) {
        assertThat(answer.outcome()).isEqualTo(Outcome.PROVIDER_ERROR);
        assertThat(answer.attachments()).isEmpty();
        assertThat(answer.document())
                .startsWith("{\"status\":502,")
                .contains(detail)
                .endsWith("}");
    }

    @Test
    void anIntWithDubbosOwnAttachmentsIsItsDigits() {
        String body = "94 49 05e918d2 'H' 05'dubbo' 05'2.0.2' 'Z'";
        assertThat(hessian(body, true)).isEqualTo(ok("99162322"));
        assertThat(hessian(body, false)).isEqualTo(ok("99162322"));
    }

    @Test
    void valuesAreTextOrJson() {
        assertThat(hessian("91 02'hi'", true)).isEqualTo(ok("hi"));
        assertThat(hessian("91 02'hi'", false)).isEqualTo(ok("\"hi\""));
        assertThat(hessian("92", true)).isEqualTo(ok("null"));
        assertThat(hessian("92", false)).isEqualTo(ok("null"));
        assertThat(hessian("95 'H' 'Z'", true)).isEqualTo(ok("null"));
        assertThat(hessian("95 'N'", true)).isEqualTo(ok("null"));
        assertThat(hessian("91 'N'", true)).isEqualTo(ok("null"));
        assertThat(hessian("91 'H' 01'a' 91 'Z'", true)).isEqualTo(ok("{\"a\":1}"));
    }

    @Test
    void theFormatSaysWhetherClassesAreNamed() {
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
        reader.read(in, 0, format, out);
        return out.skipBytes(2).toString(UTF_8);
    }

    @Test
    void attachmentsStandInFrontOfTheValue() {
        assertThat(hessian("94 7a 'H' 'Z' 'C' 01'A' 91 01'x' 60 91 'H' 01'k' 01'v' 02'k2' 02 e4b8ad 21 'Z'", false))
                .isEqualTo(new Answer(Outcome.OK, Map.of("k", "v", "k2", "\u4e2d!"), "[{},{\"x\":1}]"));
        assertThat(hessian("95 'H' 01'k' 00 'Z'", true)).isEqualTo(new Answer(Outcome.OK, Map.of("k", ""), "null"));
    }

    @Test
    void attachmentsThatAreNoBusinessOfTheCallerAreLeftOut() {
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
        assertThat(read(2, 20, HessianLite.write(4, "value", attachments), true))
                .isEqualTo(new Answer(Outcome.OK, Map.of("ok", "fine"), "value"));
    }

    @Test
    void attachmentsTakeNoMoreThanEightKibibytesTogether() {
        Map<String, Object> attachments = new LinkedHashMap<>();
        for (int i = 0; i < 100; i++) {
            attachments.put("key" + i, "v".repeat(1000));
        }
        Answer answer = read(2, 20, HessianLite.write(4, 1, attachments), true);
        assertThat(answer.document()).isEqualTo("1");
        assertThat(answer.attachments()).hasSize(8);
    }

    static final class OutOfMilk extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("unused")
        final List<String> shops = new ArrayList<>(List.of("a", "b"));

        OutOfMilk(String message, Throwable cause) {
            super(message, cause);
        }
    }

    @Test
    void anExceptionIsToldByItsClassAndMessage() {
        OutOfMilk thrown = new OutOfMilk("no \"milk\"", new IllegalStateException("inner"));
        thrown.addSuppressed(new IllegalArgumentException("aside"));
        String name = OutOfMilk.class.getName();
        Answer expected = new Answer(
                Outcome.SERVICE_EXCEPTION,
                Map.of(Attachments.EXCEPTION, name),
                "{\"status\":500,\"title\":\"Internal Server Error\",\"detail\":\"" + name + ": no \\\"milk\\\"\","
                        + "\"code\":\"SERVICE_EXCEPTION\",\"exceptionClass\":\"" + name
                        + "\",\"exceptionMessage\":\"no \\\"milk\\\"\",\"causes\":[{\"class\":"
                        + "\"java.lang.IllegalStateException\",\"message\":\"inner\"}]}");
        assertThat(read(2, 20, HessianLite.write(0, thrown), true)).isEqualTo(expected);
        assertThat(read(2, 20, HessianLite.write(3, thrown, new HashMap<>(Map.of("dubbo", "2.0.2"))), false))
                .isEqualTo(expected);
        assertThat(read(2, 20, HessianLite.write(3, thrown, new HashMap<>(Map.of("k", "v"))), false)
                        .attachments())
                .isEqualTo(Map.of("k", "v", Attachments.EXCEPTION, name));
    }

    @Test
    void anExceptionMayHaveNoMessage() {
        Answer answer = read(2, 20, HessianLite.write(0, new NullPointerException()), true);
        assertThat(answer.document())
                .endsWith("\"detail\":\"java.lang.NullPointerException\",\"code\":\"SERVICE_EXCEPTION\","
                        + "\"exceptionClass\":\"java.lang.NullPointerException\",\"exceptionMessage\":null}");
    }

    @Test
    void theExceptionOfAGenericCallIsTheOneInside() {
        Answer answer = hessian(
                "90 'C' 30 2e 'com.alibaba.dubbo.rpc.service.GenericException' 93 0d'detailMessage' 0e'exceptionClass' 10'exceptionMessage'"
                        + "60 05'outer' 06'a.Boom' 05'inner'",
                true);
        assertThat(answer.attachments()).isEqualTo(Map.of(Attachments.EXCEPTION, "a.Boom"));
        assertThat(answer.document())
                .contains("\"detail\":\"a.Boom: inner\"")
                .contains("\"exceptionMessage\":\"inner\"");
        Answer other = hessian("90 'C' 03'a.B' 92 0e'exceptionClass' 0d'detailMessage' 60 06'a.Boom' 05'outer'", true);
        assertThat(other.attachments()).isEqualTo(Map.of(Attachments.EXCEPTION, "a.B"));
        assertThat(other.document()).contains("\"exceptionMessage\":\"outer\"");
    }

    @Test
    void whatAnExceptionSaysIsBounded() {
        RuntimeException thrown = new RuntimeException("\r\n" + "\u4e2d".repeat(1_000_000));
        Answer answer = read(2, 20, HessianLite.write(0, thrown), true);
        assertThat(answer.outcome()).isEqualTo(Outcome.SERVICE_EXCEPTION);
        assertThat(answer.document()).contains("\"exceptionMessage\":\"\\r\\n" + "\u4e2d".repeat(2730) + "\"");
        assertThat(answer.document().getBytes(UTF_8)).hasSizeLessThan(12_000);

        Answer hostile = hessian("90 'C' 07'a\r\n: b\"' 90 60", true);
        assertThat(hostile.attachments()).isEqualTo(Map.of(Attachments.EXCEPTION, "a????b?"));
    }

    @Test
    void statusesOtherThanOkBearAText() {
        Answer answer =
                read(2, 70, HessianLite.write("Not found exported service: a.B in [..]\n\tat a.b.C(D.java:1)"), true);
        assertThat(answer.outcome()).isEqualTo(Outcome.SERVICE_NOT_FOUND);
        assertThat(answer.document())
                .isEqualTo("{\"status\":404,\"title\":\"Not Found\",\"detail\":\"provider answered with status 70: "
                        + "Not found exported service: a.B in [..]\",\"code\":\"SERVICE_NOT_FOUND\"}");
        assertThat(read(6, 100, Unpooled.copiedBuffer("\"pool exhausted\"\n", UTF_8), true)
                        .outcome())
                .isEqualTo(Outcome.OVERLOADED);
        assertThat(read(2, 31, Unpooled.EMPTY_BUFFER, true))
                .isEqualTo(
                        new Answer(
                                Outcome.TIMEOUT,
                                NONE,
                                "{\"status\":504,\"title\":\"Gateway Timeout\",\"detail\":\"provider answered with status 31\",\"code\":\"TIMEOUT\"}"));
        assertThat(read(2, 80, HessianLite.write("x".repeat(100_000)), true).document())
                .hasSizeLessThan(1300);
        assertThat(read(6, 40, Unpooled.copiedBuffer("garbage", UTF_8), true).outcome())
                .isEqualTo(Outcome.BAD_REQUEST);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "96",
                "8f",
                "'N'",
                "e1 90",
                "91",
                "94 90",
                "94 90 90",
                "93 60 'H' 'Z'",
                "95 'H'",
                "95 'H' 01'k' 'Z'",
                "92 92",
                "91 90 90",
                "94 90 'H' 'Z' 90",
                "90 05'hello'",
                "90 'N'",
                "90 'H' 'Z'",
                "91 'Z'",
                "91 7a 90",
                "91 'C' 01'A' 91 01'x' 60 'Q' 90"
            })
    void aMalformedBodyIsTheProvidersError(String body) {
        assertProviderError(hessian(body, true), "provider's answer: ");
        assertProviderError(hessian(body, false), "provider's answer: ");
    }

    @ParameterizedTest
    @CsvSource({"0", "3", "4", "7", "8", "21", "31"})
    void otherSerializationsAreNotRead(int id) {
        assertProviderError(read(id, 20, Hex.buffer("91 90"), true), "serialization id " + id);
        assertProviderError(read(id, 100, Hex.buffer("00"), true), "serialization id " + id);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dabb0214",
                "dabb021400000000000000070000000391 90",
                "dabb02140000000000000007ffffffff",
                "dabb021400000000000000077fffffff"
            })
    void aFrameThatIsNotThereIsTheProvidersError(String frame) {
        ByteBuf out = Unpooled.buffer();
        assertThat(reader.read(Hex.buffer(frame), 0, ResultFormat.of(true, false, false), out))
                .isEqualTo(Outcome.PROVIDER_ERROR);
        assertThat(out.toString(UTF_8)).contains("ends within its frame");
    }

    @Test
    void whatALargeValueHasLeftIsRemoved() {
        Answer answer = read(2, 20, HessianLite.write(4, new byte[2 << 20], new HashMap<>(Map.of("k", "v"))), true);
        assertProviderError(answer, "more than 1048576 bytes of text");
    }

    @Test
    void aSerializationThatTheProviderDoesNotExpectNamesTheSetting() {
        ByteBuf text = HessianLite.write("Unexpected serialization id:2 received from network");
        assertThat(read(2, 40, text, true).document())
                .contains("status 40 in hessian2 to a request in hessian2 (see dubbo.serialization): Unexpected");
        assertThat(read(2, 40, HessianLite.write("else"), true).document()).doesNotContain("dubbo.serialization");
    }

    @Test
    void fastjsonIsReadByItsLines() {
        assertThat(fastjson("1\n99162322\n", true)).isEqualTo(ok("99162322"));
        assertThat(fastjson("1\n-5", false)).isEqualTo(ok("-5"));
        assertThat(fastjson("2\n", true)).isEqualTo(ok("null"));
        assertThat(fastjson("1\nnull\n", true)).isEqualTo(ok("null"));
        assertThat(fastjson("1\n1.5\n", true)).isEqualTo(ok("1.5"));
        assertThat(fastjson("1\ntrue\n", true)).isEqualTo(ok("true"));
        assertThat(fastjson("1\n\"a\\\"\\u4e2d\"\n", true)).isEqualTo(ok("a\"\u4e2d"));
        assertThat(fastjson("1\n\"a\\\"\\u4e2d\"\n", false)).isEqualTo(ok("\"a\\\"\\u4e2d\""));
        assertThat(fastjson("1\n{\"a\":[1]}\n", true)).isEqualTo(ok("{\"a\":[1]}"));
        assertThat(fastjson("4\n\"x\"\n{\"dubbo\":\"2.0.2\",\"k\":\"v\",\"n\":1,\"o\":{}}\n", true))
                .isEqualTo(new Answer(Outcome.OK, Map.of("k", "v"), "x"));
        assertThat(fastjson("5\nnull\n", true)).isEqualTo(ok("null"));
        assertThat(fastjson("4\n\"\\ud83d\\u4e22\"\n{\"k\":\"\\ud83d\\u4e22\"}\n", true))
                .isEqualTo(new Answer(Outcome.OK, Map.of("k", "\ufffd\u4e22"), "\ufffd\u4e22"));
    }

    @Test
    void fastjsonExceptionsAreToldToo() {
        Answer answer = fastjson(
                "0\n{\"cause\":{\"message\":\"inner\"},\"localizedMessage\":\"m\",\"message\":\"m\",\"stackTrace\":[{}]}\n",
                true);
        assertThat(answer.outcome()).isEqualTo(Outcome.SERVICE_EXCEPTION);
        assertThat(answer.attachments()).isEqualTo(Map.of(Attachments.EXCEPTION, "java.lang.Throwable"));
        assertThat(answer.document()).contains("\"exceptionMessage\":\"m\"", "\"message\":\"inner\"");
        assertThat(fastjson("3\n{\"@type\":\"a.Boom\"}\n{\"k\":\"v\"}\n", true).attachments())
                .isEqualTo(Map.of("k", "v", Attachments.EXCEPTION, "a.Boom"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n",
                "1",
                "1\n",
                "1\n\n",
                "6\n1\n",
                "x\n1\n",
                "11\n1\n",
                "1\n01\n",
                "1\n-\n",
                "1\n1 2\n",
                "1\n{\"a\":1\n",
                "1\n{a:1}\n",
                "1\nfoo\n",
                "1\n1\n1\n",
                "2\nnull\n",
                "4\n1\n",
                "4\n1\n5\n",
                "0\n5\n",
                "0\n{\n",
                "0\nnull\n",
                "1\n\"a\u0001\"\n",
                "1\n[1]]\n"
            })
    void aMalformedFastjsonBodyIsTheProvidersError(String body) {
        assertProviderError(fastjson(body, true), "provider's answer: ");
        assertProviderError(fastjson(body, false), "provider's answer: ");
    }

    static final class Everything implements Serializable {
        private static final long serialVersionUID = 1L;
        final String text = "x\u4e2d\ud83d\ude00".repeat(20);
        final Object[] values = {
            1,
            1L,
            1.5,
            300,
            70_000,
            1 << 30,
            70_000L,
            1L << 40,
            true,
            null,
            new byte[40],
            new Date(1),
            new int[] {1, 2},
            new BigDecimal("1.5"),
            BigInteger.TEN,
            Thread.State.NEW,
            new HashMap<>(Map.of(1, "a", 2, "b"))
        };
        final Object again = values;
    }

    private static List<ByteBuf> validBodies() {
        HashMap<String, String> attachments = new HashMap<>(Map.of("dubbo", "2.0.2", "k", "v"));
        return List.of(
                HessianLite.write(4, new Everything(), attachments),
                HessianLite.write(3, new OutOfMilk("m", new IllegalStateException()), attachments),
                HessianLite.write(1, new ArrayList<>(List.of(new Everything(), "y".repeat(40)))),
                HessianLite.write(5, attachments),
                Unpooled.copiedBuffer("4\n{\"a\":[1,\"\u4e2d\"]}\n{\"k\":\"v\"}\n", UTF_8),
                Unpooled.copiedBuffer("0\n{\"message\":\"m\",\"x\":[1.5,null]}\n", UTF_8));
    }

    private static int serializationOf(ByteBuf body) {
        return body.getByte(0) < 0 ? 2 : 6;
    }

    @Test
    void everyBodyCutShortIsTheProvidersError() {
        for (ByteBuf body : validBodies()) {
            int serialization = serializationOf(body);
            assertThat(read(serialization, 20, body, true).outcome()).isIn(Outcome.OK, Outcome.SERVICE_EXCEPTION);
            // The last line break of fastjson may be missing.
            for (int length = body.readableBytes() - (serialization == 2 ? 1 : 2); length >= 0; length--) {
                assertProviderError(
                        read(serialization, 20, body.slice(0, length), length % 2 == 0), "provider's answer: ");
            }
        }
    }

    @Test
    void everyBodyWithOneByteChangedHasAnOutcome() {
        for (ByteBuf body : validBodies()) {
            int serialization = serializationOf(body);
            for (int i = 0; i < body.readableBytes(); i++) {
                ByteBuf changed = body.copy();
                for (int value : new int[] {0x00, 0x7f, 0xff, 'Q', 'C', 'R', 'X', 'H', 'Z', 'I', 0x60, 0x91}) {
                    changed.setByte(i, value);
                    read(serialization, 20, changed, i % 2 == 0);
                }
            }
        }
    }

    @Test
    void randomBytesHaveAnOutcome() {
        Random random = new Random(20260521);
        String tags = "CHMNOQRSUVWXZTFIJKLDAB";
        for (int i = 0; i < 30_000; i++) {
            ByteBuf body = Unpooled.buffer();
            body.writeByte(0x90 + random.nextInt(6));
            for (int length = random.nextInt(60); length > 0; length--) {
                switch (random.nextInt(4)) {
                    case 0 -> body.writeByte(random.nextInt(256));
                    case 1 -> body.writeByte(tags.charAt(random.nextInt(tags.length())));
                    case 2 -> body.writeByte(0x90 + random.nextInt(6));
                    default -> body.writeByte(random.nextInt(4));
                }
            }
            read(2, 20, body, random.nextBoolean());
            if (i % 10 == 0) {
                body.setByte(0, '0' + random.nextInt(6)).setByte(1, '\n');
                read(6, random.nextInt(256), body, random.nextBoolean());
                read(2, random.nextInt(256), body, random.nextBoolean());
            }
        }
    }

    @Test
    void hugeBodiesAreReadOrRefusedInTime() {
        ByteBuf lists = Unpooled.buffer().writeByte(0x91);
        lists.writeByte('X').writeByte('I').writeInt(8 << 20);
        lists.writeBytes(new byte[0]);
        for (int i = 0; i < 8 << 20; i++) {
            lists.writeByte(0x78);
        }
        assertProviderError(read(2, 20, lists, true), "more than");
        ByteBuf definitions = Unpooled.buffer().writeByte(0x91);
        for (int i = 0; i < 2 << 20; i++) {
            definitions.writeBytes(new byte[] {'C', 0, (byte) 0x90});
        }
        definitions.writeByte(0x60);
        assertProviderError(read(2, 20, definitions, true), "more than 65536 class definitions");
        ByteBuf chunks = Unpooled.buffer().writeByte(0x91);
        for (int i = 0; i < 2 << 20; i++) {
            chunks.writeBytes(new byte[] {'R', 0, 0});
        }
        chunks.writeByte(0);
        assertThat(read(2, 20, chunks, true)).isEqualTo(ok(""));
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
                reader.read(in, 0, ResultFormat.of(true, false, false), out.clear());
            }
            allocated = Math.min(allocated, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(allocated).isLessThan(2000);
    }
}
