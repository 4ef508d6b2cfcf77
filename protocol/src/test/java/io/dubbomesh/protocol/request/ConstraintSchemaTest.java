package io.dubbomesh.protocol.request;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.constraint.Constraint;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.MethodDefinition.ParameterFacts;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.schema.SchemaDocument;
import io.dubbomesh.protocol.schema.SchemaForms;
import io.dubbomesh.protocol.type.TypeNames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** What a schema forbids because of constraints the agent refuses, and what the schema allows it takes. */
class ConstraintSchemaTest {
    private static final Constraint NOT_NULL = new Constraint.NotNull("");
    private static final Constraint VALID = new Constraint.Valid();

    private static final List<String> TEXTS = List.of(
            "null",
            "\"\"",
            "\" \\t\"",
            "\"a\"",
            "\"ab\"",
            "\"abc\"",
            "\"abcd\"",
            "\"A-1\"",
            "\"2026-11-28\"",
            "\"a.b\"",
            "\"axb\"",
            "\" a\"",
            "\"x\\u0085y\"",
            "\"x y\"",
            "\"_\"",
            "\"7\"");

    private static final List<String> NUMBERS = List.of(
            "null",
            "0",
            "-1",
            "1",
            "2",
            "3",
            "9",
            "10",
            "19",
            "25",
            "30",
            "99",
            "100",
            "104",
            "105",
            "1000",
            "-17",
            "-42",
            "-43",
            "-100",
            "2.0",
            "1e1",
            "\"0\"",
            "\"-0\"",
            "\"-1\"",
            "\"1\"",
            "\"2\"",
            "\"+3\"",
            "\"09\"",
            "\"10\"",
            "\"19\"",
            "\"20\"",
            "\"99\"",
            "\"100\"",
            "\"104\"",
            "\"105\"",
            "\"-17\"",
            "\"-42\"",
            "\"-43\"",
            "\"-100\"");

    private static final Map<String, TypeDefinition> TYPES = Map.of(
            "a.Order", ConstrainedType.of("a.Order", orderFields(), Set.of("page"), orderConstraints()),
            "a.Line",
                    ConstrainedType.of(
                            "a.Line", Map.of("text", "java.lang.String"), Set.of(), Map.of("text", List.of(NOT_NULL))));

    private static Map<String, String> orderFields() {
        Map<String, String> order = new LinkedHashMap<>();
        order.put("item", "java.lang.String");
        order.put("count", "int");
        order.put("page", "int");
        order.put("isNew", "java.lang.Boolean");
        order.put("line", "a.Line");
        order.put("other", "a.Line");
        order.put("names", "java.util.List<java.lang.String>");
        order.put("amounts", "java.util.Map<java.lang.String,java.lang.Integer>");
        return order;
    }

    private static Map<String, List<Constraint>> orderConstraints() {
        return Map.of(
                "item",
                List.of(new Constraint.NotBlank("")),
                "count",
                List.of(min("2", true)),
                "page",
                List.of(min("2", true)),
                "line",
                List.of(VALID),
                "names",
                List.of(new Constraint.Elements(List.of(new Constraint.Size(2, 3, "")))),
                "amounts",
                List.of(new Constraint.Elements(List.of(NOT_NULL, min("0", false)))));
    }

    private static Constraint min(String value, boolean inclusive) {
        return new Constraint.Min(new BigDecimal(value), inclusive, "");
    }

    private static Constraint max(String value, boolean inclusive) {
        return new Constraint.Max(new BigDecimal(value), inclusive, "");
    }

    private static Constraint pattern(String regexp) {
        return new Constraint.Pattern(regexp, List.of(), "");
    }

    private static MethodDefinition method(String type, Constraint... constraints) {
        List<String> types = List.of(type, "int");
        return new MethodDefinition(
                "put",
                types,
                "void",
                types.stream().map(MethodDefinition::erased).toList(),
                new ParameterFacts(List.of(), List.of(List.of(constraints), List.of())));
    }

    private static void requireAgreement(MethodDefinition method, List<String> values) {
        SchemaDocument all = SchemaDocument.ofChecked(TYPES, SchemaForms.ALL, method);
        SchemaDocument canonical = SchemaDocument.ofChecked(TYPES, SchemaForms.CANONICAL, method);
        List<String> wrong = new ArrayList<>();
        for (String value : values) {
            String arguments = "[" + value + ",1]";
            boolean taken = takes(method, arguments);
            if (all.accepts(arguments) != taken || canonical.accepts(arguments) && !taken) {
                wrong.add(value + (taken ? " is taken" : " is refused"));
            }
        }
        assertThat(wrong).as("%s by %s", method.facts().constraints(), all).isEmpty();
    }

    private static boolean takes(MethodDefinition method, String arguments) {
        ByteBuf in = Unpooled.copiedBuffer(arguments, UTF_8);
        try {
            DubboRequest request = DubboRequest.prepare(
                    new MethodName("a.Shop", "put", TypeNames.descriptor(method.erasedTypes()), "", ""),
                    Serialization.HESSIAN2,
                    new ServiceDefinition(List.of(method), TYPES),
                    new ExportedAs(null, null, true));
            request.encode(
                    Unpooled.buffer(),
                    7,
                    false,
                    new CallArguments().json(in, 0, in.writerIndex()).timeLeftMs(5000));
            return true;
        } catch (CallException e) {
            assertThat(e.outcome()).isIn(Outcome.VALIDATION_FAILED, Outcome.BAD_ARGUMENT);
            return false;
        }
    }

    @Test
    void texts() {
        for (Constraint each : List.of(
                NOT_NULL, new Constraint.NotEmpty(""), new Constraint.NotBlank(""), new Constraint.Size(2, 3, ""))) {
            requireAgreement(method("java.lang.String", each), TEXTS);
        }
        requireAgreement(method("java.lang.String", NOT_NULL, new Constraint.Size(0, 1, ""), pattern("[a-z]*")), TEXTS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[a-z]+",
                "a.b",
                "x.y",
                "x\\sy",
                "a\\.b",
                "\\d{4}-\\d{2}-\\d{2}",
                "[\\w-]+",
                "^[A-Z](-[0-9])?$",
                "a|ab|",
                "(?:a|x)[^b]*b",
                "[^\\d]"
            })
    void patternsThatMeanTheSame(String regexp) {
        requireAgreement(method("java.lang.String", pattern(regexp)), TEXTS);
        assertThat(SchemaDocument.ofChecked(TYPES, SchemaForms.CANONICAL, method("java.lang.String", pattern(regexp)))
                        .toString())
                .contains("\"pattern\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\\p{Lu}+",
                "[a-z&&[^b]]",
                "a++",
                "(?i)a",
                "(?<=a)b",
                "\\Qa\\E",
                "(a)\\1",
                "(a$)\\n",
                "[a-\\d]",
                "("
            })
    void patternsThatMayMeanAnotherThingAreLeftOut(String regexp) {
        assertThat(SchemaDocument.ofChecked(TYPES, SchemaForms.CANONICAL, method("java.lang.String", pattern(regexp)))
                        .toString())
                .doesNotContain("pattern\":");
    }

    @ParameterizedTest
    @CsvSource({
        "2,true,104,true",
        "2,false,104,false",
        "0.5,true,30,false",
        "-42,true,-17,true",
        "-42,false,104,true",
        "0,true,0,true",
        "10,true,5,true",
        "-1e9,true,99,true"
    })
    void numbers(String least, boolean withLeast, String most, boolean withMost) {
        for (String type : List.of("int", "java.lang.Long", "byte", "short")) {
            requireAgreement(method(type, min(least, withLeast), max(most, withMost)), NUMBERS);
        }
        List<String> plain =
                NUMBERS.stream().filter(number -> !number.startsWith("\"")).toList();
        for (String type : List.of("java.math.BigInteger", "java.math.BigDecimal", "double", "java.lang.Float")) {
            requireAgreement(method(type, min(least, withLeast), max(most, withMost)), plain);
        }
    }

    @Test
    void digits() {
        requireAgreement(method("int", new Constraint.Digits(2, 0, "")), NUMBERS);
        requireAgreement(
                method("java.math.BigDecimal", new Constraint.Digits(2, 0, "")),
                List.of("1.5", "99", "100", "-100", "2.0"));
    }

    @Test
    void sizesOfContainers() {
        List<String> lists = List.of("null", "[]", "[\"a\"]", "[\"a\",\"b\"]", "[\"a\",\"b\",\"c\"]");
        List<String> maps = List.of(
                "null",
                "{}",
                "{\"a\":\"b\"}",
                "{\"a\":\"b\",\"b\":null}",
                "[]",
                "[[\"a\",\"b\"]]",
                "[[\"a\",\"b\"],[\"a\",\"b\"]]");
        for (Constraint each : List.of(
                NOT_NULL, new Constraint.NotEmpty(""), new Constraint.Size(1, 2, ""), new Constraint.Size(2, 9, ""))) {
            requireAgreement(method("java.util.List<java.lang.String>", each), lists);
            requireAgreement(method("java.util.Set<java.lang.String>", each), lists);
            requireAgreement(method("java.lang.String[]", each), lists);
            requireAgreement(method("java.util.Map<java.lang.String,java.lang.String>", each), maps);
        }
    }

    @Test
    void nullOfAnyType() {
        for (String type : List.of("a.Order", "java.util.Date", "byte[]", "java.lang.Object", "java.util.UUID")) {
            requireAgreement(method(type, NOT_NULL), List.of("null"));
        }
    }

    @Test
    void fields() {
        String good = "\"item\":\"a\",\"count\":2";
        List<String> orders = List.of(
                "null",
                "{}",
                '{' + good + '}',
                "{\"item\":\" \",\"count\":2}",
                "{\"item\":\"a\"}",
                "{\"count\":2}",
                "{\"item\":\"a\",\"count\":1}",
                '{' + good + ",\"page\":1}",
                '{' + good + ",\"page\":2}",
                '{' + good + ",\"new\":true}",
                '{' + good + ",\"line\":{}}",
                '{' + good + ",\"line\":{\"text\":\"\"}}",
                '{' + good + ",\"line\":null}",
                '{' + good + ",\"other\":{}}",
                '{' + good + ",\"other\":{\"text\":1}}",
                '{' + good + ",\"names\":[\"ab\",null]}",
                '{' + good + ",\"names\":[\"a\"]}",
                '{' + good + ",\"amounts\":{\"a\":1}}",
                '{' + good + ",\"amounts\":{\"a\":0}}",
                '{' + good + ",\"amounts\":[[\"a\",null]]}");
        requireAgreement(method("a.Order"), orders);
        requireAgreement(
                method("java.util.List<a.Order>"),
                orders.stream().map(order -> '[' + order + ']').toList());
    }

    /** Then the schema of all forms has what the agent takes, and the canonical one what a program should send. */
    @Test
    void constraintsThatAreNotCheckedAreInTheCanonicalFormAlone() {
        MethodDefinition method = method("a.Order", NOT_NULL);

        assertThat(SchemaDocument.ofArguments(TYPES, SchemaForms.ALL, method).accepts("[null,1]"))
                .isTrue();
        assertThat(SchemaDocument.ofArguments(TYPES, SchemaForms.ALL, method).accepts("[{},1]"))
                .isTrue();
        assertThat(SchemaDocument.ofArguments(TYPES, SchemaForms.CANONICAL, method)
                        .accepts("[null,1]"))
                .isFalse();
        assertThat(SchemaDocument.ofArguments(TYPES, SchemaForms.CANONICAL, method)
                        .accepts("[{},1]"))
                .isFalse();
    }
}
