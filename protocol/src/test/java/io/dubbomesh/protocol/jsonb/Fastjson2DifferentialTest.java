package io.dubbomesh.protocol.jsonb;

import com.fasterxml.jackson.core.JsonParser;
import io.dubbomesh.protocol.value.JsonValues;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** What one side writes, the other reads as the same. */
class Fastjson2DifferentialTest {
    private static final int[] LENGTHS = {0, 1, 46, 47, 48, 49, 255, 2046, 2047, 2048, 4096, 262_143, 262_144, 300_000};

    private final JsonbReader reader = new JsonbReader();
    private final JsonbToJson transcoder = new JsonbToJson(reader, 1 << 24);

    private static ByteBuf written(Object value) {
        ByteBuf out = Unpooled.buffer();
        write(new JsonbWriter().reset(out), value);
        return out;
    }

    private static void write(JsonbWriter out, Object value) {
        if (value == null) {
            out.writeNull();
        } else if (value instanceof Boolean b) {
            out.writeBoolean(b);
        } else if (value instanceof Integer i) {
            out.writeInt(i);
        } else if (value instanceof Long l) {
            out.writeLong(l);
        } else if (value instanceof Double d) {
            out.writeDouble(d);
        } else if (value instanceof String s) {
            out.writeString(s);
        } else if (value instanceof byte[] bytes) {
            out.writeBinary(bytes);
        } else if (value instanceof Date date) {
            out.writeDate(date.getTime());
        } else if (value instanceof BigDecimal decimal) {
            out.writeBigDecimal(decimal);
        } else if (value instanceof BigInteger integer) {
            out.writeBigInteger(integer);
        } else if (value instanceof List<?> list) {
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
        transcoder.write(out, false, false, false);
        assertThat(reader.isAtEnd()).isTrue();
        return out.toString(UTF_8);
    }

    @Property(tries = 2000, edgeCases = EdgeCasesMode.NONE)
    void fastjson2ReadsWhatWeWrite(@ForAll("values") Object value) {
        assertThat(Fastjson2.readFramed(written(value), Object.class))
                .usingRecursiveComparison()
                .isEqualTo(value);
    }

    @Property(tries = 2000, edgeCases = EdgeCasesMode.NONE)
    void weReadWhatFastjson2Writes(@ForAll("values") Object value) throws MalformedValueException {
        assertThat(json(Fastjson2.write(value), 0)).isEqualTo(json(written(value), Integer.BYTES));
    }

    /** The JSON of a value, made JSONB and JSON again, has not changed. */
    @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
    void jsonSurvivesJsonb(@ForAll("values") Object value) throws MalformedValueException, IOException {
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

    @Property(tries = 3000)
    void scalarsAreWrittenInTheSameBytes(@ForAll int i, @ForAll long l) {
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

    @Property(tries = 3000)
    void doublesAreReadAsTheyAre(@ForAll double value) {
        assertThat(Fastjson2.readFramed(written(value), double.class)).isEqualTo(Double.valueOf(value));
        assertThat(Fastjson2.readFramed(written((double) (float) value), float.class))
                .isEqualTo((float) value);
    }

    @Property(tries = 3000)
    void stringsAreReadAsTheyAre(@ForAll("strings") String value) throws Exception {
        assertThat(Fastjson2.readFramed(written(value), String.class)).isEqualTo(value);
        if (isWellFormed(value)) {
            ByteBuf utf8 = Unpooled.copiedBuffer(value, UTF_8);
            ByteBuf ours = Unpooled.buffer();
            new JsonbWriter().reset(ours).writeUtf8(utf8, 0, utf8.readableBytes());
            assertThat(Fastjson2.readFramed(ours, String.class)).isEqualTo(value);
            for (ByteBuf bytes : List.of(Fastjson2.writeFramed(value), ours, written(value))) {
                reader.reset(bytes, Integer.BYTES, bytes.readableBytes() - Integer.BYTES);
                ByteBuf out = Unpooled.buffer();
                transcoder.write(out, true, false, false);
                assertThat(out).isEqualTo(utf8);
                reader.seek(Integer.BYTES);
                assertThat(reader.readString()).isEqualTo(value);
            }
        }
    }

    private static boolean isWellFormed(String value) {
        return new String(value.getBytes(UTF_8), UTF_8).equals(value);
    }

    @Example
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

    @Provide
    Arbitrary<String> strings() {
        Arbitrary<String> chars = Arbitraries.strings().all().ofMaxLength(70);
        Arbitrary<String> text = Arbitraries.strings()
                .withChars('a', '"', '\\', '\n', '\u0000', '\u007f', '\u00fc', '\u4e2d', '\ud83d', '\ude00', '\uffff')
                .ofMaxLength(40);
        Arbitrary<String> pairs = points();
        Arbitrary<String> large = Combinators.combine(Arbitraries.of(46, 47, 48, 2047, 2048, 65535), pairs)
                .as((length, tail) -> "b".repeat(length) + tail);
        return Arbitraries.frequencyOf(Tuple.of(5, chars), Tuple.of(5, text), Tuple.of(5, pairs), Tuple.of(1, large));
    }

    /** Fastjson2 refuses to write lone surrogates. */
    private static Arbitrary<String> points() {
        return Arbitraries.oneOf(
                        Arbitraries.integers().between(0, Character.MAX_CODE_POINT),
                        Arbitraries.integers().between(0, 0xff))
                .filter(point -> point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE)
                .map(Character::toString)
                .list()
                .ofMaxSize(40)
                .map(points -> String.join("", points));
    }

    @Provide
    Arbitrary<Object> values() {
        Arbitrary<Object> scalars = Arbitraries.oneOf(
                Arbitraries.just(null),
                Arbitraries.of(true, false),
                Arbitraries.integers(),
                Arbitraries.integers().between(-3000, 3000),
                Arbitraries.longs(),
                // Fastjson2 writes -0.0 as 0.0.
                Arbitraries.doubles().map(d -> d == 0 ? 0.0 : d),
                points(),
                Arbitraries.bytes().array(byte[].class).ofMaxSize(40),
                Arbitraries.longs().map(Date::new),
                Arbitraries.bigDecimals(),
                Arbitraries.bigIntegers());
        return Arbitraries.recursive(
                () -> scalars,
                inner -> Arbitraries.oneOf(
                        inner.list().ofMaxSize(20).map(ArrayList::new),
                        Arbitraries.maps(points(), inner).ofMaxSize(4).map(LinkedHashMap::new),
                        inner),
                0,
                3);
    }
}
