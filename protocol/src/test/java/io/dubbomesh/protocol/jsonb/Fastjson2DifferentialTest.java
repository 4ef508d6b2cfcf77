package io.dubbomesh.protocol.jsonb;

import com.fasterxml.jackson.core.JsonParser;
import io.dubbomesh.protocol.type.DeclaredType;
import io.dubbomesh.protocol.type.ValueToJson;
import io.dubbomesh.protocol.value.ClassNames;
import io.dubbomesh.protocol.value.JsonValues;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.Scalars;
import io.dubbomesh.testsupport.random.RandomValues;
import io.dubbomesh.testsupport.random.Tries;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Checks that each side reads what the other one writes. */
class Fastjson2DifferentialTest {
    private static final int DEPTH = 3;
    private static final int[] LENGTHS = {0, 1, 46, 47, 48, 49, 255, 2046, 2047, 2048, 4096, 262_143, 262_144, 300_000};

    private final JsonbReader reader = new JsonbReader();
    private final ValueToJson transcoder = new ValueToJson(new JsonbValues(reader), 1 << 24);

    private static ByteBuf written(Object value) {
        ByteBuf out = Unpooled.buffer();
        write(new JsonbWriter().reset(out), value);
        return out;
    }

    private static void write(JsonbWriter out, Object value) {
        if (Scalars.write(out, value)) {
            return;
        }
        if (value instanceof List<?> list) {
            int begin = out.beginList();
            list.forEach(element -> write(out, element));
            out.endList(begin, list.size());
        } else if (value instanceof Map<?, ?> map) {
            out.beginMap();
            map.forEach((key, element) -> {
                out.writeKey((String) key);
                write(out, element);
            });
            out.endMap();
        } else {
            out.writeTime(value);
        }
    }

    private String json(ByteBuf in, int offset) throws MalformedValueException {
        ByteBuf out = Unpooled.buffer();
        reader.reset(in, offset, in.writerIndex() - offset);
        transcoder.writeJson(out, ClassNames.OMIT);
        assertThat(reader.isAtEnd()).isTrue();
        return out.toString(UTF_8);
    }

    @Test
    void fastjson2ReadsWhatWeWrite() {
        Tries.run(2000, random -> fastjson2ReadsWhatWeWrite(value(random, DEPTH)));
    }

    private static void fastjson2ReadsWhatWeWrite(Object value) {
        assertThat(Fastjson2.readFramed(written(value), Object.class))
                .usingRecursiveComparison()
                .isEqualTo(value);
    }

    @Test
    void weReadWhatFastjson2Writes() {
        Tries.run(2000, random -> weReadWhatFastjson2Writes(value(random, DEPTH)));
    }

    private void weReadWhatFastjson2Writes(Object value) throws Exception {
        assertThat(json(Fastjson2.write(value), 0)).isEqualTo(json(written(value), Integer.BYTES));
    }

    @Test
    void jsonSurvivesJsonb() {
        Tries.run(1000, random -> jsonSurvivesJsonb(value(random, DEPTH)));
    }

    /** The JSON of a value, made JSONB and JSON again, has not changed. */
    private void jsonSurvivesJsonb(Object value) throws Exception {
        String first = json(written(value), Integer.BYTES);
        String second = json(fromJson(first), Integer.BYTES);
        assertThat(json(fromJson(second), Integer.BYTES)).isEqualTo(second);
        assertThat(fromJson(second)).isEqualTo(fromJson(first));
    }

    private static ByteBuf fromJson(String json) throws IOException {
        ByteBuf text = Unpooled.copiedBuffer(json, UTF_8);
        ByteBuf out = Unpooled.buffer();
        try (JsonParser parser = JsonValues.parser(text, 0, text.readableBytes())) {
            parser.nextToken();
            JsonValues.copy(parser, new JsonbWriter().reset(out));
            assertThat(parser.nextToken()).isNull();
        }
        return out;
    }

    @Test
    void scalarsAreWrittenInTheSameBytes() {
        Tries.run(3000, random -> scalarsAreWrittenInTheSameBytes(random.anyInt(), random.anyLong()));
    }

    /** Checks whole minutes, where the seconds are none of 32 bits. */
    @Test
    void datesOfOtherCenturiesAreWrittenInTheSameBytes() {
        for (long ms : new long[] {4_102_444_800_000L, -4_102_444_800_000L, 4_102_444_801_000L, 60_000L << 31}) {
            scalarsAreWrittenInTheSameBytes(1, ms);
        }
    }

    private static void scalarsAreWrittenInTheSameBytes(int i, long l) {
        assertThat(written(i)).isEqualTo(Fastjson2.writeFramed(i));
        assertThat(written(l)).isEqualTo(Fastjson2.writeFramed(l));
        assertThat(written(new Date(l))).isEqualTo(Fastjson2.writeFramed(new Date(l)));
        assertThat(written(BigInteger.valueOf(l).multiply(BigInteger.valueOf(i))))
                .isEqualTo(Fastjson2.writeFramed(BigInteger.valueOf(l).multiply(BigInteger.valueOf(i))));
        Instant instant = Instant.ofEpochSecond(i, l);
        assertThat(written(instant)).isEqualTo(Fastjson2.writeFramed(instant));
        LocalDateTime both = LocalDateTime.ofEpochSecond(i, (int) (l & 0xfffffff), ZoneOffset.UTC);
        assertThat(written(both)).isEqualTo(Fastjson2.writeFramed(both));
        assertThat(written(both.toLocalDate())).isEqualTo(Fastjson2.writeFramed(both.toLocalDate()));
        assertThat(written(both.toLocalTime())).isEqualTo(Fastjson2.writeFramed(both.toLocalTime()));
        assertThat(written(both.atOffset(ZoneOffset.ofHours(i % 18))))
                .isEqualTo(Fastjson2.writeFramed(both.atOffset(ZoneOffset.ofHours(i % 18))));
    }

    @Test
    void doublesAreReadAsTheyAre() {
        Tries.run(3000, random -> doublesAreReadAsTheyAre(random.anyDouble()));
    }

    private static void doublesAreReadAsTheyAre(double value) {
        assertThat(Fastjson2.readFramed(written(value), double.class)).isEqualTo(Double.valueOf(value));
        assertThat(Fastjson2.readFramed(written((double) (float) value), float.class))
                .isEqualTo((float) value);
    }

    @Test
    void stringsAreReadAsTheyAre() {
        Tries.run(3000, random -> stringsAreReadAsTheyAre(string(random)));
    }

    private void stringsAreReadAsTheyAre(String value) throws Exception {
        assertThat(Fastjson2.readFramed(written(value), String.class)).isEqualTo(value);
        if (isWellFormed(value)) {
            ByteBuf utf8 = Unpooled.copiedBuffer(value, UTF_8);
            ByteBuf ours = Unpooled.buffer();
            new JsonbWriter().reset(ours).writeUtf8(utf8, 0, utf8.readableBytes());
            assertThat(Fastjson2.readFramed(ours, String.class)).isEqualTo(value);
            for (ByteBuf bytes : List.of(Fastjson2.writeFramed(value), ours, written(value))) {
                reader.reset(bytes, Integer.BYTES, bytes.readableBytes() - Integer.BYTES);
                ByteBuf out = Unpooled.buffer();
                transcoder.writeText(out, ClassNames.OMIT, DeclaredType.UNKNOWN);
                assertThat(out).isEqualTo(utf8);
                reader.seek(Integer.BYTES);
                assertThat(reader.readString()).isEqualTo(value);
            }
        }
    }

    private static boolean isWellFormed(String value) {
        return new String(value.getBytes(UTF_8), UTF_8).equals(value);
    }

    @Test
    void stringsAndBinaryDataOfEveryLength() throws Exception {
        for (int length : LENGTHS) {
            for (String unit : new String[] {"a", "\u00fc", "\u4e2d", "\ud83d\ude00", "ab\ud83d\ude00"}) {
                stringsAreReadAsTheyAre(unit.repeat(length / unit.length()));
                stringsAreReadAsTheyAre("x" + unit.repeat(length / unit.length()));
            }
            byte[] bytes = new byte[length];
            assertThat(Fastjson2.readFramed(written(bytes), byte[].class)).isEqualTo(bytes);
            weReadWhatFastjson2Writes(bytes);
        }
    }

    private static String string(RandomValues random) {
        return switch (random.random().nextInt(16)) {
            case 0 -> "b".repeat(random.pick(46, 47, 48, 2047, 2048, 65535)) + random.text(40);
            case 1, 2, 3, 4, 5 -> random.chars(70);
            case 6, 7, 8, 9, 10 -> random.chars(40, "a\"\\\n\0\u007f\u00fc\u4e2d\ud83d\ude00\uffff");
            default -> random.text(40);
        };
    }

    private static Object value(RandomValues random, int depth) {
        return switch (depth == 0 ? 0 : random.random().nextInt(4)) {
            case 0 -> scalar(random);
            case 1 -> random.list(20, () -> value(random, depth - 1));
            case 2 -> {
                Map<String, Object> map = new LinkedHashMap<>();
                for (int i = random.between(0, 4); i > 0; i--) {
                    map.put(random.text(40), value(random, depth - 1));
                }
                yield map;
            }
            default -> value(random, depth - 1);
        };
    }

    private static Object scalar(RandomValues random) {
        return switch (random.random().nextInt(11)) {
            case 0 -> null;
            case 1 -> random.anyBoolean();
            case 2 -> random.anyInt();
            case 3 -> random.between(-3000, 3000);
            case 4 -> random.anyLong();
            case 5 -> {
                // Fastjson2 writes -0.0 as 0.0.
                double value = random.anyDouble();
                yield value == 0 ? 0.0 : value;
            }
            case 6 -> random.bytes(40);
            case 7 -> new Date(random.anyLong());
            case 8 -> random.anyBigDecimal();
            case 9 -> random.anyBigInteger();
            // Fastjson2 refuses to write surrogates without their other half.
            default -> random.text(40);
        };
    }
}
