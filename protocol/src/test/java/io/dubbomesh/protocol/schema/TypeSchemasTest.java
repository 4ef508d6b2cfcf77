package io.dubbomesh.protocol.schema;

import io.dubbomesh.protocol.definition.FieldFacts;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.MethodDefinition.ParameterFacts;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

class TypeSchemasTest {
    private static final Map<String, TypeDefinition> NOTHING = Map.of();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            int                          | {"type":"integer","format":"int32","minimum":-2147483648,"maximum":2147483647}
            java.lang.Long               | {"type":["integer","null"],"format":"int64","minimum":-9223372036854775808,"maximum":9223372036854775807}
            java.lang.String             | {"type":["string","null"]}
            boolean                      | {"type":"boolean"}
            java.math.BigDecimal         | {"type":["number","null"],"format":"decimal"}
            java.math.BigInteger         | {"type":["integer","null"],"format":"big-integer"}
            java.util.Date               | {"type":["string","null"],"format":"date-time"}
            java.time.LocalDate          | {"type":["string","null"],"format":"date"}
            java.time.Instant            | {"type":["string","null"],"format":"date-time"}
            java.time.LocalTime          | {"type":["string","null"]}
            java.util.UUID               | {"type":["string","null"],"format":"uuid"}
            byte[]                       | {"type":["string","null"],"format":"byte","contentEncoding":"base64"}
            int[]                        | {"type":["array","null"],"items":{"type":"integer","format":"int32","minimum":-2147483648,"maximum":2147483647}}
            java.util.Map<java.lang.String,java.lang.String> | {"type":["object","null"],"additionalProperties":{"type":["string","null"]}}
            java.util.Map<java.lang.Boolean,java.lang.String> | {"items":{"type":"array","prefixItems":[{"type":["boolean","null"]},{"type":["string","null"]}],"items":{},"minItems":2,"maxItems":2},"maxProperties":0}
            java.util.Optional<java.lang.String> | {"type":["string","null"]}
            java.util.BitSet             | {"type":["array","null"],"items":{"type":"integer","format":"int32","minimum":-2147483648,"maximum":2147483647}}
            java.util.concurrent.CompletableFuture<java.lang.String> | {"type":["string","null"]}
            java.util.concurrent.atomic.AtomicBoolean | {"anyOf":[{"type":"boolean"},{"type":"null"}]}
            java.lang.Object             | {}
            java.time.DayOfWeek          | {"type":["string","null"],"enum":["MONDAY","TUESDAY","WEDNESDAY","THURSDAY","FRIDAY","SATURDAY","SUNDAY",null]}
            void                         | {"type":"null"}
            """)
    void aResultHasTheSchemaOfItsType(String type, String schema) {
        assertThat(SchemaDocument.ofResult(NOTHING, SchemaForms.CANONICAL, type))
                .hasToString("{\"allOf\":[" + schema + "],\"$defs\":{}}");
    }

    @Test
    void aClassHasASchemaForResultsAndOneForArguments() {
        assertThat(SchemaDocument.ofResult(items(), SchemaForms.CANONICAL, "a.Item"))
                .hasToString("""
                        {"allOf":[{"anyOf":[{"$ref":"#/$defs/Item"},{"type":"null"}]}],"$defs":{\
                        "Item":{"type":"object","properties":{"isNew":{"type":"boolean"},\
                        "colour":{"anyOf":[{"$ref":"#/$defs/Colour"},{"type":"null"}]},\
                        "parts":{"type":["array","null"],"items":{"anyOf":[{"$ref":"#/$defs/Item"},{"type":"null"}]}}}},\
                        "Colour":{"type":"string","enum":["RED","GREEN"]}}}""");
        assertThat(SchemaDocument.ofArgument(items(), SchemaForms.CANONICAL, "a.Item"))
                .hasToString("""
                        {"allOf":[{"anyOf":[{"$ref":"#/$defs/Item-Input"},{"type":"null"}]}],"$defs":{\
                        "Item-Input":{"type":"object","properties":{"isNew":{"type":"boolean"},\
                        "colour":{"anyOf":[{"$ref":"#/$defs/Colour"},{"type":"null"}]},\
                        "parts":{"type":["array","null"],"items":{"anyOf":[{"$ref":"#/$defs/Item-Input"},{"type":"null"}]}}},\
                        "additionalProperties":false},\
                        "Colour":{"type":"string","enum":["RED","GREEN"]}}}""");
    }

    @Test
    void anArgumentHasFieldsUnderEachOfTheirNamesButNotTwice() {
        SchemaDocument item = SchemaDocument.ofArgument(items(), SchemaForms.ALL, "a.Item");

        assertThat(item.accepts("{\"isNew\":true}")).isTrue();
        assertThat(item.accepts("{\"new\":true}")).isTrue();
        assertThat(item.accepts("{\"new\":true,\"isNew\":true}")).isFalse();
        assertThat(item.accepts("{\"class\":\"a.Item\",\"new\":1}")).isTrue();
        assertThat(item.accepts("{\"class\":\"a.Other\"}")).isFalse();
        assertThat(item.accepts("{\"colour\":{\"name\":\"RED\"}}")).isTrue();
        assertThat(item.accepts("{\"colour\":\"BLUE\"}")).isFalse();
        assertThat(item.accepts("{\"size\":1}")).isFalse();
    }

    private static Map<String, TypeDefinition> items() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("isNew", "boolean");
        fields.put("colour", "a.Colour");
        fields.put("parts", "java.util.List<a.Item>");
        return Map.of(
                "a.Item", new TypeDefinition("a.Item", List.of(), fields),
                "a.Colour", new TypeDefinition("a.Colour", List.of("RED", "GREEN"), Map.of()));
    }

    @Test
    void anArgumentOfAClassWithSubclassesNamesItsClass() {
        assertThat(SchemaDocument.ofArgument(shapes(Kind.CLASS), SchemaForms.CANONICAL, "a.Shape"))
                .hasToString("""
                        {"allOf":[{"anyOf":[{"$ref":"#/$defs/Shape-Any-Input"},{"type":"null"}]}],"$defs":{\
                        "Shape-Any-Input":{"oneOf":[{"$ref":"#/$defs/Shape-Input"},{"$ref":"#/$defs/Circle-Input"}],\
                        "discriminator":{"propertyName":"class","mapping":{"a.Shape":"#/$defs/Shape-Input",\
                        "a.Circle":"#/$defs/Circle-Input"}}},\
                        "Shape-Input":{"type":"object","properties":{\
                        "class":{"type":"string","const":"a.Shape"},"name":{"type":["string","null"]}},"required":["class"],"additionalProperties":false},\
                        "Circle-Input":{"type":"object","properties":{\
                        "class":{"type":"string","const":"a.Circle"},"name":{"type":["string","null"]},"round":{"type":"boolean"}},"required":["class"],\
                        "additionalProperties":false}}}""");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            CLASS          | {"name":"x"}                                | true
            CLASS          | {"class":"a.Shape","name":"x"}              | true
            CLASS          | {"class":"a.Circle","round":true}           | true
            CLASS          | {"round":true}                              | false
            CLASS          | {"class":"a.Square"}                        | false
            CLASS          | "x"                                         | false
            ABSTRACT_CLASS | {"name":"x"}                                | false
            ABSTRACT_CLASS | {"class":"a.Circle","round":true}           | true
            ABSTRACT_CLASS | null                                        | true
            INTERFACE      | {"name":"x"}                                | true
            INTERFACE      | [1]                                         | true
            INTERFACE      | {"class":"a.Circle","round":true}           | true
            INTERFACE      | {"class":"a.Circle","square":true}          | false
            INTERFACE      | {"class":"a.Square"}                        | false
            """)
    void everyFormOfASubclassIsAccepted(Kind kind, String value, boolean accepted) {
        assertThat(SchemaDocument.ofArgument(shapes(kind), SchemaForms.ALL, "a.Shape")
                        .accepts(value))
                .isEqualTo(accepted);
    }

    /** Results name their classes only where the request asks for it. */
    @Test
    void aResultMayBeOfASubclassWithoutNamingIt() {
        SchemaDocument shape = SchemaDocument.ofResult(shapes(Kind.CLASS), SchemaForms.CANONICAL, "a.Shape");

        assertThat(shape.accepts("{\"name\":null}")).isTrue();
        assertThat(shape.accepts("{\"name\":null,\"round\":true}")).isTrue();
        assertThat(shape.accepts("{\"class\":\"a.Circle\",\"name\":null,\"round\":true}"))
                .isTrue();
        assertThat(shape.accepts("{\"name\":1,\"round\":true}")).isFalse();
        assertThat(shape.toString())
                .contains("\"Shape-Any\":{\"anyOf\":[{\"$ref\":\"#/$defs/Circle\"},{\"$ref\":\"#/$defs/Shape\"},"
                        + "{\"type\":\"null\"}]}");
    }

    private static Map<String, TypeDefinition> shapes(Kind kind) {
        Map<String, String> circle = new LinkedHashMap<>();
        circle.put("name", "java.lang.String");
        circle.put("round", "boolean");
        Map<String, String> shape = kind == Kind.INTERFACE ? Map.of() : Map.of("name", "java.lang.String");
        return Map.of(
                "a.Shape", new TypeDefinition("a.Shape", kind, List.of(), shape, Set.of(), Set.of("a.Circle")),
                "a.Circle", new TypeDefinition("a.Circle", Kind.CLASS, List.of(), circle, Set.of(), Set.of()));
    }

    @Test
    void argumentsAreAnArray() {
        MethodDefinition two = new MethodDefinition("two", List.of("java.lang.String", "boolean"), "void");
        MethodDefinition one = new MethodDefinition("one", List.of("java.lang.String"), "void");
        MethodDefinition list = new MethodDefinition("list", List.of("java.util.List<java.lang.String>"), "void");
        MethodDefinition map =
                new MethodDefinition("map", List.of("java.util.Map<java.lang.Integer,java.lang.String>"), "void");

        assertThat(SchemaDocument.ofArguments(NOTHING, SchemaForms.CANONICAL, two))
                .hasToString("""
                        {"allOf":[{"type":"array","prefixItems":[{"type":["string","null"]},{"type":"boolean"}],"items":{},\
                        "minItems":2,"maxItems":2}],"$defs":{}}""");
        assertThat(SchemaDocument.ofArguments(NOTHING, SchemaForms.CANONICAL, one))
                .hasToString("""
                        {"allOf":[{"type":"array","items":{"type":["string","null"]},"minItems":1,"maxItems":1}],"$defs":{}}""");
        SchemaDocument lists = SchemaDocument.ofArguments(NOTHING, SchemaForms.CANONICAL, list);
        assertThat(lists.accepts("[[\"a\"]]")).isTrue();
        assertThat(lists.accepts("[\"a\"]")).isFalse();
        SchemaDocument pairs = SchemaDocument.ofArguments(NOTHING, SchemaForms.CANONICAL, map);
        assertThat(pairs.accepts("[[[1,\"a\"]]]")).isTrue();
        assertThat(pairs.accepts("[{}]")).isFalse();
        assertThat(pairs.accepts("[null]")).isTrue();
    }

    @Test
    void theOnlyArgumentIsTheBodyIfItIsAnObject() {
        MethodDefinition item = new MethodDefinition("item", List.of("a.Item"), "void");
        MethodDefinition colour = new MethodDefinition("colour", List.of("a.Colour"), "void");

        assertThat(SchemaDocument.ofArguments(items(), SchemaForms.CANONICAL, item)
                        .toString())
                .startsWith("{\"allOf\":[{\"$ref\":\"#/$defs/Item-Input\"}],");
        assertThat(SchemaDocument.ofArguments(
                                shapes(Kind.CLASS),
                                SchemaForms.CANONICAL,
                                new MethodDefinition("shape", List.of("a.Shape"), "void"))
                        .toString())
                .startsWith("{\"allOf\":[{\"$ref\":\"#/$defs/Shape-Any-Input\"}],");
        SchemaDocument colours = SchemaDocument.ofArguments(items(), SchemaForms.CANONICAL, colour);
        assertThat(colours.accepts("[\"RED\"]")).isTrue();
        assertThat(colours.accepts("\"RED\"")).isFalse();
    }

    @Test
    void argumentsWhoseNamesAreKnownAreAnObject() {
        MethodDefinition two = named("java.lang.String", "boolean");

        assertThat(SchemaDocument.ofArguments(NOTHING, SchemaForms.CANONICAL, two))
                .hasToString("""
                        {"allOf":[{"type":"object","properties":{"text":{"type":["string","null"]},"fast":{"type":"boolean"}},\
                        "required":["text","fast"],"additionalProperties":false}],"$defs":{}}""");
        SchemaDocument all = SchemaDocument.ofArguments(NOTHING, SchemaForms.ALL, two);
        assertThat(all.accepts("{\"fast\":\"true\",\"text\":null}")).isTrue();
        assertThat(all.accepts("[null,true]")).isTrue();
        assertThat(all.accepts("{\"text\":\"a\"}")).isFalse();
        assertThat(all.accepts("{\"text\":\"a\",\"fast\":true,\"more\":1}")).isFalse();
    }

    private static MethodDefinition named(String first, String second) {
        List<String> types = List.of(first, second);
        return new MethodDefinition(
                "named", types, "void", types, new ParameterFacts(List.of("text", "fast"), List.of()));
    }

    @Test
    void namesAreThoseOfTheClassesUnlessTwoAreTheSame() {
        Set<String> classes = new LinkedHashSet<>(
                List.of("a.Page<b.Item[],?>", "a.Outer$Inner", "a.Same", "b.Same", "c.Problem", "a.Page<b.Same>"));
        SchemaNames names = new SchemaNames("", Set.of("Problem"), classes);

        assertThat(classes.stream().map(names::of))
                .containsExactly("Page_ItemArray_Any", "Outer.Inner", "a.Same", "b.Same", "c.Problem", "Page_Same");
    }

    @Test
    void aNameDoesNotDependOnWhichClassesAreUsedFirst() {
        List<String> classes = List.of("a.X", "b.X", "a.Y");
        SchemaNames some = new SchemaNames("", Set.of(), classes);
        some.of("b.X");

        assertThat(some.of("a.X")).isEqualTo(new SchemaNames("", Set.of(), classes).of("a.X"));
    }

    /** Each holds the next one twice. */
    @Test
    @Timeout(10)
    void theSizeGrowsWithTheClassesEvenIfEachIsInTheOtherTwice() {
        Map<String, TypeDefinition> chain = new HashMap<>();
        FieldFacts none = new TypeDefinition("a.B", List.of(), Map.of()).facts();
        for (int i = 0; i < 90; i++) {
            String next = "a.C" + (i + 1);
            TypeDefinition.Container container =
                    new TypeDefinition.Container("java.util.HashMap<" + next + ',' + next + '>', true);
            chain.put(
                    "a.C" + i,
                    new TypeDefinition("a.C" + i, Kind.CLASS, List.of(), Map.of(), none, Set.of(), true, container));
        }

        assertThat(SchemaDocument.ofArgument(chain, SchemaForms.ALL, "a.C0").toString())
                .hasSizeLessThan(90 * 1000);
    }

    @Test
    @Timeout(10)
    void aClassOfTenThousandFieldsHasASchema() {
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i < 10_000; i++) {
            fields.put("xField" + i, "int");
        }
        Map<String, TypeDefinition> large = Map.of("a.Large", new TypeDefinition("a.Large", List.of(), fields));

        assertThat(SchemaDocument.ofArgument(large, SchemaForms.ALL, "a.Large").toString())
                .contains("\"xField9999\":");
    }
}
