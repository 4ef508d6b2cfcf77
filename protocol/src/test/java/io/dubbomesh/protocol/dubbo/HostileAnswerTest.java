package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.AnswerReader.Answer;
import io.dubbomesh.protocol.hessian.HessianLite;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.Selection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static io.dubbomesh.protocol.dubbo.AnswerReader.assertProviderError;
import static io.dubbomesh.protocol.dubbo.AnswerReader.ok;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
// The field types are those whose bytes are looked at; javac 25 says more of them than 17.
@SuppressWarnings("serial")
class HostileAnswerTest {
    private static final int[] VALUES = {0x00, 0x7f, 0xff, 'Q', 'C', 'R', 'X', 'H', 'Z', 'I', 0x60, 0x91};
    /** The step between the values that a byte is given; neighbours get others. */
    private static final int STEP = Selection.isAll() ? 1 : 4;

    private final AnswerReader answers = new AnswerReader();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "96",
                "8f",
                "'N'",
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
        assertProviderError(answers.hessian(body, true), "provider's answer: ");
        assertProviderError(answers.hessian(body, false), "provider's answer: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dabb0214",
                "dabb021400000000000000070000000391 90",
                "dabb02140000000000000007ffffffff",
                "dabb021400000000000000077fffffff"
            })
    void anIncompleteFrameIsTheProvidersError(String frame) {
        ByteBuf out = Unpooled.buffer();
        assertThat(answers.reader.read(Hex.buffer(frame), 0, ResultFormat.of(true, false, false), out))
                .isEqualTo(Outcome.PROVIDER_ERROR);
        assertThat(out.toString(UTF_8)).contains("ends within its frame");
    }

    @Test
    void listsThatReferToOneAnotherAreNotWrittenOutFarBeyondWhatTheyAre() {
        List<Object> value = new ArrayList<>(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
        for (int depth = 0; depth < 30; depth++) {
            value = new ArrayList<>(Collections.nCopies(10, value));
        }
        ByteBuf body = HessianLite.write(4, value, new HashMap<>(Map.of("k", "v")));
        assertThat(body.readableBytes()).isLessThan(1_000);

        assertProviderError(new AnswerReader(8 << 20).read(2, 20, body, true), "more often than is allowed");
    }

    @Test
    void theStartOfAValueThatIsTooLargeIsRemoved() {
        Answer answer =
                answers.read(2, 20, HessianLite.write(4, new byte[2 << 20], new HashMap<>(Map.of("k", "v"))), true);
        assertProviderError(answer, "more than 1048576 bytes of text");
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
                HessianLite.write(3, new IllegalArgumentException("m", new IllegalStateException()), attachments),
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
            assertThat(answers.read(serialization, 20, body, true).outcome())
                    .isIn(Outcome.OK, Outcome.SERVICE_EXCEPTION);
            // The last line break of fastjson may be missing.
            for (int length = body.readableBytes() - (serialization == 2 ? 1 : 2); length >= 0; length--) {
                assertProviderError(
                        answers.read(serialization, 20, body.slice(0, length), length % 2 == 0), "provider's answer: ");
            }
        }
    }

    @Test
    void everyBodyWithOneByteChangedHasAnOutcome() {
        for (ByteBuf body : validBodies()) {
            int serialization = serializationOf(body);
            for (int i = 0; i < body.readableBytes(); i++) {
                ByteBuf changed = body.copy();
                for (int v = i % STEP; v < VALUES.length; v += STEP) {
                    changed.setByte(i, VALUES[v]);
                    answers.read(serialization, 20, changed, i % 2 == 0);
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
            answers.read(2, 20, body, random.nextBoolean());
            if (i % 10 == 0) {
                body.setByte(0, '0' + random.nextInt(6)).setByte(1, '\n');
                answers.read(6, random.nextInt(256), body, random.nextBoolean());
                answers.read(2, random.nextInt(256), body, random.nextBoolean());
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
        assertProviderError(answers.read(2, 20, lists, true), "more than");
        ByteBuf definitions = Unpooled.buffer().writeByte(0x91);
        for (int i = 0; i < 2 << 20; i++) {
            definitions.writeBytes(new byte[] {'C', 0, (byte) 0x90});
        }
        definitions.writeByte(0x60);
        assertProviderError(answers.read(2, 20, definitions, true), "more than 65536 class definitions");
        ByteBuf chunks = Unpooled.buffer().writeByte(0x91);
        for (int i = 0; i < 2 << 20; i++) {
            chunks.writeBytes(new byte[] {'R', 0, 0});
        }
        chunks.writeByte(0);
        assertThat(answers.read(2, 20, chunks, true)).isEqualTo(ok(""));
    }
}
