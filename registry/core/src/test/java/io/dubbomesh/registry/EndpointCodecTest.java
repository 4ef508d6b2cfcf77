package io.dubbomesh.registry;

import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.testsupport.random.Tries;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EndpointCodecTest {
    private static final List<String> PARTS_OF_VALUES = List.of(
            "{",
            "}",
            "[",
            "]",
            ":",
            ",",
            "\"weight\"",
            "\"limit\"",
            "\"variants\"",
            "\"version\"",
            "7",
            "\"\"",
            "\n",
            "null");

    private static String value(
            int weight,
            int limit,
            List<Variant> variants,
            Map<Variant, Map<String, String>> timeouts,
            String provider,
            String zone) {
        return EndpointCodec.value(
                new EndpointCodec.Value(weight, limit, variants, timeouts, provider, zone, 0, false));
    }

    private static EndpointCodec.Value parse(String value) {
        return EndpointCodec.parseValue(value.getBytes(UTF_8));
    }

    @Test
    void aValueIsWrittenAsTheDesignShowsIt() {
        assertThat(value(3, 180, List.of(new Variant("1.0", "a")), Map.of(), "", ""))
                .isEqualTo("{\"weight\":3,\"limit\":180,\"variants\":[{\"version\":\"1.0\",\"group\":\"a\"}]}");
        assertThat(value(0, 1, List.of(), Map.of(), "", ""))
                .isEqualTo("{\"weight\":0,\"limit\":1,\"variants\":[{\"version\":\"\",\"group\":\"\"}]}");
    }

    @Test
    void theValueOfAnAgentThatDeregistersSaysSo() {
        String value = EndpointCodec.leavingValue(3, 180, List.of());

        assertThat(value)
                .isEqualTo(
                        "{\"weight\":3,\"limit\":180,\"variants\":[{\"version\":\"\",\"group\":\"\"}],\"leaving\":true}");
        assertThat(parse(value)).isEqualTo(new EndpointCodec.Value(3, 180, List.of(Variant.NONE), "", true));
        assertThat(parse("{\"leaving\":false}").leaving()).isFalse();
    }

    @Test
    void aValueNamesTheProviderOfItsAgent() {
        String value = value(3, 180, List.of(), Map.of(), "192.0.2.7:20880", "");

        assertThat(value)
                .isEqualTo(
                        "{\"weight\":3,\"limit\":180,\"variants\":[{\"version\":\"\",\"group\":\"\"}],\"provider\":\"192.0.2.7:20880\"}");
        assertThat(parse(value).provider()).isEqualTo("192.0.2.7:20880");
        assertThat(parse("{\"provider\":\"[2001:DB8:0:0:0:0:0:7]:20880\"}").provider())
                .isEqualTo("[2001:db8::7]:20880");
        assertThat(EndpointCodec.withWeight(value.getBytes(UTF_8), 5)).isEqualTo(value.replace("3", "5"));
        assertThatThrownBy(() -> parse("{\"provider\":\"0.0.0.0:1\"}")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> parse("{\"provider\":7}")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void timeoutsAreThoseOfAVariant() {
        Variant blue = new Variant("2.0", "blue");
        Map<Variant, Map<String, String>> timeouts = Map.of(blue, Map.of("timeout", "15000", "slow.timeout", "20000"));
        String value = value(3, 180, List.of(Variant.NONE, blue), timeouts, "", "");
        assertThat(value)
                .isEqualTo(
                        "{\"weight\":3,\"limit\":180,\"variants\":[{\"version\":\"\",\"group\":\"\"},"
                                + "{\"version\":\"2.0\",\"group\":\"blue\",\"timeouts\":{\"slow.timeout\":\"20000\",\"timeout\":\"15000\"}}]}");
        assertThat(parse(value).timeouts()).isEqualTo(timeouts);
        assertThat(EndpointCodec.withWeight(value.getBytes(UTF_8), 5)).isEqualTo(value.replace("3,", "5,"));
        assertThatThrownBy(() -> parse("{\"variants\":[{\"timeouts\":5}]}"))
                .hasMessage("VALUE_NUMBER_INT (expected: timeouts as an object)");
    }

    @Test
    void theProviderIsLeftOutWhereItsNameDoesNotFit() {
        Variant large = new Variant("1".repeat(EndpointCodec.MAX_VALUE_LENGTH - 70), "");

        assertThat(parse(value(1, 1, List.of(large), Map.of(), "192.0.2.7:20880", ""))
                        .provider())
                .isEmpty();
    }

    @Test
    void aValueTellsTheZoneOfItsAgent() {
        String value = value(3, 180, List.of(), Map.of(), "", "eu-north-1a");

        assertThat(value)
                .isEqualTo(
                        "{\"weight\":3,\"limit\":180,\"variants\":[{\"version\":\"\",\"group\":\"\"}],\"zone\":\"eu-north-1a\"}");
        assertThat(parse(value).zone()).isEqualTo("eu-north-1a");
        assertThat(EndpointCodec.withWeight(value.getBytes(UTF_8), 5)).isEqualTo(value.replace("3,", "5,"));
        assertThat(parse("{\"weight\":3,\"limit\":180,\"variants\":[{\"version\":\"\",\"group\":\"\"}]}")
                        .zone())
                .as("an agent without zones")
                .isEmpty();
    }

    /** The endpoint is used as one without them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"zone\":\"a b\"",
                "\"zone\":7",
                "\"zone\":{\"a\":1}",
                "\"zone\":null",
                "\"zone\":\"\"",
                "\"capacity\":-1",
                "\"capacity\":1000000001",
                "\"capacity\":10000000000",
                "\"capacity\":1.5",
                "\"capacity\":\"7\"",
                "\"capacity\":[7]",
                "\"capacity\":null"
            })
    void aMalformedZoneOrCapacityIsAsMissing(String field) {
        assertThat(parse("{" + field + ",\"weight\":3}"))
                .isEqualTo(new EndpointCodec.Value(
                        3, Endpoint.DEFAULT_LIMIT, List.of(Variant.NONE), Map.of(), "", "", 0, false));
    }

    @Test
    void aValueTellsWhatTheProviderCanExecuteWhereItsWeightIsAutomatic() {
        String value = EndpointCodec.value(
                new EndpointCodec.Value(3, 180, List.of(Variant.NONE), Map.of(), "", "", 3600, false));

        assertThat(value)
                .isEqualTo(
                        "{\"weight\":3,\"limit\":180,\"variants\":[{\"version\":\"\",\"group\":\"\"}],\"capacity\":3600}");
        assertThat(parse(value).capacity()).isEqualTo(3600);
        assertThat(EndpointCodec.withWeight(value.getBytes(UTF_8), 5)).isEqualTo(value.replace("3,", "5,"));
        assertThat(parse("{\"weight\":3}").capacity()).isZero();
    }

    /** Only without its provider may the calls of an agent go past it. */
    @Test
    void theCapacityIsLeftOutFirstThenTheZoneAndLastTheProvider() {
        assertThat(fitted(121)).isEqualTo("192.0.2.7:20880 north 3600");
        assertThat(fitted(120)).isEqualTo("192.0.2.7:20880 north 0");
        assertThat(fitted(104)).isEqualTo("192.0.2.7:20880  0");
        assertThat(fitted(89)).isEqualTo("  0");
    }

    /** Returns the hints in a value in which there is room for so many bytes beside the version. */
    private static String fitted(int bytes) {
        Variant large = new Variant("1".repeat(EndpointCodec.MAX_VALUE_LENGTH - bytes), "");
        EndpointCodec.Value value = parse(EndpointCodec.value(
                new EndpointCodec.Value(1, 1, List.of(large), Map.of(), "192.0.2.7:20880", "north", 3600, false)));
        return value.provider() + " " + value.zone() + " " + value.capacity();
    }

    @Test
    void aKeyIsWrittenAsTheDesignShowsIt() {
        assertThat(new EndpointCodec.Key("com.example.Greeter", new HostPort("192.0.2.7", 30000)))
                .hasToString("/dubbomesh/com.example.Greeter/192.0.2.7:30000");
        assertThat(new EndpointCodec.Key("com.example.Greeter", new HostPort("::1", 30000)))
                .hasToString("/dubbomesh/com.example.Greeter/[::1]:30000");
    }

    @Test
    void aValueOfOursIsRead() {
        assertThat(parse("{\"weight\":3,\"limit\":90,\"variants\":[{\"version\":\"1.0\",\"group\":\"a\"},{}]}"))
                .isEqualTo(new EndpointCodec.Value(3, 90, List.of(new Variant("1.0", "a"), Variant.NONE), "", false));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "'';1",
                "' ';1",
                "'\n';1",
                "3;3",
                "0;0",
                "1000;1000",
                "' 7\n';7",
                "{};1",
                "{\"weight\":0};0",
                "{\"weight\":1000,\"since\":{\"a\":[1,{}]},\"x\":null};1000",
                "{\"variants\":[]};1"
            })
    void valuesOfOtherAgentsAreParsed(String value, int weight) {
        assertThat(parse(value)).isEqualTo(new EndpointCodec.Value(weight, 180, List.of(Variant.NONE), "", false));
    }

    @Test
    void variantsMayLackVersionOrGroupAndAreNotRepeated() {
        assertThat(parse(
                                "{\"variants\":[{\"version\":\"1\"},{\"group\":\"a\",\"x\":[]},{\"version\":\"1\",\"group\":null}]}")
                        .variants())
                .containsExactly(new Variant("1", ""), new Variant("", "a"));
        assertThat(parse("{\"variants\":[{\"version\":\"0.0.0\"}]}").variants()).containsExactly(Variant.NONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-1",
                "1001",
                "1000000000",
                "99999999999999999999",
                "2.5",
                "1e2",
                "NaN",
                "0x1",
                "weight",
                "[]",
                "[1]",
                "null",
                "true",
                "\"3\"",
                "{",
                "{\"weight\"",
                "{\"weight\":",
                "{\"weight\":3",
                "{\"weight\":-1}",
                "{\"weight\":1001}",
                "{\"weight\":1000000000}",
                "{\"weight\":99999999999999999999}",
                "{\"weight\":1.0}",
                "{\"weight\":NaN}",
                "{\"weight\":\"3\"}",
                "{\"weight\":null}",
                "{\"weight\":[3]}",
                "{\"weight\":3,\"weight\":4}",
                "{\"weight\":3} {}",
                "{\"weight\":3}x",
                "{\"limit\":0}",
                "{\"limit\":-5}",
                "{\"limit\":1000001}",
                "{\"leaving\":1}",
                "{\"leaving\":\"true\"}",
                "{\"leaving\":null}",
                "{\"variants\":{}}",
                "{\"variants\":[1]}",
                "{\"variants\":[null]}",
                "{\"variants\":[{\"version\":1}]}",
                "{\"variants\":[{\"group\":[]}]}",
                "{\"variants\":[{}"
            })
    void aMalformedValueIsRefused(String value) {
        assertThatThrownBy(() -> parse(value)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aValueMayHave1024BytesAndNoMore() {
        String value = "{\"x\":\"" + "a".repeat(1024 - 8) + "\"}";

        assertThat(parse(value).weight()).isEqualTo(1);
        assertThatThrownBy(() -> parse(value + ' '))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("1025 bytes (expected: at most 1024)");
    }

    @Test
    void variantsThatExceedAValueAreRefusedBeforeTheyAreWritten() {
        Variant large = new Variant("1".repeat(1000), "");

        assertThatThrownBy(() -> value(1, 1, List.of(large), Map.of(), "", ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("registry: a value of 10");
    }

    @Test
    void everyValueWrittenIsReadAgain() {
        Tries.run(1000, random -> {
            int weight = random.between(0, 1000);
            int limit = random.between(1, 1_000_000);
            Variant variant = new Variant(random.text(30), random.text(30));
            assertThat(parse(value(weight, limit, List.of(variant), Map.of(), "", "")))
                    .isEqualTo(new EndpointCodec.Value(weight, limit, List.of(variant), "", false));
        });
    }

    @Test
    void everyValueIsParsedOrRefused() {
        Tries.run(1000, random -> {
            byte[] value = random.anyBoolean()
                    ? random.bytes(100)
                    : random.joined(15, PARTS_OF_VALUES).getBytes(UTF_8);
            try {
                assertThat(EndpointCodec.parseValue(value).weight()).isBetween(0, 1000);
            } catch (IllegalArgumentException refused) {
                assertThat(refused).hasMessageNotContaining("\n");
            }
        });
    }

    @Test
    void everyKeyIsParsedOrRefused() {
        Tries.run(1000, random -> {
            try {
                String key = EndpointCodec.ROOT + random.chars(255) + '/' + random.chars(255);
                assertThat(EndpointCodec.parseKey(key).service()).doesNotContain("/", "\n");
            } catch (IllegalArgumentException refused) {
                assertThat(refused).hasMessageNotContaining("\n");
            }
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/dubbomesh",
                "/dubbomesh/",
                "/dubbomesh/192.0.2.7:1",
                "/dubbomesh//192.0.2.7:1",
                "/dubbomesh/a/b/192.0.2.7:1",
                "/dubbomesh/../192.0.2.7:1",
                "/dubbomesh/a b/192.0.2.7:1",
                "/dubbomesh/a\n/192.0.2.7:1",
                "/dubbomesh/a/",
                "/dubbomesh/a/192.0.2.7",
                "/other/a/192.0.2.7:1"
            })
    void aMalformedKeyIsRefused(String key) {
        assertThatThrownBy(() -> EndpointCodec.parseKey(key)).isInstanceOf(IllegalArgumentException.class);
    }
}
