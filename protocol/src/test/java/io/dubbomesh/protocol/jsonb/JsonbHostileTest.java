package io.dubbomesh.protocol.jsonb;

import com.fasterxml.jackson.core.JsonParser;
import io.dubbomesh.protocol.type.ValueToJson;
import io.dubbomesh.protocol.value.ClassNames;
import io.dubbomesh.protocol.value.JsonValues;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.Selection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Any bytes become text within its bounds or a {@link MalformedValueException}. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class JsonbHostileTest {
    private static final int MAX = 1 << 16;
    /** The step between the values that a byte is given instead; neighbours get others. */
    private static final int STEP = Selection.isAll() ? 1 : 16;

    private final JsonbReader reader = new JsonbReader();
    private final ValueToJson transcoder = new ValueToJson(new JsonbValues(reader), MAX);

    /** Values of all types, with names, numbers of names, and references. */
    private static ByteBuf sample() {
        Item item = new Item();
        item.id = 5;
        item.name = "\u4e2d\"";
        item.color = Item.Color.GREEN;
        item.when = new Date(1500);
        item.amount = new BigDecimal("12345678901234567890.12");
        item.bytes = new byte[] {1, 2, 3, 4};
        item.items = new ArrayList<>(List.of(new Item(), new Item()));
        item.any = item.items.get(1);
        item.next = item.items.get(0);
        Map<Object, Object> map = new LinkedHashMap<>();
        map.put("items", item.items);
        map.put(1, item.items);
        List<Object> all =
                new ArrayList<>(List.of(item, map, YearMonth.of(2020, 1), BigInteger.TWO.pow(70), 1.5, 1.5f));
        all.add(LocalDateTime.of(2020, 1, 2, 3, 4, 5).atOffset(ZoneOffset.UTC));
        all.add(Item.Color.RED);
        all.add('x');
        all.add("text");
        return Fastjson2.write(all);
    }

    private int write(ByteBuf in) throws MalformedValueException {
        ByteBuf out = Unpooled.buffer();
        reader.reset(in, 0, in.readableBytes());
        transcoder.writeJson(out, ClassNames.WRITE);
        return out.readableBytes();
    }

    private void writeOrRefuse(ByteBuf in) {
        try {
            assertThat(write(in)).isLessThanOrEqualTo(MAX);
        } catch (MalformedValueException e) {
            assertThat(e.getMessage()).isNotEmpty();
        }
    }

    @Test
    void aValueThatEndsTooEarlyIsAnError() throws MalformedValueException {
        ByteBuf in = sample();
        assertThat(write(in)).isPositive();
        for (int length = 0; length < in.readableBytes(); length++) {
            ByteBuf part = in.slice(0, length);
            assertThatThrownBy(() -> write(part)).isInstanceOf(MalformedValueException.class);
        }
    }

    @Test
    void anyByteMayBeAnother() {
        byte[] bytes = ByteBufUtil.getBytes(sample());
        for (int i = 0; i < bytes.length; i++) {
            byte original = bytes[i];
            for (int b = i % STEP; b < 256; b += STEP) {
                bytes[i] = (byte) b;
                writeOrRefuse(Unpooled.wrappedBuffer(bytes));
            }
            bytes[i] = original;
        }
    }

    @Test
    void anyBytesMayFollowAnyFirstOne() {
        Random random = new Random(1);
        byte[] bytes = new byte[64];
        for (int first = 0; first < 256; first++) {
            for (int i = 0; i < 500; i++) {
                random.nextBytes(bytes);
                bytes[0] = (byte) first;
                writeOrRefuse(Unpooled.wrappedBuffer(bytes));
            }
        }
    }

    @Test
    void anyTagMayFollowAnyOther() {
        for (int first = 0; first < 256; first++) {
            for (int second = 0; second < 256; second++) {
                writeOrRefuse(Unpooled.wrappedBuffer(new byte[] {(byte) first, (byte) second, 0, 0, 0, 0, 0, 0, 0, 0}));
            }
        }
    }

    /** The seconds and the nanoseconds fit their own types, and their sum none. */
    @Test
    void aMomentBehindTheLastSecondIsAnError() {
        for (String moment : List.of("ae be 7fffffffffffffff 48 7fffffff", "ae be 7fffffffffffffff 00")) {
            assertThatThrownBy(() -> write(Hex.buffer(moment)))
                    .isInstanceOf(MalformedValueException.class)
                    .hasMessageContaining("a malformed date or time");
        }
    }

    /** A later JDK could write more of them. */
    @Test
    void unknownFieldsOfAYearAreSkipped() throws Exception {
        for (String era : List.of("1", "300", "\"CE\"", "null", "[1]")) {
            assertThat(read("java.time.Year", "year", "2020", "era", era)).isEqualTo("\"2020\"");
            assertThat(read("java.time.YearMonth", "year", "2020", "era", era, "month", "2"))
                    .isEqualTo("\"2020-02\"");
            assertThat(read("java.time.MonthDay", "era", era, "month", "2", "day", "3"))
                    .isEqualTo("\"--02-03\"");
        }
    }

    private String read(String className, String... namesAndValues) throws Exception {
        ByteBuf in = Unpooled.buffer();
        JsonbWriter writer = new JsonbWriter().reset(in);
        writer.beginMap(className);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            writer.writeKey(namesAndValues[i]);
            byte[] json = namesAndValues[i + 1].getBytes(UTF_8);
            try (JsonParser parser = JsonValues.parser(Unpooled.wrappedBuffer(json), 0, json.length)) {
                parser.nextToken();
                JsonValues.copy(parser, writer);
            }
        }
        writer.endMap();
        ByteBuf out = Unpooled.buffer();
        reader.reset(in, Integer.BYTES, in.readableBytes() - Integer.BYTES);
        transcoder.writeJson(out, ClassNames.OMIT);
        return out.toString(UTF_8);
    }
}
