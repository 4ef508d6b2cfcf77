package io.dubbomesh.protocol.fastjson;

import com.alibaba.fastjson.serializer.JSONSerializer;
import com.alibaba.fastjson.serializer.SerializeWriter;
import com.alibaba.fastjson.serializer.SerializerFeature;
import io.dubbomesh.protocol.jsonb.Graphs;
import io.dubbomesh.protocol.type.ValueToJson;
import io.dubbomesh.protocol.value.ClassNames;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.protocol.value.ReadingTime;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class FastjsonToJsonTest {
    private static final int MAX = 1 << 20;

    private final FastjsonValues values = new FastjsonValues(ReadingTime.unlimited());
    private final ValueToJson transcoder = new ValueToJson(values, MAX);

    private String json(String fastjson, boolean classKeys) throws MalformedValueException {
        ByteBuf in = Unpooled.copiedBuffer("1\n" + fastjson + "\n", UTF_8);
        ByteBuf out = Unpooled.buffer();
        values.reset(in, 2, in.readableBytes() - 3);
        transcoder.writeJson(out, classKeys ? ClassNames.OMIT : ClassNames.REMOVE);
        if (!values.isAtEnd()) {
            throw values.malformed("not exactly one value");
        }
        return out.toString(UTF_8);
    }

    private String json(String fastjson) throws MalformedValueException {
        return json(fastjson, true);
    }

    /** Writes a value as the provider of Dubbo 2.6.1 does. */
    private static String written(Object value) {
        SerializeWriter out = new SerializeWriter();
        JSONSerializer serializer = new JSONSerializer(out);
        serializer.config(SerializerFeature.WriteEnumUsingToString, true);
        serializer.write(value);
        return out.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "true",
                "-1.5E-7",
                "\"a\\\"\\u000B\u00e4\u4e2d\ud83d\ude00\"",
                "[]",
                "{}",
                "[1,[\"a\",null],{\"k\":{\"l\":false}}]",
                "{\"@type\":\"a.B\",\"$ref\":1}",
                "{\"$ref\":\"other\"}",
                "{\"$ref\":\"$.a\",\"b\":1}"
            })
    void whatIsJsonStaysAsItIs(String value) throws MalformedValueException {
        assertThat(json(value)).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"\\ud83d\" | \"\\ufffd\"",
                "\"\\uD83D\\uDE00\" | \"\\uD83D\\uDE00\"",
                "\"\\ude00\\ud83d\" | \"\\ufffd\\ufffd\"",
                "\"\\ud83d\\ud83d\\ude00\" | \"\\ufffd\\ud83d\\ude00\"",
                "\"\\ud83da\\ude00\" | \"\\ufffda\\ufffd\"",
                "\"\\ud83d\\n\\ude00\\\\ud83d\" | \"\\ufffd\\n\\ufffd\\\\ud83d\"",
                "{\"k\\ude00\":[1,\"\\ud83d\",2]} | {\"k\\ufffd\":[1,\"\\ufffd\",2]}"
            })
    void halfOfAPairOfSurrogatesBecomesTheReplacementCharacter(String fastjson, String json)
            throws MalformedValueException {
        assertThat(json(fastjson)).isEqualTo(json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{1:\"a\",2:\"b\"} | [[1,\"a\"],[2,\"b\"]]",
                "{\"a\":[1],null:{3:4}} | [[\"a\",[1]],[null,[[3,4]]]]",
                "{{\"x\":1}:\"i\",[1]:\"l\",1.50:\"d\",true:0} | [[{\"x\":1},\"i\"],[[1],\"l\"],[1.50,\"d\"],[true,0]]"
            })
    void keysThatAreNotStringsMakeAListOfPairs(String fastjson, String json) throws MalformedValueException {
        assertThat(json(fastjson)).isEqualTo(json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[[1],{\"$ref\":\"$[0]\"}] | [[1],[1]]",
                "{\"a\":{\"b\":[[],{\"c\":1}]},\"d\":{\"$ref\":\"$.a.b[1]\"}} | {\"a\":{\"b\":[[],{\"c\":1}]},\"d\":{\"c\":1}}",
                "{\"a.b'\\\"\u4e2d\":[1],\"d\":{\"$ref\":\"$.a.b'\\\"\u4e2d\"}} | {\"a.b'\\\"\u4e2d\":[1],\"d\":[1]}",
                "{1:[[5]],2:[{\"$ref\":\"$[1][0]\"}],5000000000:{\"$ref\":\"$[1]\"}} | [[1,[[5]]],[2,[[5]]],[5000000000,[[5]]]]",
                "{5000000000:[[5]],2:{\"$ref\":\"$.5000000000[0]\"}} | [[5000000000,[[5]]],[2,[5]]]",
                "{-2147483648:[5],2:{\"$ref\":\"$[-2147483648]\"}} | [[-2147483648,[5]],[2,[5]]]",
                "{2147483648:[5],2:{\"$ref\":\"$.2147483648\"}} | [[2147483648,[5]],[2,[5]]]",
                "{-0:[5],2:{\"$ref\":\"$.-0\"}} | [[-0,[5]],[2,[5]]]",
                "{1.5:[5],null:[6],2:[{\"$ref\":\"$.1.5\"},{\"$ref\":\"$.null\"}]} | [[1.5,[5]],[null,[6]],[2,[[5],[6]]]]",
                "[{\"x\":[1]},{\"y\":{\"$ref\":\"$[0].x\"}},{\"$ref\":\"$[1]\"}] | [{\"x\":[1]},{\"y\":[1]},{\"y\":[1]}]"
            })
    void aReferenceIsWrittenAsItsTarget(String fastjson, String json) throws MalformedValueException {
        assertThat(json(fastjson)).isEqualTo(json);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"$ref\":\"$\"}",
                "[{\"$ref\":\"@\"}]",
                "[[{\"$ref\":\"..\"}]]",
                "[[{\"$ref\":\"$\"}]]",
                "{\"a\":[{\"$ref\":\"$.a\"}]}",
                "[[{\"$ref\":\"$[1]\"}],[{\"$ref\":\"$[0]\"}]]"
            })
    void aValueThatContainsItselfIsAnError(String value) {
        assertThatThrownBy(() -> json(value)).hasMessageContaining("contains itself");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{\"$ref\":\"$[0]\"}]",
                "[{\"$ref\":\"$.a\"}]",
                "[{\"$ref\":\"$[1]\"},{\"$ref\":\"$[0]\"}]",
                "[{\"a.b\":[1],\"a\":{\"b\":[2]}},{\"$ref\":\"$[0].a.b\"}]"
            })
    void aReferenceToNothingOrToMoreThanOneValueIsAnError(String value) {
        assertThatThrownBy(() -> json(value)).hasMessageContaining("reference to no value or to several");
    }

    @Test
    void theKeyClassIsLeftOutIfItNamesAClass() throws MalformedValueException {
        String generic =
                "[{\"class\":\"a.B\",\"n\":1},{\"n\":1,\"class\":\"a.B\"},{\"class\":\"a\"},{\"class\":1,\"m\":2},{\"class\":\"a\",3:4}]";
        assertThat(json(generic, false))
                .isEqualTo("[{\"n\":1},{\"n\":1},{},{\"class\":1,\"m\":2},[[\"class\",\"a\"],[3,4]]]");
        assertThat(json("{\"class\":\"a.B\",\"n\":1}", true)).isEqualTo("{\"class\":\"a.B\",\"n\":1}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "nul",
                "nullx",
                "01",
                "1 2",
                "NaN",
                "'a'",
                "\"a",
                "\"\\x41\"",
                "\"\\u12g4\"",
                "\"\\",
                "\"\t\"",
                "[",
                "[1",
                "[1,]",
                "[,1]",
                "[1 2]",
                "]",
                "{",
                "{\"a\"",
                "{\"a\":",
                "{\"a\":1",
                "{\"a\":1,}",
                "{:1}",
                "{1}",
                "{1:}",
                "{\"$ref\"",
                "{\"$ref\":\"$",
                "[]]",
                "{}1"
            })
    void textThatIsNotAValueIsAnError(String value) {
        assertThatThrownBy(() -> json(value)).isInstanceOf(MalformedValueException.class);
    }

    @Test
    void bracketsCommasAndColonsCountAsTextToo() throws MalformedValueException {
        String lists = "[[],[]," + "[],".repeat(MAX / 3) + "{}]";
        assertThatThrownBy(() -> json(lists)).hasMessageContaining("bytes of text");
    }

    @Test
    void sizeAndDepthAreBounded() throws MalformedValueException {
        assertThat(json("[".repeat(256) + "]".repeat(256))).hasSize(512);
        assertThatThrownBy(() -> json("[".repeat(257) + "]".repeat(257))).hasMessageContaining("256 values");
        assertThatThrownBy(() -> json("[".repeat(100_000))).hasMessageContaining("256 values");
        assertThatThrownBy(() -> json("{\"a\":".repeat(100_000))).hasMessageContaining("256 values");
        assertThatThrownBy(() -> json("{".repeat(100_000))).hasMessageContaining("256 values");
        assertThatThrownBy(() -> json("[{\"$ref\":\"$[1]\"}," + "[".repeat(100_000)))
                .hasMessageContaining("256 values");
        String longText = "\"" + "x".repeat(MAX / 4) + "\"";
        assertThatThrownBy(() -> json("[[" + longText + "]" + ",{\"$ref\":\"$[0]\"}".repeat(4) + "]"))
                .hasMessageContaining("bytes of text");
        StringBuilder lists = new StringBuilder("[\"x\"]");
        for (int level = 100; level > 0; level--) {
            lists.insert(0, "[").append(",{\"$ref\":\"$" + "[0]".repeat(level) + "\"}]");
        }
        assertThatThrownBy(() -> json(lists.toString())).isInstanceOf(MalformedValueException.class);
        StringBuilder maps = new StringBuilder("1");
        for (int level = 0; level < 100; level++) {
            maps.insert(0, "{\"a\":").append(",2:3}");
        }
        assertThatThrownBy(() -> json(maps.toString())).hasMessageContaining("repeat");
    }

    @Test
    void whatFastjsonWritesBecomesJson() throws MalformedValueException {
        Map<Object, Object> map = new LinkedHashMap<>();
        map.put(1, new BigDecimal("1.50"));
        map.put("k", 'c');
        map.put(null, new Date(5));
        map.put(true, new byte[] {1});
        assertThat(json(written(map))).isEqualTo("[[1,1.50],[\"k\",\"c\"],[null,5],[true,\"AQ==\"]]");
        List<Object> list = new ArrayList<>(List.of("l"));
        assertThat(json(written(Arrays.asList(list, list, new Object[] {list}))))
                .isEqualTo("[[\"l\"],[\"l\"],[[\"l\"]]]");
        list.add(list);
        assertThatThrownBy(() -> json(written(list))).hasMessageContaining("contains itself");
    }

    /** Fastjson calls each element of an array {@code null} in its paths. */
    @Test
    void whateverIsSharedTheTextIsThatOfTheWholeTree() throws MalformedValueException {
        for (int seed = 0; seed < 3000; seed++) {
            Object value = Graphs.value(new Random(seed), false);
            assertThat(json(written(value))).as("seed " + seed).isEqualTo(Graphs.text(value, false));
        }
    }
}
