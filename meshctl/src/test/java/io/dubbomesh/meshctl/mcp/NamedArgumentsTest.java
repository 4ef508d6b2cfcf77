package io.dubbomesh.meshctl.mcp;

import io.dubbomesh.meshctl.agent.MeshctlException;
import io.dubbomesh.meshctl.mcp.ToolDocument.ArgumentSchema;
import io.dubbomesh.runtime.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class NamedArgumentsTest {
    private static final Map<String, ArgumentSchema> KNOWN = Map.of(
            "name",
            new ArgumentSchema(List.of("string", "null")),
            "count",
            new ArgumentSchema("integer"),
            "order",
            new ArgumentSchema(null));

    private static String read(String... typed) {
        return Json.write(NamedArguments.read(
                List.of(typed), KNOWN, new ByteArrayInputStream("{\"count\":1}\n".getBytes(UTF_8))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "name=7                     | {\"name\":\"7\"}",
                "name=a=b                   | {\"name\":\"a=b\"}",
                "name=                      | {\"name\":\"\"}",
                "name=@@x                   | {\"name\":\"@x\"}",
                "count=12345678901234567890 | {\"count\":12345678901234567890}",
                "count=7.50                 | {\"count\":7.50}",
                "order={\"a\":[null]}       | {\"order\":{\"a\":[null]}}",
                "order=tea                  | {\"order\":\"tea\"}",
                "order=-                    | {\"order\":{\"count\":1}}",
                "-                          | {\"count\":1}",
                "{\"name\":\"a=b\",\"x\":1} | {\"name\":\"a=b\",\"x\":1}",
            })
    void anArgumentIsJsonOrText(String typed, String expected) {
        assertThat(read(typed)).isEqualTo(expected);
    }

    @Test
    void severalAreTakenByName() {
        assertThat(read("count=1", "name=x")).isEqualTo("{\"count\":1,\"name\":\"x\"}");
        assertThat(read()).isEqualTo("{}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cuont=1 | cuont=1 (expected: NAME=VALUE, or one JSON object, with ",
                "name    | name (expected: NAME=VALUE",
                "[1]     | [1] (expected: NAME=VALUE",
                "@/none  | @/none: no such file",
            })
    void anotherFormIsRefused(String typed, String expected) {
        assertThatThrownBy(() -> read(typed))
                .isInstanceOf(MeshctlException.class)
                .hasMessageStartingWith(expected);
    }

    @Test
    void oneThatComesTwiceIsRefused() {
        assertThatThrownBy(() -> read("name=a", "name=b")).hasMessage("name: twice (expected: once)");
    }
}
