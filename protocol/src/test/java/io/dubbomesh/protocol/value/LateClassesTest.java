package io.dubbomesh.protocol.value;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.dubbomesh.protocol.value.LateClasses.Member;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LateClassesTest {
    private final LateClasses classes = new LateClasses();

    /** Returns what is found for each object whose first member is another one, in their order; {@code -} for null. */
    private List<String> find(ByteBuf in, int offset, int length) throws Exception {
        List<String> found = new ArrayList<>();
        classes.begin(in, offset, length);
        try (JsonParser json = JsonValues.parser(in, offset, length)) {
            JsonToken before = null;
            for (JsonToken token = json.nextToken(); token != null; before = token, token = json.nextToken()) {
                boolean isFirst = before == JsonToken.START_OBJECT && token == JsonToken.FIELD_NAME;
                if (isFirst && !json.currentName().equals("class")) {
                    Member member = classes.find(json);
                    found.add(member == null ? "-" : Objects.requireNonNullElse(member.className(), member.other()));
                }
            }
        }
        classes.end();
        return found;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            [{"a":1,"class":"x.A"}]                                  | x.A
            [{"a":1 , "class" : "x.A" , "b":2}]                      | x.A
            [{"a":1,"cl\\u0061ss":"x.\\u0041"}]                      | x.A
            [{"a":1}]                                                | -
            [{"a":"\\"class\\""}]                                    | -
            [{"a":"class"},{"class":"x.A","b":1}]                    | -
            [{"a":1,"class":"x.A","class":"x.B"}]                    | x.A
            [{"a":{"class":"x.B"},"class":"x.A"}]                    | x.A
            [{"a":{"b":[{"c":1,"class":"x.C"}],"class":"x.B"},"class":"x.A"}] | x.A,x.B,x.C
            [{"a":{"b":[{"c":1}]}},{"d":1,"class":"x.D"}]            | -,-,-,x.D
            [{"a":1,"class":7}]                                      | 7
            [{"a":1,"class":-1.5e3,"b":1}]                           | -1.5e3
            [{"a":1,"class":null }]                                  | null
            [{"a":1,"class":{"b":1,"class":"x.A"}}]                  | {...},x.A
            [{"a":1,"class":[{"b":1,"class":"x.A"}],"c":1}]          | [...],x.A
            {"a":1,"class":""}                                       |\s
            {}                                                       |
            "class"                                                  |
            """)
    void theMemberIsFoundWhereverItStands(String text, String expected) throws Exception {
        List<String> found = expected == null ? List.of() : List.of(expected.split(",", -1));
        byte[] bytes = text.getBytes(UTF_8);
        List<String> wanted = text.endsWith("\"\"}") ? List.of("") : found;

        ByteBuf heap = Unpooled.buffer().writeBytes("--".getBytes(UTF_8)).writeBytes(bytes);
        assertThat(find(heap, 2, bytes.length)).isEqualTo(wanted);
        ByteBuf direct =
                Unpooled.directBuffer().writeBytes("---".getBytes(UTF_8)).writeBytes(bytes);
        try {
            assertThat(find(direct, 3, bytes.length)).isEqualTo(wanted);
        } finally {
            direct.release();
        }
    }

    @Test
    void objectsAsDeepAsTheParserTakesAreRead() throws Exception {
        String open = "{\"a\":";
        int depth = JsonWriter.MAX_DEPTH;
        String text = open.repeat(depth) + "1" + ",\"class\":\"x.A\"}".repeat(depth);
        ByteBuf in = Unpooled.copiedBuffer(text, UTF_8);

        assertThat(find(in, 0, in.writerIndex())).hasSize(depth).containsOnly("x.A");
    }

    @Test
    void whatIsMalformedBehindIsReported() throws Exception {
        String text = "[{\"a\":1,\"class\":\"x.A\"},}";
        ByteBuf in = Unpooled.copiedBuffer(text, UTF_8);

        assertThatThrownBy(() -> find(in, 0, in.writerIndex()))
                .isInstanceOf(com.fasterxml.jackson.core.JsonParseException.class);
    }
}
