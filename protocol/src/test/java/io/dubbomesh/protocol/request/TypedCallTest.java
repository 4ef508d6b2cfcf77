package io.dubbomesh.protocol.request;

import com.alibaba.com.caucho.hessian.io.Hessian2Input;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.request.Shop.Colour;
import io.dubbomesh.protocol.request.Shop.Item;
import io.dubbomesh.protocol.request.Shop.Page;
import io.dubbomesh.protocol.request.Shop.SpecialItem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static io.dubbomesh.protocol.request.Shop.COLOUR;
import static io.dubbomesh.protocol.request.Shop.ITEM;
import static io.dubbomesh.protocol.request.Shop.ITEM_DESCRIPTOR;
import static io.dubbomesh.protocol.request.Shop.ITEM_PAGE;
import static io.dubbomesh.protocol.request.Shop.PAGE;
import static io.dubbomesh.protocol.request.Shop.SERVICE;
import static io.dubbomesh.protocol.request.Shop.SPECIAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Calls of methods with classes of the service's own. */
class TypedCallTest {
    private final Shop shop = new Shop();

    @Test
    void anObjectIsWrittenFieldByFieldAsItsClassDeclaresThem() throws Exception {
        boolean generic = shop.encode(
                "put",
                "Ljava/lang/String;" + ITEM_DESCRIPTOR,
                SERVICE,
                "[\"key\", {\"colour\":\"GREEN\", \"name\":\"\u4e2d\", \"price\":5, \"count\":3, \"made\":\"2026-11-21T10:00:00Z\","
                        + "\"weight\":1.10, \"image\":\"AQI=\", \"colours\":[\"RED\"], \"parts\":[{\"price\":1},null],"
                        + "\"others\":[{\"name\":\"o\",\"others\":[]}], \"numbers\":[1,2], \"byNumber\":{\"7\":{\"price\":7}},"
                        + "\"tables\":{\"t\":[[1,2]]}, \"anything\":{\"a\":[1]}}]");

        assertThat(generic).isFalse();
        Hessian2Input provider = shop.provider("put", "Ljava/lang/String;" + ITEM_DESCRIPTOR);
        assertThat(provider.readObject(String.class)).isEqualTo("key");
        Item item = (Item) provider.readObject(Item.class);
        assertThat(item.name).isEqualTo("\u4e2d");
        assertThat(item.price).isEqualTo(5);
        assertThat(item.count).isEqualTo((short) 3);
        assertThat(item.colour).isEqualTo(Colour.GREEN);
        assertThat(item.made).isEqualTo(new Date(1795255200000L));
        assertThat(item.weight).isEqualTo(new BigDecimal("1.10"));
        assertThat(item.image).containsExactly(1, 2);
        assertThat(item.colours).containsExactly(Colour.RED);
        assertThat(item.parts[0].price).isEqualTo(1);
        assertThat(item.parts[1]).isNull();
        assertThat(item.others.get(0).name).isEqualTo("o");
        assertThat(item.others.get(0).others).isEmpty();
        assertThat(item.numbers).containsExactly(1L, 2L);
        assertThat(item.byNumber.get(7).price).isEqualTo(7);
        assertThat(item.tables.get("t").get(0)).containsExactly(1, 2);
        assertThat(item.anything).isEqualTo(Map.of("a", List.of(1)));
        assertThat((Map<?, ?>) provider.readObject(Map.class)).hasSize(4);
    }

    @Test
    void anObjectMayNameTheSubclassThatItIs() throws Exception {
        shop.encode(
                "put",
                "Ljava/lang/String;" + ITEM_DESCRIPTOR,
                SERVICE,
                "[null, {\"class\":\"" + SPECIAL + "\",\"discount\":0.5}]");
        Hessian2Input provider = shop.provider("put", "Ljava/lang/String;" + ITEM_DESCRIPTOR);
        assertThat(provider.readObject(String.class)).isNull();
        assertThat(((SpecialItem) provider.readObject(Item.class)).discount).isEqualTo(0.5);

        shop.refused(
                Outcome.BAD_ARGUMENT,
                "put",
                "Ljava/lang/String;" + ITEM_DESCRIPTOR,
                "[null, {\"class\":\"javax.script.ScriptEngineManager\"}]",
                "args[1].class: \"javax.script.ScriptEngineManager\" (expected: a class of the service whose fields are all known, as "
                        + ITEM + ")");
    }

    @Test
    void typesThatTheCallerDoesNotNameAreThoseOfTheProvider() throws Exception {
        assertThat(shop.encode("list", MethodName.UNKNOWN_TYPES, SERVICE, "[[{\"name\":\"a\"}]]"))
                .isFalse();
        Hessian2Input provider = shop.provider("list", "Ljava/util/List;");
        List<?> items = (List<?>) provider.readObject(List.class);
        assertThat(((Item) items.get(0)).name).isEqualTo("a");

        assertThat(shop.encode("add", "Ljava/util/List;", SERVICE, "[[1]]")).isFalse();
        assertThat(shop.provider("add", "Ljava/util/List;").readObject(List.class))
                .isEqualTo(List.of(1L));
    }

    @Test
    void aGenericClassIsWrittenAsItIsUsed() throws Exception {
        String descriptor = 'L' + PAGE.replace('.', '/') + ';';
        assertThat(shop.encode("show", descriptor, SERVICE, "[{\"entries\":[{\"price\":1}],\"first\":{\"price\":2}}]"))
                .isFalse();
        Page<?> page = (Page<?>) shop.provider("show", descriptor).readObject(Page.class);
        assertThat(((Item) page.entries.get(0)).price).isEqualTo(1);
        assertThat(((Item) page.first).price).isEqualTo(2);
    }

    @Test
    void typeArgumentsOfTheCallerAreLeftOutOfTheDescriptor() throws Exception {
        shop.encode("any", "Ljava/util/List<Ljava/lang/Long;>;", null, "[[1]]");
        assertThat(shop.provider("any", "Ljava/util/List;").readObject(List.class))
                .isEqualTo(List.of(1L));

        shop.encode("any", "Ljava/util/Map<Ljava/lang/Long;[Ljava/util/Set<*>;>;", null, "[[[1,[[2]]]]]");
        Map<?, ?> map = (Map<?, ?>) shop.provider("any", "Ljava/util/Map;").readObject(Map.class);
        assertThat((Object[]) map.get(1L)).containsExactly(Set.of(2));
    }

    @Test
    void aMethodThatTheServiceDoesNotHaveIsNotFound() {
        shop.refused(
                Outcome.METHOD_NOT_FOUND,
                "sub",
                "?",
                "[]",
                "service a.Shop has no method sub (it has: put(java.lang.String," + ITEM + "); list(java.util.List<"
                        + ITEM
                        + ">); show(" + ITEM_PAGE
                        + "); add(int,int); add(java.util.List<java.lang.Long>); shorts(java.util.List<java.lang.Short>))");
    }

    @Test
    void typesThatNoMethodHasAreNotFoundEither() {
        assertThatThrownBy(() -> shop.encode("add", "II[J", SERVICE, "[]"))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.METHOD_NOT_FOUND))
                .hasMessageStartingWith("service a.Shop has no method add(int,int,long[]) (it has: put(");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"price\":\"x\"} | args[1].price: \"x\" (expected: long, -9223372036854775808 to 9223372036854775807)",
                "{\"price\":null} | args[1].price: null (expected: long, -9223372036854775808 to 9223372036854775807)",
                "{\"count\":40000} | args[1].count: 40000 (expected: short, -32768 to 32767)",
                "{\"colour\":\"BLUE\"} | args[1].colour: \"BLUE\" (expected: COLOUR, one of RED, GREEN)",
                "{\"colours\":[\"RED\",\"BLUE\"]} | args[1].colours[1]: \"BLUE\" (expected: COLOUR, one of RED, GREEN)",
                "{\"others\":[{},{\"parts\":[{\"price\":{}}]}]} | args[1].others[1].parts[0].price: {...} (expected: long, -9223372036854775808 to 9223372036854775807)",
                "{\"byNumber\":{\"x\":null}} | args[1].byNumber.x: key \"x\" (expected: java.lang.Integer, -2147483648 to 2147483647)",
                "{\"byNumber\":{\"1\":5}} | args[1].byNumber.1: 5 (expected: ITEM)",
                "{\"byNumber\":[[1]]} | args[1].byNumber[0]: [...] (expected: a pair [key, value] of java.util.Map<java.lang.Integer, ITEM>)",
                "{\"made\":\"yesterday\"} | args[1].made: \"yesterday\" (expected: java.util.Date, as 2026-11-21T10:00:00Z, as 2026-11-21 10:00:00, or in milliseconds since 1970)",
                "{\"colour\":{\"name\":\"BLUE\"}} | args[1].colour: {...} (expected: COLOUR, one of RED, GREEN)",
                "{\"colour\":{\"nome\":\"RED\"}} | args[1].colour: nome (expected: COLOUR, one of RED, GREEN)",
                "[] | args[1]: [...] (expected: ITEM)"
            })
    void aValueThatDoesNotFitIsNamedWithItsPath(String item, String message) {
        shop.refused(
                Outcome.BAD_ARGUMENT,
                "put",
                "?",
                "[\"k\"," + item + "]",
                message.replace("ITEM", ITEM).replace("COLOUR", COLOUR));
    }

    @Test
    void aConstantMayBeAnObjectWithItsName() throws Exception {
        shop.encode("put", "?", SERVICE, "[null,{\"colour\":{\"name\":\"GREEN\"}}]");
        Hessian2Input provider = shop.provider("put", "Ljava/lang/String;" + ITEM_DESCRIPTOR);
        provider.readObject(String.class);
        assertThat(((Item) provider.readObject(Item.class)).colour).isEqualTo(Colour.GREEN);
    }

    @Test
    void aFieldThatTheClassDoesNotHaveIsRefused() {
        shop.refused(
                Outcome.BAD_ARGUMENT,
                "put",
                "?",
                "[\"k\",{\"prise\":1}]",
                "args[1].prise: unknown field (expected: one of "
                        + String.join(", ", Shop.itemFields().keySet()) + ")");
    }

    @Test
    void typeArgumentsOfAClassThatHasNoneChangeNothing() throws Exception {
        shop.encode("any", "Ljava/time/LocalDate<*>;", null, "[\"2026-11-21\"]");
        assertThat(shop.provider("any", "Ljava/time/LocalDate;").readObject(LocalDate.class))
                .isEqualTo(LocalDate.of(2026, 11, 21));
        shop.encode("any", "Ljava/util/List<[Ljava/lang/String<*>;>;", null, "[[[\"a\"]]]");
        List<?> list = (List<?>) shop.provider("any", "Ljava/util/List;").readObject(List.class);
        assertThat((String[]) list.get(0)).containsExactly("a");
    }

    @Test
    void aLongChainOfClassesNeedsNoStack() throws Exception {
        Map<String, TypeDefinition> chain = new LinkedHashMap<>();
        for (int i = 0; i < 10_000; i++) {
            String name = "a.C" + i;
            chain.put(name, new TypeDefinition(name, List.of(), Map.of("next", "a.C" + (i + 1))));
        }
        chain.put("a.C10000", new TypeDefinition("a.C10000", List.of(), Map.of("end", "int")));
        ServiceDefinition service =
                new ServiceDefinition(List.of(new MethodDefinition("put", List.of("a.C0"), "void")), chain);
        assertThat(shop.encode("put", "La/C0;", service, "[{\"next\":{}}]")).isFalse();
    }

    @Test
    void typeArgumentsMayBeThirtyTwoDeep() throws Exception {
        String descriptor = "Ljava/util/List<".repeat(32) + "Ljava/lang/Long;" + ">;".repeat(32);
        assertThat(shop.encode("any", descriptor, null, "[" + "[".repeat(32) + "1" + "]".repeat(32) + "]"))
                .isFalse();
        shop.refused(
                Outcome.BAD_REQUEST,
                "any",
                "Ljava/util/List<".repeat(33) + "Ljava/lang/Long;" + ">;".repeat(33),
                "[]",
                "parameter types: \"Ljava/util/List<Ljava/util/List<Ljava/util/List<Ljava/util/List<...\" (expected: JVM"
                        + " descriptors, as Ljava/lang/String;I[J)");
    }

    @Test
    void aNameInAPathIsNotShownInFullLength() {
        assertThatThrownBy(() -> shop.encode("put", "?", SERVICE, "[null,{\"" + "x".repeat(10_000) + "\\n\":1}]"))
                .isInstanceOf(CallException.class)
                .hasMessageStartingWith("args[1]." + "x".repeat(64) + "...: unknown field");
    }
}
