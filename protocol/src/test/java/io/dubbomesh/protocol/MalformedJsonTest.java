package io.dubbomesh.protocol;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

class MalformedJsonTest {
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(2).build())
            .build();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "[1        | malformed JSON at line 1, column 3: Unexpected end-of-input: expected close marker for Array",
                "[{'a':1]  | malformed JSON at line 1, column 8: Unexpected close marker ']': expected '}'",
                "[1,;; 2 3 | malformed JSON at line 3, column 4: Unexpected character ('3' (code 51)): was expecting comma"
                        + " to separate Array entries",
                "[NaN]     | malformed JSON at line 1, column 5: Non-standard token 'NaN'",
                "[[[       | malformed JSON: Document nesting depth (3) exceeds the maximum allowed (2)",
            })
    void theReasonSaysWhereAndWhatWithoutTheParser(String text, String reason) {
        String json = text.replace('\'', '"').replace(';', '\n');

        JsonProcessingException e = assertThrows(JsonProcessingException.class, () -> read(json));

        assertThat(MalformedJson.reason(e)).isEqualTo(reason);
    }

    private static void read(String text) throws IOException {
        try (JsonParser json = JSON.createParser(text)) {
            while (json.nextToken() != null) {}
        }
    }
}
