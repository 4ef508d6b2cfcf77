package io.dubbomesh.protocol.request;

import com.alibaba.com.caucho.hessian.io.Hessian2Input;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.request.Shop.Item;
import io.dubbomesh.testsupport.Hex;
import io.netty.buffer.ByteBufUtil;
import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;

import static io.dubbomesh.protocol.request.Shop.ITEM;
import static io.dubbomesh.protocol.request.Shop.SERVICE;
import static io.dubbomesh.protocol.request.Shop.SPECIAL;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Calls whose arguments the provider converts, since not all of their types are known. */
class GenericCallTest {
    private final Shop shop = new Shop();

    private static ServiceDefinition boxes() {
        return new ServiceDefinition(
                List.of(
                        new MethodDefinition("keep", List.of(ITEM, "a.Box"), "void"),
                        new MethodDefinition("keepAll", List.of("java.util.List<a.Colour[]>"), "void"),
                        new MethodDefinition("put", List.of(ITEM), "void")),
                Map.of(
                        ITEM,
                        new TypeDefinition(ITEM, List.of(), Map.of("price", "long")),
                        SPECIAL,
                        new TypeDefinition(SPECIAL, List.of(), Map.of("price", "long", "shape", "a.Shape")),
                        "a.Box",
                        new TypeDefinition("a.Box", List.of(), Map.of("item", ITEM, "shape", "a.Shape"))));
    }

    private Object[] argumentsOfGenericCall() throws Exception {
        Hessian2Input provider = shop.provider("$invoke", "Ljava/lang/String;[Ljava/lang/String;[Ljava/lang/Object;");
        provider.readObject(String.class);
        provider.readObject(String[].class);
        return (Object[]) provider.readObject(Object[].class);
    }

    /** Telnet's list of such a service, in 2.6 and 2.7. */
    private static ServiceDefinition genericService() {
        List<String> types = List.of("java.lang.String", "java.lang.String[]", "java.lang.Object[]");
        return new ServiceDefinition(
                List.of(
                        new MethodDefinition("$invoke", types, "java.lang.Object"),
                        new MethodDefinition("$invokeAsync", types, "java.util.concurrent.CompletableFuture")),
                Map.of());
    }

    @Test
    void aServiceThatIsImplementedGenericallyIsCalledThroughInvokeWithTheTypesOfTheCall() throws Exception {
        assertThat(shop.encode("book", "Ljava/util/Date;J", genericService(), "[\"2026-11-21T10:00:00Z\",7]"))
                .isTrue();
        Hessian2Input provider = shop.provider("$invoke", "Ljava/lang/String;[Ljava/lang/String;[Ljava/lang/Object;");
        assertThat(provider.readObject(String.class)).isEqualTo("book");
        assertThat((String[]) provider.readObject(String[].class)).containsExactly("java.util.Date", "long");
        assertThat((Object[]) provider.readObject(Object[].class))
                .as("the provider does not convert them")
                .containsExactly(Date.from(Instant.parse("2026-11-21T10:00:00Z")), 7L);
    }

    @Test
    void aServiceThatIsImplementedGenericallyIsCalledThroughInvokeWithoutTypes() throws Exception {
        assertThat(shop.encode("book", "?", genericService(), "[\"a\",{\"b\":1}]"))
                .isTrue();
        Hessian2Input provider = shop.provider("$invoke", "Ljava/lang/String;[Ljava/lang/String;[Ljava/lang/Object;");
        assertThat(provider.readObject(String.class)).isEqualTo("book");
        assertThat(provider.readObject(String[].class)).isNull();
        assertThat((Object[]) provider.readObject(Object[].class)).containsExactly("a", Map.of("b", 1));
    }

    /** Dubbo 2.6 and early versions of 2.7 make an object of any class that is named so. */
    @Test
    void aCallerCannotNameAClassThatOnlyTheProviderKnows() throws Exception {
        String hostile = "{\"class\":\"javax.script.ScriptEngineManager\"}";
        for (String descriptor : List.of("?", "La/B;", "Ljava/util/List<La/B;>;")) {
            String argument = descriptor.startsWith("Ljava") ? "[[" + hostile + "]]" : "[" + hostile + "]";
            assertThatThrownBy(() -> shop.encode("put", descriptor, null, argument))
                    .isInstanceOfSatisfying(
                            CallException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.BAD_ARGUMENT))
                    .hasMessageContaining("class \"javax.script.ScriptEngineManager\" (expected: none");
        }
        assertThat(shop.encode("put", "?", null, "[{\"class\":\"economy\"},{\"class\":1}]"))
                .isTrue();
    }

    @Test
    void aCallerCannotNameAClassByTheKeysOfAMap() throws Exception {
        String hostile = "{\"class\":\"javax.script.ScriptEngineManager\"}";
        String pairs = "[[\"class\",\"javax.script.ScriptEngineManager\"]]";
        String[][] rows = {
            {"Ljava/util/Map;", hostile},
            {"Ljava/util/Map;", pairs},
            {"Ljava/util/Map;", "{\"a\":" + hostile + "}"},
            {"Ljava/util/HashMap;", hostile},
            {"[Ljava/util/Map;", '[' + hostile + ']'},
            {"Ljava/util/List<Ljava/util/Map;>;La/B;", '[' + hostile + "],null"},
            {"Ljava/util/Map<Ljava/lang/String;Ljava/lang/String;>;La/B;", hostile + ",null"},
            {"Ljava/util/Map<Ljava/lang/String;Ljava/lang/String;>;La/B;", pairs + ",null"},
            {"Ljava/util/Map<La/Colour;La/Price;>;", hostile},
            {"Ljava/util/Map<La/Colour;La/Price;>;", pairs},
            {"Ljava/util/Map<Ljava/lang/Object;Ljava/lang/Object;>;La/B;", pairs + ",null"}
        };
        for (String[] row : rows) {
            assertThatThrownBy(() -> shop.encode("put", row[0], null, '[' + row[1] + ']'))
                    .as(String.join(" ", row))
                    .isInstanceOfSatisfying(
                            CallException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.BAD_ARGUMENT))
                    .hasMessageContaining("class \"javax.script.ScriptEngineManager\" (expected: none");
        }
        assertThat(shop.encode("put", "Ljava/util/Map;", null, "[{\"class\":\"economy\",\"a.b\":\"c.d\"}]"))
                .isTrue();
        assertThat(shop.encode("put", "Ljava/util/Map<**>;", null, '[' + hostile + ']'))
                .as("which no provider converts")
                .isFalse();
    }

    /** Whether the provider is one, the agent may learn only from its answer. */
    @Test
    void aCallerCannotNameAClassToAServiceThatIsImplementedGenerically() {
        String hostile = "{\"class\":\"javax.script.ScriptEngineManager\"}";
        String[][] rows = {
            {"Ljava/lang/Object;", hostile},
            {"Ljava/lang/Object;", "[[" + hostile + "]]"},
            {"Ljava/util/Map;", hostile},
            {"Ljava/util/Map<Ljava/lang/String;Ljava/lang/String;>;", hostile}
        };
        for (String[] row : rows) {
            assertThatThrownBy(() -> shop.encode("put", row[0], genericService(), '[' + row[1] + ']'))
                    .as(String.join(" ", row))
                    .isInstanceOf(CallException.class)
                    .hasMessageContaining("class \"javax.script.ScriptEngineManager\" (expected: none");
        }
    }

    /** apache/dubbo issue 15670. */
    @Test
    void aClassWithAFloatMakesTheCallGenericSinceSomeReadersWriteBeyondTheField() throws Exception {
        for (String[] row : new String[][] {{"float", "true"}, {"java.lang.Float", "false"}, {"float[]", "false"}}) {
            ServiceDefinition service = new ServiceDefinition(
                    List.of(new MethodDefinition("weigh", List.of("a.Parcel"), "void")),
                    Map.of("a.Parcel", new TypeDefinition("a.Parcel", List.of(), Map.of("weight", row[0]))));
            assertThat(shop.encode("weigh", "?", service, "[{}]")).as(row[0]).isEqualTo(Boolean.parseBoolean(row[1]));
        }
    }

    @Test
    void aCollectionWithoutTypeArgumentsMakesTheCallGeneric() throws Exception {
        ServiceDefinition listed = new ServiceDefinition(
                List.of(new MethodDefinition("sum", List.of("java.util.Collection", "java.util.Map[]"), "long")),
                Map.of());
        assertThat(shop.encode("sum", "?", listed, "[[1.50],[]]")).isTrue();
        Hessian2Input provider = shop.provider("$invoke", "Ljava/lang/String;[Ljava/lang/String;[Ljava/lang/Object;");
        provider.readObject(String.class);
        provider.readObject(String[].class);
        assertThat((Object[]) provider.readObject(Object[].class))
                .containsExactly(List.of(new BigDecimal("1.50")), List.of());
        String bare = "Ljava/util/Collection;[Ljava/util/Map;";
        assertThat(shop.encode("sum", bare, listed, "[[1],[]]")).isTrue();
        assertThat(shop.encode("sum", bare, null, "[[1],[]]")).isTrue();
        assertThat(shop.encode("sum", "Ljava/util/Collection<*>;[Ljava/util/Map<**>;", listed, "[[1],[]]"))
                .isFalse();
    }

    @Test
    void aClassOfWhichNothingIsKnownMakesTheCallGeneric() throws Exception {
        assertThat(shop.encode("put", "La/Car;[JLjava/util/Date;", null, "[{\"a\":[1,null]},[1,2],0]"))
                .isTrue();
        String body =
                "05'2.0.2' 06'a.Shop' 05'0.0.0' 07'$invoke' 30 38'Ljava/lang/String;[Ljava/lang/String;[Ljava/lang/Object;'"
                        + "03'put' 'X' 'I' 00000003 05'a.Car' 06'long[]' 0e'java.util.Date'"
                        + "'X' 'I' 00000003 'H' 01'a' 'X' 'I' 00000002 91 'N' 'Z' 'X' 'I' 00000002 e1 e2 4b 00000000"
                        + "'H' 04'path' 06'a.Shop' 09'interface' 06'a.Shop' 07'generic' 04'true' 07'timeout' 04'5000' 03'_TO' 04'5000' 'Z'";
        assertThat(shop.out.slice(DubboHeader.LENGTH, shop.out.writerIndex() - DubboHeader.LENGTH))
                .isEqualTo(Hex.buffer(body));
    }

    @Test
    void unknownTypesAreLeftOutOfAGenericCall() throws Exception {
        assertThat(shop.encode("put", "?", null, "[1,\"a\"]")).isTrue();
        Hessian2Input provider = shop.provider("$invoke", "Ljava/lang/String;[Ljava/lang/String;[Ljava/lang/Object;");
        assertThat(provider.readObject(String.class)).isEqualTo("put");
        assertThat(provider.readObject(String[].class)).isNull();
        assertThat((Object[]) provider.readObject(Object[].class)).isEqualTo(new Object[] {1, "a"});
        assertThat((Map<?, ?>) provider.readObject(Map.class)).hasSize(5);
    }

    @Test
    void aGenericCallLosesNoDigitsAndLeavesKeysOfUnknownTypesAsTheyAre() throws Exception {
        assertThat(shop.encode("put", "Ljava/util/Map<La/Colour;La/Price;>;", null, "[{\"RED\":1.50,\"BLUE\":1.5}]"))
                .isTrue();
        Hessian2Input provider = shop.provider("$invoke", "Ljava/lang/String;[Ljava/lang/String;[Ljava/lang/Object;");
        provider.readObject(String.class);
        assertThat((String[]) provider.readObject(String[].class)).containsExactly("java.util.Map");
        assertThat((Object[]) provider.readObject(Object[].class))
                .containsExactly(Map.of("RED", new BigDecimal("1.50"), "BLUE", 1.5));
    }

    @Test
    void elementsThatHessianHasNoTypeForMakeTheCallGeneric() throws Exception {
        for (String element : Arrays.asList("Short", "Byte", "Float", "Character")) {
            assertThat(shop.encode("any", "Ljava/util/List<Ljava/lang/" + element + ";>;", null, "[[]]"))
                    .isTrue();
            assertThat(shop.encode("any", "[Ljava/lang/" + element + ";", null, "[[]]"))
                    .isFalse();
        }
        assertThat(shop.encode("shorts", "Ljava/util/List;", SERVICE, "[[1]]")).isTrue();
    }

    @Test
    void anObjectWithFieldsOfUnknownTypesIsConvertedByTheProvider() throws Exception {
        String box = "{\"item\":{\"price\":2},\"shape\":{\"radius\":1}}";
        assertThat(shop.encode("keep", "?", boxes(), "[{\"price\":1}," + box + "]"))
                .isTrue();

        assertThat(ByteBufUtil.hexDump(shop.out)).doesNotContain("4d05" + ByteBufUtil.hexDump("a.Box".getBytes(UTF_8)));
        Object[] arguments = argumentsOfGenericCall();
        assertThat(((Item) arguments[0]).price).isEqualTo(1);
        Map<?, ?> made = (Map<?, ?>) arguments[1];
        assertThat(made.get("class")).isEqualTo("a.Box");
        assertThat(((Item) made.get("item")).price).isEqualTo(2);
        assertThat(made.get("shape")).isEqualTo(Map.of("radius", 1));
    }

    @Test
    void arraysOfUnknownTypesAreConvertedByTheProvider() throws Exception {
        assertThat(shop.encode("keepAll", "?", boxes(), "[[[\"RED\"]]]")).isTrue();

        assertThat(argumentsOfGenericCall()).containsExactly(List.of(List.of("RED")));
        assertThat(ByteBufUtil.hexDump(shop.out)).doesNotContain(ByteBufUtil.hexDump("[a.Colour".getBytes(UTF_8)));
    }

    @Test
    void aSubclassWithFieldsOfUnknownTypesIsMadeByTheProvider() throws Exception {
        assertThat(shop.encode("put", "?", boxes(), "[{\"class\":\"" + SPECIAL + "\",\"shape\":{\"radius\":1}}]"))
                .isTrue();

        assertThat(argumentsOfGenericCall()).containsExactly(Map.of("class", SPECIAL, "shape", Map.of("radius", 1)));
        assertThat(shop.encode("put", "?", boxes(), "[{\"price\":1}]")).isFalse();
    }

    @Test
    void anObjectMayNameOnlyASubclass() {
        assertThatThrownBy(() -> shop.encode("keep", "?", boxes(), "[{\"class\":\"a.Box\"},null]"))
                .isInstanceOf(CallException.class)
                .hasMessageStartingWith("args[0].class: \"a.Box\" (expected: ");
    }
}
