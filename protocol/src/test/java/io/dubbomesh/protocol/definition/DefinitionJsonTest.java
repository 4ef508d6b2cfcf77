package io.dubbomesh.protocol.definition;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The files are what providers of one interface wrote: {@code definition-2.7.23} its metadata service's answer,
 * {@code definition-gson} what it sends to a metadata center, {@code definition-3.3.6} the same of 3.3.6 (and 3.2.19).
 */
class DefinitionJsonTest {
    private static ServiceDefinition captured(String name) throws IOException, MalformedDefinitionException {
        try (InputStream in = DefinitionJsonTest.class.getResourceAsStream(name + ".json")) {
            return DefinitionJson.parse(new String(in.readAllBytes(), UTF_8));
        }
    }

    private static ServiceDefinition withType(String type) throws MalformedDefinitionException {
        return DefinitionJson.parse("""
                {"canonicalName":"a.Service","methods":[{"name":"m","parameterTypes":["a.Box"],"returnType":"void"}],
                 "types":[%s]}""".formatted(type));
    }

    @ParameterizedTest
    @ValueSource(strings = {"definition-2.7.23", "definition-gson", "definition-3.3.6"})
    void methodsHaveTheirTypesAndOverloadsAreSeparate(String file) throws Exception {
        ServiceDefinition service = captured(file);

        assertThat(service.methods())
                .containsExactly(
                        new MethodDefinition("add", List.of("int", "int"), "int"),
                        new MethodDefinition("add", List.of("long", "long"), "long"),
                        new MethodDefinition("max", List.of("java.util.List<T>"), "java.lang.Comparable"),
                        new MethodDefinition("join", List.of("java.lang.String[]"), "java.lang.String"),
                        new MethodDefinition(
                                "find",
                                List.of("java.util.Map<java.lang.String,com.example.Order$Kind>", "com.example.Color"),
                                "java.util.List<com.example.Order>"),
                        new MethodDefinition(
                                "any",
                                List.of(
                                        "java.lang.Object",
                                        "java.util.Date",
                                        "java.math.BigDecimal",
                                        "java.time.LocalDate",
                                        "java.util.Optional"),
                                "java.lang.Object"),
                        new MethodDefinition("place", List.of("com.example.Order"), "com.example.Order"),
                        new MethodDefinition("matrix", List.of("int[]", "java.lang.String[]"), "int[][]"),
                        new MethodDefinition("later", List.of("byte[]"), "java.util.concurrent.CompletableFuture"),
                        new MethodDefinition("nothing", List.of(), "void"),
                        new MethodDefinition(
                                "page",
                                List.of("com.example.Page", "com.example.Order[]", "java.util.Set<com.example.Order>"),
                                "com.example.Page"),
                        new MethodDefinition("echo", List.of("java.lang.Object"), "java.lang.Object"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"definition-2.7.23", "definition-gson", "definition-3.3.6"})
    void classesHaveTheirFieldsAndEnumsTheirConstants(String file) throws Exception {
        ServiceDefinition service = captured(file);

        assertThat(service.types())
                .containsOnlyKeys(
                        "com.example.Order",
                        "com.example.Order$Line",
                        "com.example.Order$Kind",
                        "com.example.Page",
                        "com.example.Person",
                        "com.example.Color");
        assertThat(service.types().get("com.example.Order").fields())
                .isEqualTo(Map.ofEntries(
                        Map.entry("id", "java.lang.Long"),
                        Map.entry("created", "java.util.Date"),
                        Map.entry("price", "java.math.BigDecimal"),
                        Map.entry("kind", "com.example.Order$Kind"),
                        Map.entry("lines", "java.util.List<com.example.Order$Line>"),
                        Map.entry("byName", "java.util.Map<java.lang.String,java.util.List<com.example.Order$Line>>"),
                        Map.entry("array", "com.example.Order$Line[]"),
                        Map.entry("grid", "int[][]"),
                        Map.entry("parent", "com.example.Order"),
                        Map.entry("people", "com.example.Page"),
                        Map.entry("unread", "com.example.Person"),
                        Map.entry("flag", "boolean"),
                        Map.entry("URL", "java.lang.String")));
        assertThat(service.types().get("com.example.Page").fields())
                .isEqualTo(Map.of("total", "int", "items", "java.util.List<T>", "first", "java.lang.Object"));
        assertThat(service.types().get("com.example.Order$Line").fields())
                .isEqualTo(Map.of("count", "int", "sku", "java.lang.String"));
        assertThat(service.types().get("com.example.Color"))
                .isEqualTo(new TypeDefinition("com.example.Color", List.of("RED", "GREEN"), Map.of()));
        assertThat(service.types().get("com.example.Order$Kind").isEnum()).isTrue();
    }

    @Test
    void aTypeVariableIsNamedWhereItIsATypeArgument() throws Exception {
        TypeDefinition box = withType("""
                        {"type":"a.Box","properties":{"n":"int","all":"java.util.List<T>","one":"T","some":"T[]",
                         "byName":"java.util.Map<java.lang.String,T[]>"}}""").types().get("a.Box");

        assertThat(box.fields())
                .isEqualTo(Map.of(
                        "n", "int",
                        "all", "java.util.List<T>",
                        "one", "java.lang.Object",
                        "some", "java.lang.Object[]",
                        "byName", "java.util.Map<java.lang.String,T[]>"));
    }

    @Test
    void theClassesThatNothingDescribesAreNamed() throws Exception {
        ServiceDefinition service = DefinitionJson.parse("""
                {"canonicalName":"a.Service","methods":[
                  {"name":"page","parameterTypes":["a.Page<a.Order>","int[]"],"returnType":"java.util.List<a.Gone[]>"},
                  {"name":"go","parameterTypes":["github.com/acme/model.User"],"returnType":"void"},
                  {"name":"list","parameterTypes":["java.util.Map<java.lang.String,? extends a.Box>"],
                   "returnType":"com.google.common.collect.ImmutableList<java.lang.Long>"}],
                 "types":[{"type":"a.Box","properties":{"all":"java.util.List<T>","lid":"a.Lid"}}]}""");

        assertThat(service.unknownTypes()).containsExactly("a.Gone", "a.Lid", "a.Order", "a.Page");
    }

    @Test
    void aClassIsNotKnownIfAFieldRefersToNothing() throws Exception {
        for (String reference :
                List.of("$.types[7]", "$.types[0].properties.b", "$.methods[0]", "..", "@", "$", "$.types[0]x")) {
            assertThat(withType("{\"type\":\"a.Box\",\"properties\":{\"a\":{\"$ref\":\"" + reference + "\"}}}")
                            .types())
                    .as(reference)
                    .isEmpty();
        }
    }

    @Test
    void referencesReachIntoItemsAndForward() throws Exception {
        ServiceDefinition service = withType("""
                {"type":"a.Box","properties":{"a":{"$ref":"$.types[1].items[1]"},"b":{"$ref":"$.types[1]"}}},
                {"type":"java.util.Map<java.lang.String,int[]>","items":[{"type":"java.lang.String"},{"type":"int[]"}]}""");

        assertThat(service.types().get("a.Box").fields())
                .isEqualTo(Map.of("a", "int[]", "b", "java.util.Map<java.lang.String,int[]>"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a.Service.Mode|a.Service$Mode",
                "a.Box.Kind.Sub|a.Box$Kind$Sub",
                "b.Other.Kind|b.Other$Kind",
                "b.c.Other|b.c.Other",
                "b.Other$Kind|b.Other$Kind",
                "java.util.Map.Entry<java.lang.String, ? extends a.Box.Kind>[][]"
                        + "|java.util.Map$Entry<java.lang.String,? extends a.Box$Kind>[][]",
                "java.util.List< ? >|java.util.List<?>",
                "java.util.List<? super a.Box>|java.util.List<? super a.Box>",
                "b.Outer<java.lang.String>$Inner|b.Outer$Inner",
                "b.Outer<java.lang.String>.Inner<int[]>|b.Outer$Inner<int[]>"
            })
    void namesAreNormalized(String written, String name) throws Exception {
        ServiceDefinition service = withType("{\"type\":\"a.Box\",\"properties\":{\"x\":\"" + written + "\"}}");

        assertThat(service.types().get("a.Box").fields()).isEqualTo(Map.of("x", name));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``|definition: null (expected: START_OBJECT)",
                "[]|definition: START_ARRAY (expected: START_OBJECT)",
                "{}|definition: without methods",
                "{\"methods\":{}}|methods: START_OBJECT (expected: START_ARRAY)",
                "{\"methods\":[1]}|methods[0]: VALUE_NUMBER_INT (expected: START_OBJECT)",
                "{\"methods\":[{\"name\":\"a\"}]}|methods[0]: without name or returnType",
                "{\"methods\":[{\"name\":\"a\",\"returnType\":\"a<\"}]}|type: \"a<\" (expected: the name of a Java type)",
                "{\"methods\":[{\"name\":\"a\",\"returnType\":\"..\"}]}|type: \"..\" (expected: the name of a Java type)",
                "{\"types\":[[]]}|types: START_ARRAY (expected: START_OBJECT)",
                "{\"methods\":[{\"name\":\"a\",\"returnType\":\"int\"}]} 1|definition: text after its end"
            })
    void aMalformedDefinitionIsDescribed(String text, String message) {
        assertThatExceptionOfType(MalformedDefinitionException.class)
                .isThrownBy(() -> DefinitionJson.parse(text))
                .withMessage(message);
    }

    @Test
    void everyTruncationIsMalformed() throws Exception {
        try (InputStream in = DefinitionJsonTest.class.getResourceAsStream("definition-2.7.23.json")) {
            String text = new String(in.readAllBytes(), UTF_8).strip();
            for (int length = 0; length < text.length(); length++) {
                String part = text.substring(0, length);
                assertThatExceptionOfType(MalformedDefinitionException.class)
                        .as("%d characters", length)
                        .isThrownBy(() -> DefinitionJson.parse(part));
            }
        }
    }

    @Test
    void methodsClassesAndDimensionsAreBounded() {
        String method = "{\"name\":\"m\",\"parameterTypes\":[],\"returnType\":\"int\"},";
        assertThatExceptionOfType(MalformedDefinitionException.class)
                .isThrownBy(() -> DefinitionJson.parse("{\"methods\":[" + method.repeat(10_001)))
                .withMessage("definition: more than 10000 methods");
        StringBuilder types = new StringBuilder("{\"type\":\"a.Box\"}");
        for (int i = 0; i < 10_001; i++) {
            types.append(",{\"type\":\"a.B").append(i).append("\",\"enums\":[\"X\"]}");
        }
        assertThatExceptionOfType(MalformedDefinitionException.class)
                .isThrownBy(() -> withType(types.toString()))
                .withMessage("definition: more than 10000 classes");
        assertThatExceptionOfType(MalformedDefinitionException.class)
                .isThrownBy(
                        () -> withType("{\"type\":\"a.Box\",\"properties\":{\"x\":\"int" + "[]".repeat(256) + "\"}}"))
                .withMessageStartingWith("type: \"int[][]");
    }

    /** 8 Mi characters of names with many parts took a minute. */
    @Test
    @Timeout(20)
    void longNamesDoNotTakeLong() throws Exception {
        StringBuilder types = new StringBuilder("{\"type\":\"a.Box\"}");
        for (int i = 0; i < 1_000; i++) {
            types.append(",{\"type\":\"")
                    .append("a.".repeat(4_000))
                    .append('B')
                    .append(i)
                    .append("\",\"enums\":[\"X\"]}");
        }

        assertThat(withType(types.toString()).types()).hasSize(1_000);
    }

    @Test
    void theEssenceIsReadAsTheWholeAndHasNoParametersOfTheProvidersUrl() throws Exception {
        for (String file : List.of("definition-2.7.23", "definition-gson", "definition-3.3.6")) {
            try (InputStream in = DefinitionJsonTest.class.getResourceAsStream(file + ".json")) {
                String whole = new String(in.readAllBytes(), UTF_8);
                String essence = DefinitionJson.compact(whole);

                assertThat(DefinitionJson.parse(essence)).isEqualTo(DefinitionJson.parse(whole));
                assertThat(essence).doesNotContain("codeSource", "uniqueId").hasSizeLessThan(whole.length());
            }
        }
        assertThat(DefinitionJson.compact("{\"parameters\":{\"token\":\"s3cret\"},\"methods\":[]}"))
                .isEqualTo("{\"methods\":[]}");
    }

    @Test
    void depthAndSizeAreBounded() {
        String deep = "{\"type\":\"a\",\"properties\":{\"p\":".repeat(10_000);
        String many = "{},".repeat(200_000);
        for (String types : List.of(deep, many)) {
            assertThatExceptionOfType(MalformedDefinitionException.class)
                    .isThrownBy(() -> DefinitionJson.parse("{\"types\":[" + types));
        }
        assertThatExceptionOfType(MalformedDefinitionException.class)
                .isThrownBy(() -> withType("{\"type\":\"" + "a<".repeat(4000) + "\",\"properties\":{\"a\":\"int\"}}"))
                .withMessageStartingWith("type: \"a<a<");
    }
}
