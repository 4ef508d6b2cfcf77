package io.dubbomesh.client.method;

import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.constraint.Constraint;
import io.dubbomesh.protocol.definition.DefinitionSource;
import io.dubbomesh.protocol.definition.FieldFacts;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.MethodDefinition.ParameterFacts;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.javadoc.ServiceTexts;
import io.dubbomesh.protocol.javadoc.ServiceTexts.OfClass;
import io.dubbomesh.protocol.javadoc.ServiceTexts.OfMethod;
import io.dubbomesh.protocol.javadoc.ServiceTexts.OfService;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** What is written about a service is read by another agent. */
class ServiceDescriptionTest {
    private static final List<Constraint> ALL = List.of(
            new Constraint.NotNull("must not be null"),
            new Constraint.NotEmpty("not empty"),
            new Constraint.NotBlank("not blank"),
            new Constraint.Size(1, 7, "1 to 7"),
            new Constraint.Min(new BigDecimal("0.50"), false, "above 0.50"),
            new Constraint.Max(BigDecimal.TEN, true, "at most 10"),
            new Constraint.Digits(3, 2, "digits"),
            new Constraint.Pattern("[a-z]+", List.of("CASE_INSENSITIVE"), "letters"),
            new Constraint.Email("email"),
            new Constraint.Valid(),
            new Constraint.Elements(List.of(new Constraint.NotNull("no nulls"))));

    @Test
    void allThatSchemasNeedIsReadAgain() throws Exception {
        MethodDefinition buy = new MethodDefinition(
                "buy",
                List.of("a.Order", "int"),
                "void",
                List.of("a.Order", "int"),
                new ParameterFacts(List.of("order", "count"), List.of(ALL, List.of())));
        MethodDefinition free = new MethodDefinition("free", List.of("long"), "void");
        TypeDefinition order = new TypeDefinition(
                "a.Order",
                TypeDefinition.Kind.CLASS,
                List.of(),
                Map.of("item", "java.lang.String"),
                new FieldFacts(Map.of(), Set.of("item"), Map.of(), Map.of("item", ALL), false),
                Set.of(),
                true,
                null);
        MethodDefinition watch =
                new MethodDefinition("watch", List.of("long"), MethodDefinition.streamOf("java.util.List<a.Order>"));
        ServiceTexts texts = new ServiceTexts(
                "",
                Map.of(
                        "a.Shop",
                        new OfService(
                                "Sells tea.",
                                Map.of(
                                        "buy", new OfMethod("Orders.", "The number.", Map.of("order", "What.")),
                                        "free", new OfMethod(null, "Whether.", Map.of())))),
                Map.of("a.Order", new OfClass("An order.", Map.of("item", "Its name."))));
        ServiceDefinition service = new ServiceDefinition(
                        List.of(buy, free, watch), Map.of("a.Order", order), DefinitionSource.CLASS_FILES)
                .with(texts, "a.Shop");
        ByteBuf out = Unpooled.buffer();
        ServiceDescriptionWriter.write(
                out, new MethodName("a.Shop", MethodName.DESCRIBE, "", "1.0", "g"), service, "buy"::equals);

        ServiceDescription read = ServiceDescription.read(ByteBufUtil.getBytes(out));

        assertThat(out.toString(UTF_8)).contains("\"returnType\":\"java.util.List<a.Order>\",\"stream\":\"server\"");
        assertThat(read).isEqualTo(new ServiceDescription("a.Shop", "1.0", "g", service, Set.of("buy")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "7",
                "{}",
                "[7]",
                "[{\"constraint\":\"Future\",\"value\":{\"a\":[1]}}]",
                "[{\"constraint\":\"Min\"}]",
                "[{\"constraint\":\"Min\",\"value\":1e999999999}]",
                "[{\"constraint\":\"Pattern\",\"regexp\":7}]"
            })
    void constraintsThatAreMalformedAreNone(String constraints) throws Exception {
        String description =
                "{\"source\":\"class files\",\"types\":{\"a.B\":{\"fields\":{\"x\":\"int\"},\"constraints\":{\"x\":"
                        + constraints + "}}}}";

        ServiceDescription read = ServiceDescription.read(description.getBytes(UTF_8));

        assertThat(read.definition().types().get("a.B").facts().constraints().get("x"))
                .isNullOrEmpty();
    }
}
