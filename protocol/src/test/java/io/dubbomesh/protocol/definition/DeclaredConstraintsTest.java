package io.dubbomesh.protocol.definition;

import io.dubbomesh.protocol.constraint.Constraint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** The constraints that annotations in class files state. */
class DeclaredConstraintsTest {
    private static final String SHOP = """
            package a;
            import java.util.*;
            import P.validation.*;
            import P.validation.constraints.*;
            public interface Shop {
                void order(@NotNull @Valid Order order, @Min(1) @Max(value = 10, message = "at most {value}") int quantity, String note);
                void text(
                    @NotBlank String blank,
                    @NotEmpty(message = "{a.b.c}") String empty,
                    @Size(min = 2, max = 5, message = "{min} to {max}") String size,
                    @Size(max = 5, message = "from {min}") String partly,
                    @Pattern(regexp = "[a-z]+", flags = Pattern.Flag.CASE_INSENSITIVE) String pattern,
                    @Email String email);
                void number(
                    @DecimalMin(value = "0.5", inclusive = false) double least,
                    @DecimalMax("1e3") double most,
                    @Positive int positive,
                    @PositiveOrZero int notNegative,
                    @Negative int negative,
                    @NegativeOrZero int notPositive,
                    @Digits(integer = 3, fraction = 2) double digits);
                void left(
                    @Min(value = 1, groups = Shop.class) int grouped,
                    @Min(value = 1, payload = Payload.class) int paid,
                    @Past Date past,
                    @DecimalMin("much") double malformed,
                    @Min(value = 2, message = "${validatedValue} is {value}") int expression,
                    @Size.List({@Size(min = 1), @Size(max = 3)}) String several);
                class Order extends Base {
                    @NotNull String item;
                    @Valid List<Line> lines;
                    List<@Valid Line> elements;
                    Map<@Valid Line, String> keys;
                    Map<String, @Valid Line> values;
                    List<@NotBlank String> names;
                    @Size(max = 2) Map<String, @Positive Integer> amounts;
                    private int count;
                    int plain;
                    @Min(3) public int getCount() { return count; }
                    @Min(4) public int getPlain() { return plain + 1; }
                    @NotNull static String ignored;
                }
                class Base {
                    @Size(max = 7) String item;
                    @Size(max = 9) String code;
                }
                record Line(@Positive int quantity, String text) {}
            }
            """;

    private static final String LIMIT =
            "groups() default {}; Class<?>[] payload() default {}; String message() default \"{x}\";";
    private static final List<String> PLAIN = List.of(
            "NotNull",
            "NotBlank",
            "NotEmpty",
            "Email",
            "Past",
            "Positive",
            "PositiveOrZero",
            "Negative",
            "NegativeOrZero");

    private static String annotation(String packageName, String name, String members) {
        return "package " + packageName + ".validation.constraints;"
                + "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)"
                + " @java.lang.annotation.Target({java.lang.annotation.ElementType.FIELD,"
                + " java.lang.annotation.ElementType.METHOD, java.lang.annotation.ElementType.PARAMETER,"
                + " java.lang.annotation.ElementType.TYPE_USE, java.lang.annotation.ElementType.ANNOTATION_TYPE})"
                + " public @interface " + name + " { Class<?>[] " + LIMIT + members + "}";
    }

    private static ServiceDefinition shop(String packageName) throws Exception {
        List<String> sources = new java.util.ArrayList<>(List.of(SHOP.replace("P.", packageName + '.')));
        PLAIN.forEach(name -> sources.add(annotation(packageName, name, "")));
        sources.add(annotation(packageName, "Min", "long value();"));
        sources.add(annotation(packageName, "Max", "long value();"));
        sources.add(annotation(packageName, "DecimalMin", "String value(); boolean inclusive() default true;"));
        sources.add(annotation(packageName, "DecimalMax", "String value(); boolean inclusive() default true;"));
        sources.add(annotation(packageName, "Digits", "int integer(); int fraction();"));
        sources.add(annotation(
                packageName,
                "Size",
                "int min() default 0; int max() default 2147483647;"
                        + "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)"
                        + "@interface List { Size[] value(); }"));
        sources.add(annotation(
                packageName,
                "Pattern",
                "String regexp(); Flag[] flags() default {}; enum Flag { CASE_INSENSITIVE, DOTALL }"));
        sources.add("package " + packageName + ".validation;"
                + "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)"
                + " @java.lang.annotation.Target({java.lang.annotation.ElementType.FIELD,"
                + " java.lang.annotation.ElementType.METHOD, java.lang.annotation.ElementType.PARAMETER,"
                + " java.lang.annotation.ElementType.TYPE_USE}) public @interface Valid {}");
        sources.add("package " + packageName + ".validation; public interface Payload {}");
        return ClassDefinitions.of(
                "a.Shop", new ClassHierarchy(CompiledSources.compile(List.of(), sources.toArray(String[]::new))));
    }

    private static List<List<Constraint>> of(ServiceDefinition shop, String method) {
        return shop.methods().stream()
                .filter(each -> each.name().equals(method))
                .findFirst()
                .orElseThrow()
                .facts()
                .constraints();
    }

    @ParameterizedTest
    @ValueSource(strings = {"javax", "jakarta"})
    void parametersHaveThem(String packageName) throws Exception {
        ServiceDefinition shop = shop(packageName);

        assertThat(of(shop, "order"))
                .containsExactly(
                        List.of(new Constraint.NotNull("must not be null"), new Constraint.Valid()),
                        List.of(
                                new Constraint.Min(BigDecimal.ONE, true, "must be greater than or equal to 1"),
                                new Constraint.Max(BigDecimal.TEN, true, "at most 10")),
                        List.of());
        assertThat(of(shop, "text"))
                .containsExactly(
                        List.of(new Constraint.NotBlank("must not be blank")),
                        List.of(new Constraint.NotEmpty("must not be empty")),
                        List.of(new Constraint.Size(2, 5, "2 to 5")),
                        List.of(new Constraint.Size(0, 5, "size must be between 0 and 5")),
                        List.of(new Constraint.Pattern("[a-z]+", List.of("CASE_INSENSITIVE"), "must match \"[a-z]+\"")),
                        List.of(new Constraint.Email("must be a well-formed email address")));
        assertThat(of(shop, "number"))
                .containsExactly(
                        List.of(new Constraint.Min(new BigDecimal("0.5"), false, "must be greater than 0.5")),
                        List.of(new Constraint.Max(new BigDecimal("1e3"), true, "must be less than or equal to 1e3")),
                        List.of(new Constraint.Min(BigDecimal.ZERO, false, "must be greater than 0")),
                        List.of(new Constraint.Min(BigDecimal.ZERO, true, "must be greater than or equal to 0")),
                        List.of(new Constraint.Max(BigDecimal.ZERO, false, "must be less than 0")),
                        List.of(new Constraint.Max(BigDecimal.ZERO, true, "must be less than or equal to 0")),
                        List.of(new Constraint.Digits(
                                3, 2, "numeric value out of bounds (<3 digits>.<2 digits> expected)")));
    }

    @Test
    void thoseThatDependOnTheCallOrAreNotUnderstoodAreLeftOut() throws Exception {
        assertThat(of(shop("jakarta"), "left"))
                .containsExactly(
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(new Constraint.Min(BigDecimal.valueOf(2), true, "must be greater than or equal to 2")),
                        List.of(
                                new Constraint.Size(1, Integer.MAX_VALUE, "size must be between 1 and 2147483647"),
                                new Constraint.Size(0, 3, "size must be between 0 and 3")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"javax", "jakarta"})
    void fieldsHaveTheirOwnAndThoseOfTheirGetters(String packageName) throws Exception {
        ServiceDefinition shop = shop(packageName);

        assertThat(shop.types().get("a.Shop$Order").facts().constraints())
                .isEqualTo(Map.of(
                        "item",
                        List.of(new Constraint.NotNull("must not be null")),
                        "code",
                        List.of(new Constraint.Size(0, 9, "size must be between 0 and 9")),
                        "lines",
                        List.of(new Constraint.Valid()),
                        "elements",
                        List.of(new Constraint.Valid()),
                        "values",
                        List.of(new Constraint.Valid()),
                        "names",
                        List.of(new Constraint.Elements(List.of(new Constraint.NotBlank("must not be blank")))),
                        "amounts",
                        List.of(
                                new Constraint.Size(0, 2, "size must be between 0 and 2"),
                                new Constraint.Elements(
                                        List.of(new Constraint.Min(BigDecimal.ZERO, false, "must be greater than 0")))),
                        "count",
                        List.of(new Constraint.Min(
                                BigDecimal.valueOf(3), true, "must be greater than or equal to 3"))));
        assertThat(shop.types().get("a.Shop$Line").facts().constraints())
                .isEqualTo(Map.of(
                        "quantity", List.of(new Constraint.Min(BigDecimal.ZERO, false, "must be greater than 0"))));
    }
}
