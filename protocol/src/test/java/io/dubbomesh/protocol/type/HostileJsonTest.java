package io.dubbomesh.protocol.type;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.SmallStack;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.hessian.HessianReader;
import io.dubbomesh.protocol.hessian.HessianValues;
import io.dubbomesh.protocol.hessian.HessianWriter;
import io.dubbomesh.protocol.jsonb.JsonbReader;
import io.dubbomesh.protocol.jsonb.JsonbValues;
import io.dubbomesh.protocol.jsonb.JsonbWriter;
import io.dubbomesh.protocol.value.ArgumentBounds;
import io.dubbomesh.protocol.value.ClassNames;
import io.dubbomesh.protocol.value.ValueWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Any bytes that a caller sends as arguments are written or refused, on a small stack and with little memory. */
@Timeout(60)
class HostileJsonTest {
    private static final int LEVELS = 10_000;
    /** The parser's own buffers and the message. */
    private static final int FLAT = 64 << 10;

    private static final Map<String, TypeDefinition> KNOWN =
            Map.of("a.Item", new TypeDefinition("a.Item", List.of(), Map.of("next", "a.Item", "n", "int")));
    private static final List<String> TYPES = List.of(
            "java.lang.Object",
            "a.Item",
            "a.Unknown",
            "java.util.List",
            "java.util.List<java.util.List<java.lang.Object>>",
            "java.util.Map<java.lang.String, java.lang.Object>",
            "java.util.Map<java.math.BigDecimal, java.lang.Object>",
            "int[]",
            "byte[]",
            "char[]",
            "byte",
            "short",
            "int",
            "long",
            "float",
            "double",
            "char",
            "boolean",
            "java.lang.String",
            "java.lang.Integer",
            "java.math.BigInteger",
            "java.math.BigDecimal",
            "java.util.Date",
            "java.time.Instant",
            "java.time.Year",
            "java.time.Duration");
    private static final List<ValueWriter> WRITERS = List.of(new HessianWriter(), new JsonbWriter());
    private static final String HUGE = "1e999999999";

    private final ByteBuf out = Unpooled.buffer();

    /** The outcome, with what was written in {@link #out}. */
    private Outcome write(ValueWriter writer, Arguments arguments, String json) {
        ByteBuf in = Unpooled.copiedBuffer(json, UTF_8);
        Outcome outcome = null;
        long allocated = Long.MAX_VALUE;
        long bound = FLAT + 4L * json.length();
        // The first run may load classes.
        for (int i = 0; i < 3 && allocated > bound; i++) {
            long before = SmallStack.allocated();
            try {
                arguments.writeJson(writer.reset(out.clear()), ArgumentBounds.NONE, in, 0, in.readableBytes());
                outcome = Outcome.OK;
            } catch (CallException e) {
                assertThat(e.getMessage()).isNotEmpty().hasSizeLessThan(1000);
                outcome = e.outcome();
            }
            allocated = SmallStack.allocated() - before;
        }
        assertThat(allocated)
                .as(json.substring(0, Math.min(100, json.length())))
                .isLessThanOrEqualTo(bound);
        return outcome;
    }

    private static Arguments arguments(String type) {
        return Arguments.of(new MethodDefinition("m", List.of(type), "void"), KNOWN);
    }

    private static List<Arguments> everyKindOfArguments() {
        List<Arguments> all = new ArrayList<>(List.of(Arguments.untyped()));
        TYPES.forEach(type -> all.add(arguments(type)));
        return all;
    }

    private void refusedAsEveryType(String json) throws InterruptedException {
        SmallStack.run(() -> {
            for (ValueWriter writer : WRITERS) {
                for (Arguments arguments : everyKindOfArguments()) {
                    assertThat(write(writer, arguments, json)).isIn(Outcome.BAD_REQUEST, Outcome.BAD_ARGUMENT);
                }
            }
        });
    }

    @Test
    void tenThousandLevelsAreRefused() throws InterruptedException {
        refusedAsEveryType("[".repeat(LEVELS));
        refusedAsEveryType("[".repeat(LEVELS) + "]".repeat(LEVELS));
        refusedAsEveryType("[" + "{\"next\":".repeat(LEVELS));
        refusedAsEveryType("[" + "{\"next\":".repeat(LEVELS) + "null" + "}".repeat(LEVELS) + "]");
        refusedAsEveryType("[" + "[[".repeat(LEVELS) + "1" + ",1]]".repeat(LEVELS) + "]");
    }

    @Test
    void aMebibyteOfBracketsIsRefused() throws InterruptedException {
        refusedAsEveryType("[".repeat(1 << 20));
        refusedAsEveryType("[" + "{\"\":".repeat(1 << 18));
    }

    @Test
    void aNumberOfAHundredThousandDigitsIsRefused() throws InterruptedException {
        String digits = "1" + "0".repeat(100_000);
        refusedAsEveryType("[" + digits + "]");
        refusedAsEveryType("[-" + digits + ".5]");
        refusedAsEveryType("[0." + digits + "]");
        refusedAsEveryType("[1e" + digits + "]");
    }

    /** It is never expanded to all its digits. */
    @Test
    void anExponentOfABillionDoesNotMakeALongNumber() throws InterruptedException {
        SmallStack.run(() -> {
            List<String> takers = List.of("java.lang.Object", "a.Unknown", "java.math.BigDecimal");
            for (String number : List.of(HUGE, "-1e-999999999", "0e999999999", "123.456E+999999990")) {
                for (ValueWriter writer : WRITERS) {
                    assertThat(write(writer, Arguments.untyped(), "[" + number + "]"))
                            .isEqualTo(Outcome.OK);
                    assertThat(out.readableBytes()).isLessThan(100);
                    for (String type : TYPES) {
                        Outcome outcome = write(writer, arguments(type), "[" + number + "]");
                        if (takers.contains(type)) {
                            assertThat(outcome).as(type).isEqualTo(Outcome.OK);
                            String json = writer == WRITERS.get(0) ? hessianToJson() : jsonbToJson();
                            assertThat(json).hasSizeLessThan(30);
                        } else if (number.equals(HUGE)) {
                            assertThat(outcome).as(type).isEqualTo(Outcome.BAD_ARGUMENT);
                        }
                        write(writer, arguments(type), "[\"" + number + "\"]");
                        assertThat(out.readableBytes()).isLessThan(100);
                        write(writer, arguments(type), "[{\"" + number + "\":1}]");
                        assertThat(out.readableBytes()).isLessThan(100);
                    }
                }
            }
        });
    }

    private String hessianToJson() throws Exception {
        ByteBuf json = Unpooled.buffer();
        HessianReader reader = new HessianReader().reset(out, 0, out.readableBytes());
        new ValueToJson(new HessianValues(reader), 1 << 20).writeJson(json, ClassNames.OMIT);
        return json.toString(UTF_8);
    }

    private String jsonbToJson() throws Exception {
        ByteBuf json = Unpooled.buffer();
        JsonbReader reader = new JsonbReader();
        reader.reset(out, Integer.BYTES, out.readableBytes() - Integer.BYTES);
        new ValueToJson(new JsonbValues(reader), 1 << 20).writeJson(json, ClassNames.OMIT);
        return json.toString(UTF_8);
    }

    @Test
    void longNumbersAreRefusedInAFormToo() throws InterruptedException {
        SmallStack.run(() -> {
            for (String type : List.of("int", "long", "short", "byte", "double", "float", "java.math.BigInteger")) {
                ByteBuf in = Unpooled.buffer().writeInt(HUGE.length());
                in.writeCharSequence(HUGE, UTF_8);
                Arguments arguments = arguments(type);
                long before = SmallStack.allocated();
                try {
                    arguments.writeForm(
                            new HessianWriter().reset(out.clear()), ArgumentBounds.NONE, in, 0, in.readableBytes());
                    throw new AssertionError(type);
                } catch (CallException e) {
                    assertThat(e).hasMessageStartingWith("args[0]: \"1e999999999\" (expected: " + type);
                }
                assertThat(SmallStack.allocated() - before).isLessThan(1 << 20);
            }
        });
    }

    /** The provider's map keeps the last one, as with most readers of JSON. */
    @Test
    void aKeyMayComeTwice() throws Exception {
        assertThat(write(WRITERS.get(0), Arguments.untyped(), "[{\"a\":1,\"a\":2}]"))
                .isEqualTo(Outcome.OK);
        assertThat(hessianToJson()).isEqualTo("{\"a\":1,\"a\":2}");
    }

    @Test
    void aSurrogateWithoutItsOtherHalfIsKeptForTheProviderAndChangesNothingElse() throws Exception {
        for (ValueWriter writer : WRITERS) {
            assertThat(write(writer, Arguments.untyped(), "[{\"k\":\"a\\ud83d\\u4e22\\ude00\"}]"))
                    .isEqualTo(Outcome.OK);
            assertThat(writer == WRITERS.get(0) ? hessianToJson() : jsonbToJson())
                    .isEqualTo("{\"k\":\"a\ufffd\u4e22\ufffd\"}");
            assertThat(write(writer, Arguments.untyped(), "[{\"\\ud83d\":1}]")).isEqualTo(Outcome.BAD_REQUEST);
        }
    }
}
