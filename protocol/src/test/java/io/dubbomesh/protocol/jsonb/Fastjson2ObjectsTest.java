package io.dubbomesh.protocol.jsonb;

import io.dubbomesh.protocol.jsonb.Item.Color;
import io.dubbomesh.protocol.type.ValueToJson;
import io.dubbomesh.protocol.value.ClassNames;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The JSON of objects that fastjson2 writes. */
// The field types are those whose bytes are looked at.
@SuppressWarnings("serial")
class Fastjson2ObjectsTest {
    private final JsonbReader reader = new JsonbReader();
    private final ValueToJson transcoder = new ValueToJson(new JsonbValues(reader), 1 << 24);

    private String json(Object value, boolean classNames) throws MalformedValueException {
        ByteBuf in = Fastjson2.write(value);
        ByteBuf out = Unpooled.buffer();
        reader.reset(in, 0, in.readableBytes());
        transcoder.writeJson(out, classNames ? ClassNames.WRITE : ClassNames.OMIT);
        assertThat(reader.isAtEnd()).isTrue();
        return out.toString(UTF_8);
    }

    private String json(Object value) throws MalformedValueException {
        return json(value, false);
    }

    /**
     * Dubbo has it leave out the fields that are 0 or, of some types, null, and write the enums among them as numbers.
     */
    @Test
    void anObjectBecomesItsFieldsThatAreNotTheirDefaults() throws MalformedValueException {
        Item item = new Item();
        item.id = 5;
        item.name = "\u4e2d";
        item.color = Color.GREEN;
        item.day = LocalDate.of(2020, 1, 2);
        item.bytes = new byte[] {1};
        item.items = new ArrayList<>(List.of(new Item()));
        item.tags = new LinkedHashSet<>(List.of("t"));
        item.colors = new EnumMapByName();
        item.any = new Item();
        assertThat(json(item))
                .contains(
                        "\"id\":5",
                        "\"name\":\"\u4e2d\"",
                        "\"color\":1",
                        "\"day\":\"2020-01-02\"",
                        "\"bytes\":\"AQ==\"",
                        "\"tags\":[\"t\"]",
                        "\"colors\":{\"c\":\"RED\"}",
                        "\"next\":null")
                .doesNotContain("class", "\"count\"");
        assertThat(json(item, true)).startsWith("{\"class\":\"" + Item.class.getName() + "\",");
    }

    static final class EnumMapByName extends LinkedHashMap<String, Color> {
        EnumMapByName() {
            put("c", Color.RED);
        }
    }

    @Test
    void mapsKeepTheirKeys() throws MalformedValueException {
        Map<Object, Object> pairs = new LinkedHashMap<>();
        pairs.put(1, "a");
        pairs.put("b", 2L);
        pairs.put(null, 3);
        assertThat(json(pairs)).isEqualTo("[[1,\"a\"],[\"b\",2],[null,3]]");
        assertThat(json(new TreeMap<>(Map.of("a", 1, "b", 2)))).isEqualTo("{\"a\":1,\"b\":2}");
        assertThat(json(new EnumMap<>(Map.of(Color.GREEN, 1)))).isEqualTo("{\"GREEN\":1}");
        assertThat(json(Map.of('x', 1))).isEqualTo("{\"x\":1}");
        assertThat(json(new HashMap<>(Map.of(LocalDate.of(2020, 1, 2), 1)))).isEqualTo("[[\"2020-01-02\",1]]");
    }

    @Test
    void listsOfAnyClassBecomeLists() throws MalformedValueException {
        assertThat(json(List.of(1, 2))).isEqualTo("[1,2]");
        assertThat(json(Collections.singletonList("a"))).isEqualTo("[\"a\"]");
        assertThat(json(new int[][] {{1}, {2, 3}})).isEqualTo("[[1],[2,3]]");
        assertThat(json(new Object[] {1, "a", new LinkedList<>(List.of(1.5f))})).isEqualTo("[1,\"a\",[1.5]]");
        assertThat(json(new char[] {'a', 'b'})).isEqualTo("\"ab\"");
    }

    @Test
    void timesBecomeIso8601() throws MalformedValueException {
        for (Object time : List.of(
                LocalDate.of(2020, 1, 2),
                LocalTime.of(3, 4, 5, 6),
                LocalDateTime.of(2020, 1, 2, 3, 4, 5, 6),
                Instant.ofEpochSecond(1, 5),
                OffsetDateTime.of(2020, 1, 2, 3, 4, 5, 6, ZoneOffset.ofHours(1)),
                ZonedDateTime.of(2020, 1, 2, 3, 4, 5, 6, ZoneId.of("Asia/Shanghai")),
                ZoneId.of("Europe/Berlin"),
                Duration.ofMillis(1500),
                Period.of(1, 2, 3),
                Year.of(2020),
                Year.of(0),
                YearMonth.of(2020, 1),
                MonthDay.of(1, 2))) {
            assertThat(json(time)).isEqualTo("\"" + time + "\"");
        }
        assertThat(json(new Date(1500))).isEqualTo("\"1970-01-01T00:00:01.500Z\"");
    }

    @Test
    void aSharedValueIsWrittenWhereverItIsReferredTo() throws MalformedValueException {
        List<Object> shared = new ArrayList<>(List.of("s"));
        Map<String, Object> odd = new LinkedHashMap<>();
        odd.put("a.b[0]'\"\\ @\u00e9\u4e2d", shared);
        odd.put("again", shared);
        assertThat(json(odd)).endsWith(":[\"s\"],\"again\":[\"s\"]}");
        Map<Object, Object> keys = new LinkedHashMap<>();
        Object[] values = {
            new ArrayList<>(List.of(1)),
            new ArrayList<>(List.of(2)),
            new ArrayList<>(List.of(3)),
            new ArrayList<>(List.of(4))
        };
        keys.put(1, values[0]);
        keys.put(true, values[1]);
        keys.put(Color.RED, values[2]);
        keys.put(new ArrayList<>(List.of("k")), values[3]);
        assertThat(json(new ArrayList<>(List.of(keys, values[0], values[1], values[2], values[3]))))
                .isEqualTo("[[[1,[1]],[true,[2]],[\"RED\",[3]],[[\"k\"],[4]]],[1],[2],[3],[4]]");
        assertThat(json(new ArrayList<>(List.of(new LinkedHashSet<>(List.of(shared)), shared, shared))))
                .isEqualTo("[[[\"s\"]],[\"s\"],[\"s\"]]");
        Duration duration = Duration.ofSeconds(1);
        assertThat(json(new ArrayList<>(List.of(duration, duration)))).isEqualTo("[\"PT1S\",\"PT1S\"]");
    }

    @Test
    void aValueThatContainsItselfIsAnError() {
        Item item = new Item();
        item.next = item;
        assertThatThrownBy(() -> json(item)).hasMessageContaining("contains itself");
        Item other = new Item();
        other.items = new ArrayList<>(List.of(new Item()));
        other.items.get(0).any = other.items;
        assertThatThrownBy(() -> json(other)).hasMessageContaining("contains itself");
        List<Object> list = new ArrayList<>();
        list.add(new ArrayList<>(List.of(list)));
        assertThatThrownBy(() -> json(list)).hasMessageContaining("contains itself");
    }

    /** Graphs of lists, maps and objects, where any value may occur in several places. */
    @Test
    void whateverIsSharedTheTextIsThatOfTheWholeTree() throws MalformedValueException {
        for (int seed = 0; seed < 3000; seed++) {
            Object value = Graphs.value(new Random(seed), true);
            assertThat(json(value)).as("seed " + seed).isEqualTo(Graphs.text(value, true));
        }
    }
}
