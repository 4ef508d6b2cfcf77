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
import io.dubbomesh.protocol.type.TypeNames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Values that violate constraints are refused before the provider gets them, where that is certain. */
class ConstraintRefusalTest {
    private static final Constraint NOT_NULL = new Constraint.NotNull("not null");
    private static final Constraint VALID = new Constraint.Valid();

    private static final Map<String, Constraint> CONSTRAINTS = Map.ofEntries(
            Map.entry("NotNull", NOT_NULL),
            Map.entry("NotEmpty", new Constraint.NotEmpty("not empty")),
            Map.entry("NotBlank", new Constraint.NotBlank("not blank")),
            Map.entry("Size23", new Constraint.Size(2, 3, "2 to 3")),
            Map.entry("Min2", new Constraint.Min(BigDecimal.valueOf(2), true, "at least 2")),
            Map.entry("Above2", new Constraint.Min(BigDecimal.valueOf(2), false, "above 2")),
            Map.entry("Max2", new Constraint.Max(BigDecimal.valueOf(2), true, "at most 2")),
            Map.entry("Digits21", new Constraint.Digits(2, 1, "2 and 1 digits")),
            Map.entry("Lower", new Constraint.Pattern("[a-z]+", List.of(), "lower")),
            Map.entry("Letters", new Constraint.Pattern("[a-z]+", List.of("CASE_INSENSITIVE"), "letters")),
            Map.entry("Slow", new Constraint.Pattern("((a+)+)\\2b", List.of(), "slow")),
            Map.entry("Broken", new Constraint.Pattern("(", List.of(), "broken")),
            Map.entry("Email", new Constraint.Email("email")));

    private final ByteBuf in = Unpooled.buffer();

    private static Map<String, TypeDefinition> types() {
        Map<String, String> order = new LinkedHashMap<>();
        order.put("item", "java.lang.String");
        order.put("count", "int");
        order.put("page", "int");
        order.put("line", "a.Line");
        order.put("other", "a.Line");
        order.put("lines", "java.util.List<a.Line>");
        return Map.of(
                "a.Order",
                ConstrainedType.of(
                        "a.Order",
                        order,
                        Set.of("page"),
                        Map.of(
                                "item", List.of(NOT_NULL),
                                "count", List.of(CONSTRAINTS.get("Min2")),
                                "page", List.of(CONSTRAINTS.get("Min2")),
                                "line", List.of(VALID),
                                "lines", List.of(VALID, CONSTRAINTS.get("NotEmpty")))),
                "a.Line",
                ConstrainedType.of(
                        "a.Line", Map.of("text", "java.lang.String"), Set.of(), Map.of("text", List.of(NOT_NULL))));
    }

    private DubboRequest prepare(boolean validates, String type, Constraint... constraints) throws CallException {
        MethodDefinition method = new MethodDefinition(
                "buy",
                List.of(type),
                "void",
                TypeNames.erased(List.of(type)),
                new ParameterFacts(List.of("value"), List.of(List.of(constraints))));
        return DubboRequest.prepare(
                new MethodName("a.Shop", "buy", MethodName.UNKNOWN_TYPES, "", ""),
                Serialization.HESSIAN2,
                new ServiceDefinition(List.of(method), types()),
                new ExportedAs(null, null, validates));
    }

    /** Returns the message of the refusal; "taken" if there is none. */
    private String refusal(DubboRequest request, CallArguments arguments) {
        try {
            request.encode(Unpooled.buffer(), 7, false, arguments.timeLeftMs(5000));
            return "taken";
        } catch (CallException e) {
            assertThat(e.outcome()).as(e.getMessage()).isEqualTo(Outcome.VALIDATION_FAILED);
            return e.getMessage();
        }
    }

    private CallArguments json(String arguments) {
        in.clear().writeCharSequence(arguments, UTF_8);
        return new CallArguments().json(in, 0, in.writerIndex());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "java.lang.String | NotNull  | null      | not null",
                "java.lang.String | NotNull  | \"\"      | taken",
                "java.lang.String | NotEmpty | \"\"      | not empty",
                "java.lang.String | NotEmpty | null      | not empty",
                "java.lang.String | NotBlank | \" \\t\"  | not blank",
                "java.lang.String | NotBlank | null      | not blank",
                "java.lang.String | NotBlank | \" a\"    | taken",
                "java.lang.String | Size23   | \"a\"     | 2 to 3",
                "java.lang.String | Size23   | \"abc\"   | taken",
                "java.lang.String | Size23   | \"abcd\"  | 2 to 3",
                "java.lang.String | Size23   | null      | taken",
                "java.lang.String | Lower    | \"aB\"    | lower",
                "java.lang.String | Lower    | \"ab\"    | taken",
                "java.lang.String | Letters  | \"aB\"    | taken",
                "java.lang.String | Broken   | \"aB\"    | taken",
                "java.lang.String | Email    | \"aB\"    | taken",
                "java.lang.String | Min2     | \"1\"     | taken",
                "int              | Min2     | 1         | at least 2",
                "int              | Min2     | 2         | taken",
                "int              | Min2     | \"1\"     | at least 2",
                "int              | Above2   | 2         | above 2",
                "long             | Max2     | 3         | at most 2",
                "double           | Max2     | 2.0000000000000000000001 | taken",
                "double           | Max2     | 2.1       | at most 2",
                "java.math.BigDecimal | Max2 | 2.0000000000000000000001 | at most 2",
                "java.math.BigDecimal | Digits21 | 12.5  | taken",
                "java.math.BigDecimal | Digits21 | 12.50 | taken",
                "java.math.BigDecimal | Digits21 | 123.5 | 2 and 1 digits",
                "java.math.BigDecimal | Digits21 | 1.25  | 2 and 1 digits",
                "java.util.List<java.lang.String> | NotEmpty | []      | not empty",
                "java.util.List<java.lang.String> | Size23 | [\"a\"]   | 2 to 3",
                "java.util.List<java.lang.String> | Size23 | [\"a\",\"a\",\"a\",\"a\"] | 2 to 3",
                "java.util.Set<java.lang.String>  | Size23 | [\"a\",\"a\",\"a\",\"a\"] | taken",
                "java.util.Set<java.lang.String>  | Size23 | [\"a\"]   | 2 to 3",
                "java.util.Map<java.lang.String,java.lang.String> | NotEmpty | {} | not empty",
                "java.util.Map<java.lang.String,java.lang.String> | NotEmpty | {\"a\":\"b\"} | taken",
                "int[]            | Size23   | [1]       | 2 to 3",
            })
    void aParameter(String type, String constraint, String value, String message) throws Exception {
        DubboRequest request = prepare(true, type, CONSTRAINTS.get(constraint));

        assertThat(refusal(request, json('[' + value + ']')))
                .isEqualTo(message.equals("taken") ? "taken" : "args[0]: " + message);
    }

    @Test
    void aPatternThatTakesLongIsLeftToTheProvider() throws Exception {
        DubboRequest request = prepare(true, "java.lang.String", CONSTRAINTS.get("Slow"));

        assertThat(refusal(request, json("[\"" + "a".repeat(40) + "\"]"))).isEqualTo("taken");
        assertThat(refusal(request, json("[\"c\"]"))).isEqualTo("args[0]: slow");
    }

    @Test
    void anArgumentOfAForm() throws Exception {
        in.clear().writeInt(1).writeByte('1');

        assertThat(refusal(
                        prepare(true, "int", CONSTRAINTS.get("Min2")),
                        new CallArguments().form(in, 0, in.writerIndex())))
                .isEqualTo("args[0]: at least 2");
        assertThat(refusal(
                        prepare(true, "java.lang.String", CONSTRAINTS.get("Lower")),
                        new CallArguments().form(in, 0, in.writerIndex())))
                .isEqualTo("args[0]: lower");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"item\":\"a\",\"count\":2,\"page\":2,\"lines\":[{\"text\":\"b\"}]}   | taken",
                "{\"item\":null,\"count\":2,\"page\":2}                                 | args[0].item: not null",
                "{\"count\":2,\"page\":2,\"lines\":[{\"text\":\"b\"}]}                  | args[0].item: not null",
                "{\"item\":\"a\",\"page\":2,\"lines\":[{\"text\":\"b\"}]}               | args[0].count: at least 2",
                "{\"item\":\"a\",\"count\":2,\"lines\":[{\"text\":\"b\"}]}              | taken",
                "{\"item\":\"a\",\"count\":1,\"page\":2}                                | args[0].count: at least 2",
                "{\"item\":\"a\",\"count\":2,\"page\":2,\"lines\":[]}                   | args[0].lines: not empty",
                "{\"item\":\"a\",\"count\":2,\"page\":2,\"lines\":[{\"text\":null}]}    | args[0].lines[0].text: not null",
                "{\"item\":\"a\",\"count\":2,\"page\":2,\"line\":{}}                    | args[0].line.text: not null",
                "{\"item\":\"a\",\"count\":2,\"page\":2,\"other\":{},\"lines\":[{\"text\":\"b\"}]} | taken"
            })
    void aFieldOfAnArgument(String order, String message) throws Exception {
        assertThat(refusal(prepare(true, "a.Order"), json('[' + order + ']'))).isEqualTo(message);
        String inList = message.replace("args[0]", "args[0][0]");
        assertThat(refusal(prepare(true, "java.util.List<a.Order>"), json("[[" + order + "]]")))
                .isEqualTo(inList);
    }

    @Test
    void nothingIsRefusedWhereTheProviderDoesNotValidate() throws Exception {
        assertThat(refusal(prepare(false, "int", CONSTRAINTS.get("Min2")), json("[1]")))
                .isEqualTo("taken");
        assertThat(refusal(prepare(false, "a.Order"), json("[{}]"))).isEqualTo("taken");
    }

    @Test
    void aValueOfAnotherTypeIsABadArgument() throws Exception {
        DubboRequest request = prepare(true, "int", CONSTRAINTS.get("Min2"));

        assertThatThrownBy(() -> request.encode(
                        Unpooled.buffer(), 7, false, json("[\"a\"]").timeLeftMs(5000)))
                .hasMessage("args[0]: \"a\" (expected: int, -2147483648 to 2147483647)");
    }
}
