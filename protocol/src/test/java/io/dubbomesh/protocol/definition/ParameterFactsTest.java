package io.dubbomesh.protocol.definition;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** The names of parameters, by what compilers write of them. */
class ParameterFactsTest {
    private static final List<String> WITH_NAMES = List.of("-parameters", "-g:none");
    private static final List<String> FOR_DEBUGGERS = List.of("-g");
    private static final List<String> PLAIN = List.of("-g:none");

    private static final String SHOP = """
            package a;
            public interface Shop<T> {
                int add(long first, int second, String[] rest);
                void put(T value, double price);
                void none();
                default void touch(double x, long y, Object z) { long w = y; }
            }
            """;
    private static final String SHOP_OF_TEXTS = """
            package a;
            public interface TextShop extends Shop<String> {}
            """;
    private static final String OTHER_NAMES = """
            package a;
            public abstract class OtherShop implements Shop<Long> {
                public static class One extends OtherShop implements Shop<Long> {
                    public int add(long a, int b, String[] c) { return 0; }
                    public void put(Long value, double price) {}
                    public void none() {}
                }
            }
            """;
    private static final String IMPLEMENTATION = """
            package a;
            public class ShopOfStrings implements TextShop {
                public int add(long first, int second, String[] rest) { int third = second; return third; }
                public void put(String value, double price) {}
                public void none() {}
            }
            """;

    private static List<String> names(List<String> options, String service, String... sources) throws Exception {
        ClassHierarchy classes = new ClassHierarchy(CompiledSources.compile(options, sources));
        List<String> names = new ArrayList<>();
        for (MethodDefinition method : ClassDefinitions.of(service, classes).methods()) {
            names.add(method.name() + method.facts().names());
        }
        return names;
    }

    @Test
    void theNamesAreThoseOfTheInterfaceIfItIsCompiledWithThem() throws Exception {
        assertThat(names(WITH_NAMES, "a.Shop", SHOP))
                .containsExactlyInAnyOrder("add[first, second, rest]", "put[value, price]", "none[]", "touch[x, y, z]");
        assertThat(names(WITH_NAMES, "a.TextShop", SHOP, SHOP_OF_TEXTS)).contains("put[value, price]");
    }

    @Test
    void withoutThemOnlyMethodsWithCodeHaveNames() throws Exception {
        assertThat(names(FOR_DEBUGGERS, "a.Shop", SHOP))
                .containsExactlyInAnyOrder("add[]", "put[]", "none[]", "touch[x, y, z]");
        assertThat(names(PLAIN, "a.Shop", SHOP)).containsExactlyInAnyOrder("add[]", "put[]", "none[]", "touch[]");
    }

    @Test
    void anImplementationOfTheSameDescriptorHasThemForDebuggers() throws Exception {
        assertThat(names(FOR_DEBUGGERS, "a.TextShop", SHOP, SHOP_OF_TEXTS, IMPLEMENTATION))
                .containsExactlyInAnyOrder("add[first, second, rest]", "put[]", "none[]", "touch[x, y, z]");
        assertThat(names(PLAIN, "a.TextShop", SHOP, SHOP_OF_TEXTS, IMPLEMENTATION))
                .contains("add[]");
    }

    @Test
    void implementationsThatDoNotAgreeTellNothing() throws Exception {
        assertThat(names(FOR_DEBUGGERS, "a.Shop", SHOP, SHOP_OF_TEXTS, IMPLEMENTATION, OTHER_NAMES))
                .containsExactlyInAnyOrder("add[]", "put[]", "none[]", "touch[x, y, z]");
    }
}
