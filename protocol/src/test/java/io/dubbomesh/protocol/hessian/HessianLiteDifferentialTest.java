package io.dubbomesh.protocol.hessian;

import com.alibaba.com.caucho.hessian.io.Hessian2Input;
import com.fasterxml.jackson.core.JsonParser;
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
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** What one side writes, the other reads as the same. */
class HessianLiteDifferentialTest {
    private static final int[] LENGTHS = {
        0, 1, 7, 8, 15, 16, 31, 32, 33, 255, 256, 1023, 1024, 1025, 4096, 32767, 32768, 32769, 65534, 65535, 65536,
        100_000
    };

    private final HessianReader reader = new HessianReader();

    private static ByteBuf written(Object value) {
        ByteBuf out = Unpooled.buffer();
        write(new HessianWriter().reset(out), value);
        return out;
    }

    private static void write(HessianWriter out, Object value) {
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
            out.beginList(list.size());
            list.forEach(element -> write(out, element));
        } else {
            out.beginMap();
            ((Map<?, ?>) value).forEach((key, element) -> {
                out.writeKey((String) key);
                write(out, element);
            });
            out.endMap();
        }
    }

    @Property(tries = 2000, edgeCases = EdgeCasesMode.NONE)
    void hessianLiteReadsWhatWeWrite(@ForAll("values") Object value) {
        assertThat(HessianLite.read(written(value))).usingRecursiveComparison().isEqualTo(value);
    }

    /** Both streams make the same JSON, though hessian-lite refers back to what it has written before and we do not. */
    @Property(tries = 2000, edgeCases = EdgeCasesMode.NONE)
    void weReadWhatHessianLiteWrites(@ForAll("values") Object value) throws HessianException {
        ByteBuf theirs = HessianLite.write(value, value);
        reader.reset(theirs, 0, theirs.readableBytes());
        HessianToJson json = new HessianToJson(reader, 1 << 24);
        ByteBuf out = Unpooled.buffer();
        json.writeJson(out, ClassNames.OMIT);
        int length = out.writerIndex();
        json.writeJson(out, ClassNames.OMIT);
        assertThat(reader.isAtEnd()).isTrue();
        assertThat(out.slice(0, length)).isEqualTo(out.slice(length, out.writerIndex() - length));

        ByteBuf ours = written(value);
        ByteBuf expected = Unpooled.buffer();
        reader.reset(ours, 0, ours.readableBytes());
        json.writeJson(expected, ClassNames.OMIT);
        assertThat(out.slice(0, length)).isEqualTo(expected);
    }

    /** The JSON of a value, made Hessian and JSON again, has not changed. */
    @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
    void jsonSurvivesHessian(@ForAll("values") Object value) throws HessianException, IOException {
        ByteBuf first = json(written(value));
        ByteBuf hessian = Unpooled.buffer();
        try (JsonParser parser = JsonValues.parser(first, 0, first.readableBytes())) {
            parser.nextToken();
            JsonValues.copy(parser, new HessianWriter().reset(hessian));
            assertThat(parser.nextToken()).isNull();
        }
        ByteBuf second = json(hessian);
        ByteBuf third = Unpooled.buffer();
        try (JsonParser parser = JsonValues.parser(second, 0, second.readableBytes())) {
            parser.nextToken();
            JsonValues.copy(parser, new HessianWriter().reset(third));
        }
        assertThat(third).isEqualTo(hessian);
    }

    private ByteBuf json(ByteBuf hessian) throws HessianException {
        ByteBuf out = Unpooled.buffer();
        reader.reset(hessian, 0, hessian.readableBytes());
        new HessianToJson(reader, 1 << 24).writeJson(out, ClassNames.OMIT);
        return out;
    }

    @Property(tries = 3000)
    void scalarsAreWrittenAndReadAlike(@ForAll int i, @ForAll long l, @ForAll double d) throws Exception {
        ByteBuf ours = Unpooled.buffer();
        HessianWriter writer = new HessianWriter().reset(ours);
        writer.writeInt(i);
        writer.writeLong(l);
        writer.writeDouble(d);
        writer.writeDate(l);
        Hessian2Input lite = HessianLite.reader(ours);
        assertThat(lite.readInt()).isEqualTo(i);
        assertThat(lite.readLong()).isEqualTo(l);
        assertThat(lite.readDouble()).isEqualTo(Double.valueOf(d));
        assertThat(lite.readUTCDate()).isEqualTo(l);

        ByteBuf theirs = HessianLite.write(i, l, new Date(l));
        reader.reset(theirs, 0, theirs.readableBytes());
        assertThat(reader.readInt()).isEqualTo(i);
        assertThat(reader.readLong()).isEqualTo(l);
        assertThat(reader.readDate()).isEqualTo(l);
    }

    @Property(tries = 3000)
    void stringsAreWrittenTheSameWayFromCharsAndFromUtf8(@ForAll("strings") String value) throws Exception {
        ByteBuf theirs = HessianLite.write(value);
        assertThat(written(value)).isEqualTo(theirs);
        reader.reset(theirs, 0, theirs.readableBytes());
        assertThat(reader.readString(Integer.MAX_VALUE)).isEqualTo(value);
        if (isWellFormed(value)) {
            ByteBuf utf8 = Unpooled.copiedBuffer(value, UTF_8);
            ByteBuf ours = Unpooled.buffer();
            new HessianWriter().reset(ours).writeUtf8(utf8, 0, utf8.readableBytes());
            assertThat(ours).isEqualTo(theirs);
            reader.reset(theirs, 0, theirs.readableBytes());
            ByteBuf out = Unpooled.buffer();
            reader.readString(out);
            assertThat(out).isEqualTo(utf8);
        }
    }

    private static boolean isWellFormed(String value) {
        return new String(value.getBytes(UTF_8), UTF_8).equals(value);
    }

    @Example
    void stringsAndBinaryDataOfEveryLength() throws Exception {
        for (int length : LENGTHS) {
            for (String unit : new String[] {"a", "\u00fc", "\u4e2d", "\ud83d\ude00", "ab\ud83d\ude00"}) {
                for (int shift = 0; shift < 2; shift++) {
                    stringsAreWrittenTheSameWayFromCharsAndFromUtf8(
                            "x".repeat(shift) + unit.repeat(length / unit.length()));
                }
            }
            byte[] bytes = new byte[length];
            assertThat((byte[]) HessianLite.read(written(bytes))).isEqualTo(bytes);
            weReadWhatHessianLiteWrites(bytes);
        }
    }

    @Provide
    Arbitrary<String> strings() {
        Arbitrary<String> chars = Arbitraries.strings().all().ofMaxLength(70);
        Arbitrary<String> text = Arbitraries.strings()
                .withChars('a', '"', '\\', '\n', '\u0000', '\u007f', '\u00fc', '\u4e2d', '\ud83d', '\ude00', '\uffff')
                .ofMaxLength(40);
        Arbitrary<String> pairs = Arbitraries.integers()
                .between(0, Character.MAX_CODE_POINT)
                .filter(point -> point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE)
                .map(Character::toString)
                .list()
                .ofMaxSize(40)
                .map(points -> String.join("", points));
        Arbitrary<String> large = Combinators.combine(
                        Arbitraries.of(31, 32, 1023, 1024, 32766, 32767, 32768, 65535), pairs)
                .as((length, tail) -> "b".repeat(length) + tail);
        return Arbitraries.frequencyOf(Tuple.of(5, chars), Tuple.of(5, text), Tuple.of(5, pairs), Tuple.of(1, large));
    }

    @Provide
    Arbitrary<Object> values() {
        Arbitrary<Object> scalars = Arbitraries.oneOf(
                Arbitraries.just(null),
                Arbitraries.of(true, false),
                Arbitraries.integers(),
                Arbitraries.integers().between(-3000, 3000),
                Arbitraries.longs(),
                // hessian-lite writes -0.0 as 0.0.
                Arbitraries.doubles().map(d -> d == 0 ? 0.0 : d),
                Arbitraries.integers().between(-100_000, 100_000).map(i -> i / 1000.0),
                strings(),
                Arbitraries.bytes().array(byte[].class).ofMaxSize(40),
                Arbitraries.longs().map(Date::new),
                Arbitraries.bigDecimals(),
                Arbitraries.bigIntegers());
        return Arbitraries.recursive(
                () -> scalars,
                inner -> Arbitraries.oneOf(
                        inner.list().ofMaxSize(10).map(ArrayList::new),
                        Arbitraries.maps(Arbitraries.strings().all().ofMaxLength(40), inner)
                                .ofMaxSize(4)
                                .map(LinkedHashMap::new),
                        inner),
                0,
                3);
    }
}
