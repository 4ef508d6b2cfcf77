package io.dubbomesh.consumer.mcp.tool;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** The part of a result that callers of a tool get. */
class AnswerFilterTest {
    private static String copy(AnswerRules rules, int page, String result) throws IOException {
        byte[] bytes = result.getBytes(UTF_8);
        ByteBuf in = Unpooled.buffer().writeBytes("head".getBytes(UTF_8)).writeBytes(bytes);
        ByteBuf out = Unpooled.buffer();
        AnswerFilter.copy(rules, page, in, 4, bytes.length, out);
        return out.toString(UTF_8);
    }

    private static AnswerRules masks(String... paths) {
        return new AnswerRules(
                1 << 20,
                0,
                Arrays.stream(paths).map(path -> List.of(path.split("\\."))).toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "card|{\"card\":\"4111\",\"total\":1.50}|{\"card\":\"***\",\"total\":1.50}",
                "card|{\"a\":{\"card\":1}, \"card\": {\"n\":[1,2]} }|{\"a\":{\"card\":1}, \"card\": \"***\" }",
                "a.card|[{\"a\":[{\"card\":1},{\"card\":2}],\"card\":3}]|[{\"a\":[{\"card\":\"***\"},{\"card\":\"***\"}],\"card\":3}]",
                "*.card|{\"x\":{\"card\":1},\"y\":{\"card\":null},\"card\":2}|{\"x\":{\"card\":\"***\"},\"y\":{\"card\":\"***\"},\"card\":2}",
                "card|{\"c\\u0061rd\":1}|{\"c\\u0061rd\":\"***\"}",
                "card|null|null",
                "card|\"card\"|\"card\"",
                "card|12345678901234567890.10|12345678901234567890.10"
            })
    void aMaskedValueIsThreeStars(String path, String result, String expected) throws Exception {
        assertThat(copy(masks(path), 0, result)).isEqualTo(expected);
    }

    @Test
    void eachOfSeveralPathsIsMasked() throws Exception {
        assertThat(copy(masks("a", "b.c"), 0, "{\"a\":1,\"b\":{\"c\":2,\"d\":3}}"))
                .isEqualTo("{\"a\":\"***\",\"b\":{\"c\":\"***\",\"d\":3}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|[1.0,2,3,4,5]|{\"items\":[1.0,2],\"page\":0,\"pages\":3,\"total\":5}",
                "1|[1,2,3 , 4,5]|{\"items\":[3,4],\"page\":1,\"pages\":3,\"total\":5}",
                "2|[1,2,3,4,[5]]|{\"items\":[[5]],\"page\":2,\"pages\":3,\"total\":5}",
                "3|[1,2,3,4,5]|{\"items\":[],\"page\":3,\"pages\":3,\"total\":5}",
                "2147483647|[1]|{\"items\":[],\"page\":2147483647,\"pages\":1,\"total\":1}",
                "0|[]|{\"items\":[],\"page\":0,\"pages\":1,\"total\":0}",
                "0|null|null",
                "0|{\"a\":[1,2,3]}|{\"a\":[1,2,3]}"
            })
    void anArrayIsCutIntoPages(int page, String result, String expected) throws Exception {
        assertThat(copy(new AnswerRules(1 << 20, 2, List.of()), page, result)).isEqualTo(expected);
    }

    @Test
    void theItemsOfAPageAreMasked() throws Exception {
        assertThat(copy(
                        new AnswerRules(1 << 20, 1, List.of(List.of("card"))),
                        1,
                        "[{\"card\":1},{\"card\":2,\"n\":3}]"))
                .isEqualTo("{\"items\":[{\"card\":\"***\",\"n\":3}],\"page\":1,\"pages\":2,\"total\":2}");
    }
}
