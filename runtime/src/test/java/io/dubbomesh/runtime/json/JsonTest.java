package io.dubbomesh.runtime.json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class JsonTest {
    private record Endpoint(String id, int weight, boolean alive, String reason, List<String> services) {}

    @Test
    void aRecordIsAnObjectOfItsComponentsWithoutThoseThatAreNull() {
        assertThat(Json.write(new Endpoint("192.0.2.7:30000", 3, true, null, List.of("a.Greeter"))))
                .isEqualTo("{\"id\":\"192.0.2.7:30000\",\"weight\":3,\"alive\":true,\"services\":[\"a.Greeter\"]}");
    }

    @Test
    void numbersKeepEveryDigit() {
        assertThat(Json.write(Arrays.asList(1, 9007199254740993L, 0.5, new BigDecimal("1.10"), null)))
                .isEqualTo("[1,9007199254740993,0.5,1.10,null]");
        assertThat(Json.read("[1, 9007199254740993, 123456789012345678901, 1.10, null, true]"))
                .isEqualTo(Arrays.asList(
                        1L,
                        9007199254740993L,
                        new BigInteger("123456789012345678901"),
                        new BigDecimal("1.10"),
                        null,
                        true));
    }

    @Test
    void textIsEscaped() {
        assertThat(Json.write(Map.of("a\"b", "line\n\u0001"))).isEqualTo("{\"a\\\"b\":\"line\\n\\u0001\"}");
    }

    @Test
    void anObjectIsAMapInTheOrderOfItsMembers() {
        assertThat(Json.read("{\"b\":{\"c\":[]},\"a\":\"\"}")).hasToString("{b={c=[]}, a=}");
    }

    @Test
    void whatIsTooMuchIsRefused() {
        for (String text : List.of("[".repeat(20_000), "9".repeat(20_000), "1." + "9".repeat(20_000))) {
            assertThatThrownBy(() -> Json.read(text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("maximum");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''           | nothing (expected: a JSON value)",
                "1 2          | more than one JSON value",
                "{\"a\":1,\"a\":2} | malformed JSON at line 1, column 11: Duplicate field 'a'",
                "[1           | malformed JSON at line 1, column 3: Unexpected end-of-input: expected close marker for Array",
                "[1}          | malformed JSON at line 1, column 3: Unexpected close marker '}': expected ']'",
                "[NaN]        | malformed JSON at line 1, column 5: Non-standard token 'NaN'",
                "nul          | malformed JSON at line 1, column 1: Unrecognized token 'nul'",
            })
    void whatIsNotOneValueIsRefused(String text, String message) {
        assertThatThrownBy(() -> Json.read(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message)
                .hasMessageNotContainingAny("Source", "`");
    }
}
