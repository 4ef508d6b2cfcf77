package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.SmallStack;
import io.dubbomesh.protocol.hessian.HessianLite;
import io.dubbomesh.testsupport.Hex;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Any bytes from a provider have an outcome, on a small stack and with memory bounded by their length. */
@Timeout(120)
// The field types are those whose bytes are looked at; javac 25 says more of them than 17.
@SuppressWarnings("serial")
class HostileHessianTest {
    private static final int LEVELS = 10_000;
    /** The bytes that an answer of a few bytes may allocate: the problem document and what makes it. */
    private static final int FLAT = 16 << 10;
    /** The bytes that each further byte may allocate: an entry in a table, and the table when it grows. */
    private static final int PER_BYTE = 24;

    private static final String INT_MAX = "49 7fffffff";
    private static final String[] NUMBERS = {INT_MAX, "49 80000000", "49 ffffffff", "8f", "49 00010000"};
    private static final String CLASS_A = "'C' 01'A' 91 01'x' ";

    private final ByteBuf out = Unpooled.buffer(4 << 20);
    private DubboResponseReader reader = new DubboResponseReader(1 << 20, true, Serialization.HESSIAN2);
    private long most;

    /** Reads an answer with this body, in one of the eight formats, and requires that it allocates little. */
    private Outcome read(ByteBuf body, int format) {
        ByteBuf in = Unpooled.buffer(DubboHeader.LENGTH + body.readableBytes());
        DubboHeader.write(in, 2, DubboStatus.OK, 7, body.readableBytes());
        in.writeBytes(body, body.readerIndex(), body.readableBytes());
        ResultFormat how = ResultFormat.of((format & 1) != 0, (format & 2) != 0, (format & 4) != 0);
        Outcome outcome = null;
        long allocated = Long.MAX_VALUE;
        // The first run may load classes.
        for (int i = 0; i < 3 && allocated > FLAT + (long) PER_BYTE * body.readableBytes(); i++) {
            long before = SmallStack.allocated();
            outcome = reader.read(in, 0, how, out.clear());
            allocated = SmallStack.allocated() - before;
        }
        most = Math.max(most, allocated);
        if (allocated > FLAT + (long) PER_BYTE * body.readableBytes()) {
            throw new AssertionError(allocated + " bytes for " + description(body));
        }
        if (outcome == Outcome.PROVIDER_ERROR && !out.toString(UTF_8).contains("\"status\":502,")) {
            throw new AssertionError(out.toString(UTF_8));
        }
        if (outcome != Outcome.PROVIDER_ERROR && outcome != Outcome.OK && outcome != Outcome.SERVICE_EXCEPTION) {
            throw new AssertionError(outcome + " for " + description(body));
        }
        return outcome;
    }

    private static String description(ByteBuf body) {
        return body.readableBytes() + " bytes: "
                + ByteBufUtil.hexDump(body, body.readerIndex(), Math.min(200, body.readableBytes()));
    }

    /**
     * Checks that the value is refused as value, as value with attachments, as attachments, as exception, as its cause
     * and as its stack.
     */
    private void refusedEverywhere(String value, boolean asAttachments) {
        String[] bodies = {
            "91" + value,
            "94" + value + "'H' 'Z'",
            "95 'H' 01'k'" + value + "'Z'",
            "90 'C' 01'B' 91 05'cause' 60" + value,
            "93 'C' 01'B' 91 0a'stackTrace' 60" + value + "'H' 'Z'"
        };
        for (int i = 0; i < bodies.length; i++) {
            for (int format = 0; format < 8; format++) {
                assertThat(read(Hex.buffer(bodies[i]), format)).as(bodies[i]).isEqualTo(Outcome.PROVIDER_ERROR);
                assertThat(out.toString(UTF_8)).contains("\"detail\":\"provider's answer: ");
            }
        }
        if (asAttachments) {
            assertThat(read(Hex.buffer("95" + value), 0)).isEqualTo(Outcome.PROVIDER_ERROR);
        }
    }

    @Test
    void aLengthOrNumberOutOfRangeIsTheProvidersErrorInEveryPlace() throws InterruptedException {
        SmallStack.run(() -> {
            for (String number : NUMBERS) {
                refusedEverywhere("'X'" + number + "90", true);
                refusedEverywhere("'V' 01't'" + number + "90", true);
                refusedEverywhere("'V'" + number + "91 90", true);
                refusedEverywhere("'U'" + number + "90 'Z'", true);
                refusedEverywhere("71" + number + "90", true);
                refusedEverywhere("'M'" + number + "01'a' 90 'Z'", true);
                refusedEverywhere("'C' 01'A'" + number + "01'x' 60 90", true);
                refusedEverywhere("'O'" + number + "90", true);
                refusedEverywhere(CLASS_A + "'O'" + number + "90", true);
                refusedEverywhere("'Q'" + number, true);
                refusedEverywhere("79 'Q'" + number, true);
            }
            for (String chunk :
                    new String[] {"'S' ffff", "'R' ffff", "33ff", "1f", "'B' ffff", "'A' ffff", "37ff", "2f"}) {
                refusedEverywhere(chunk, true);
                refusedEverywhere(chunk + "00", true);
            }
            refusedEverywhere("6f", true);
            refusedEverywhere("7f" + "01't'" + "90", true);
        });
    }

    @Test
    void tenThousandLevelsAreTheProvidersErrorInEveryPlace() throws InterruptedException {
        String[] levels = {
            "79",
            "'W'",
            "'U' 01'a'",
            "71 01'a'",
            "'V' 01'a' 91",
            "'X' 91",
            "'H' 01'a'",
            "'H'",
            "'H' 90 90",
            "'M' 01'a' 01'a'",
            "'M' 01'a'"
        };
        SmallStack.run(() -> {
            for (String level : levels) {
                refusedEverywhere(level.repeat(LEVELS), true);
                refusedEverywhere(level.repeat(LEVELS) + "90" + "'Z'".repeat(LEVELS), true);
            }
            String[] classes = {
                CLASS_A,
                "'C' 01'A' 91 04'name' ",
                "'C' 30 2b'java.util.concurrent.atomic.AtomicReference' 91 05'value' ",
                "'C' 30 31'com.alibaba.com.caucho.hessian.io.CalendarHandle' 92 04'type' 04'date' ",
                "'C' 01'A' 91 05'cause' ",
                "'C' 30 36'com.alibaba.com.caucho.hessian.io.java8.LocalDateTimeHandle' 91 04'date' "
            };
            for (String definition : classes) {
                // The definition before the value has the number 0, but 1 after that of the exception.
                for (String body : new String[] {"91", "94", "90", "93"}) {
                    ByteBuf nested = Hex.buffer(body + definition + "60".repeat(LEVELS));
                    for (int format = 0; format < 8; format++) {
                        assertThat(read(nested, format)).as(definition).isEqualTo(Outcome.PROVIDER_ERROR);
                    }
                }
            }
            refusedEverywhere("'C' 01'A' 90".repeat(LEVELS), true);
        });
    }

    @Test
    void anyBytesMayFollowAnyFirstOne() throws InterruptedException {
        SmallStack.run(() -> {
            Random random = new Random(20261121);
            byte[] tail = new byte[60];
            for (int first = 0; first < 256; first++) {
                for (int type = 0x90; type <= 0x95; type++) {
                    read(Unpooled.wrappedBuffer(new byte[] {(byte) first}), type);
                    read(Unpooled.wrappedBuffer(new byte[] {(byte) type, (byte) first}), type);
                    for (int i = 0; i < 100; i++) {
                        random.nextBytes(tail);
                        int length = random.nextInt(tail.length);
                        ByteBuf body =
                                Unpooled.buffer(2 + length).writeByte(type).writeByte(first);
                        read(body.writeBytes(tail, 0, length), i);
                    }
                }
            }
        });
    }

    static final class Rich implements Serializable {
        private static final long serialVersionUID = 1L;
        final String text = "x\u4e2d\ud83d\ude00\"".repeat(8);
        final Object[] values = {
            1, 300, 1 << 30, 5L, 1L << 40, 1.5, 0.1, true, null, new byte[20], new Date(1), new int[] {1}
        };
        final Object[] objects = {
            new BigDecimal("1.5"),
            BigInteger.TWO.pow(70),
            Thread.State.NEW,
            UUID.fromString("00000000-0000-0001-0000-000000000002"),
            new StringBuilder("ab"),
            LocalDateTime.of(2020, 1, 2, 3, 4).atOffset(ZoneOffset.UTC)
        };
        final Map<Object, Object> map = new HashMap<>(Map.of(1, "a", "class", "b"));
        final Object again = objects;
    }

    private static List<ByteBuf> samples() {
        HashMap<String, String> attachments = new HashMap<>(Map.of("k", "v"));
        IllegalStateException exception = new IllegalStateException("m", new IllegalArgumentException("n"));
        exception.setStackTrace(new StackTraceElement[] {new StackTraceElement("a.B", "c", "B.java", 3)});
        exception.getCause().setStackTrace(new StackTraceElement[0]);
        return List.of(
                HessianLite.write(4, new ArrayList<>(List.of(new Rich())), attachments),
                HessianLite.write(3, exception, attachments));
    }

    @Test
    void aSampleCutShortIsTheProvidersErrorAndOneWithAnyByteChangedHasAnOutcome() throws InterruptedException {
        SmallStack.run(() -> {
            for (ByteBuf body : samples()) {
                assertThat(read(body, 0)).isNotEqualTo(Outcome.PROVIDER_ERROR);
                for (int length = 0; length < body.readableBytes(); length++) {
                    assertThat(read(body.slice(0, length), length)).isEqualTo(Outcome.PROVIDER_ERROR);
                }
                ByteBuf changed = body.copy();
                for (int i = 0; i < body.readableBytes(); i++) {
                    for (int value = i % 4; value < 256; value += 4) {
                        read(changed.setByte(i, value), value);
                    }
                    changed.setByte(i, body.getByte(i));
                }
            }
        });
    }

    /** Inputs whose bytes each cause the most work or the largest table. */
    @Test
    void eightMebibytesTakeNoMoreThanFourTimesTheirSize() throws InterruptedException {
        int size = 8 << 20;
        reader = new DubboResponseReader();
        SmallStack.run(() -> {
            for (String unit : new String[] {"78", "'H' 'Z'", "'C' 00 90 60", "'X' 90", "7000", "00", "90"}) {
                byte[] piece = Hex.bytes(unit);
                int count = size / piece.length - 20;
                byte[] pieces = repeated(piece, count);
                for (int type : new int[] {0x91, 0x94, 0x90}) {
                    ByteBuf body = Unpooled.buffer(size)
                            .writeByte(type)
                            .writeByte('X')
                            .writeByte('I')
                            .writeInt(count);
                    body.writeBytes(pieces);
                    most = 0;
                    assertThat(read(body.writeByte('N'), 0)).isEqualTo(Outcome.PROVIDER_ERROR);
                    assertThat(most).as(unit).isLessThan(4L * size);
                }
            }
        });
    }

    private static byte[] repeated(byte[] piece, int count) {
        byte[] all = Arrays.copyOf(piece, piece.length * count);
        for (int done = piece.length; done < all.length; done *= 2) {
            System.arraycopy(all, 0, all, done, Math.min(done, all.length - done));
        }
        return all;
    }

    /** A frame of a stack, or a cause, may be a reference to the same large object. */
    @Test
    void anExceptionThatRepeatsALargeObjectIsCutShort() throws InterruptedException {
        int size = 4 << 20;
        SmallStack.run(() -> {
            ByteBuf body = Hex.buffer("90 'C' 01'E' 92 01'a' 0a'stackTrace' 60 'C' 01'F' 91 01'x' 61 'X' 'I'");
            body.writeInt(size);
            for (int i = 0; i < size; i++) {
                body.writeByte(0x90);
            }
            body.writeBytes(Hex.buffer("'X' c880"));
            for (int i = 0; i < 128; i++) {
                body.writeByte('Q').writeByte(0x91);
            }
            assertThat(read(body, 0)).isEqualTo(Outcome.SERVICE_EXCEPTION);
            assertThat(out.toString(UTF_8).split("null[.]null", -1)).hasSize(5);
        });
    }
}
