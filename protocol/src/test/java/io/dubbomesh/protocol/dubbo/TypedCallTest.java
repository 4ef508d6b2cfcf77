package io.dubbomesh.protocol.dubbo;

import com.alibaba.com.caucho.hessian.io.Hessian2Input;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.hessian.HessianLite;
import io.dubbomesh.testsupport.Hex;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.Serializable;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Calls of methods with classes of the service's own. */
class TypedCallTest {
    private static final String HERE = TypedCallTest.class.getName();
    private static final String ITEM = HERE + "$Item";
    private static final String SPECIAL = HERE + "$SpecialItem";
    private static final String COLOUR = HERE + "$Colour";
    private static final String PAGE = HERE + "$Page";
    private static final String ITEM_PAGE = PAGE + '<' + ITEM + '>';
    private static final String ITEM_DESCRIPTOR = 'L' + ITEM.replace('.', '/') + ';';

    enum Colour {
        RED,
        GREEN
    }

    static class Item implements Serializable {
        private static final long serialVersionUID = 1L;

        String name;
        long price;
        short count;
        Colour colour;
        Date made;
        BigDecimal weight;
        byte[] image;
        Set<Colour> colours;
        Item[] parts;
        List<Item> others;
        List<Long> numbers;
        Map<Integer, Item> byNumber;
        TreeMap<String, List<int[]>> tables;
        Object anything;
    }

    static final class Page<T> implements Serializable {
        private static final long serialVersionUID = 1L;

        List<T> entries;
        T first;
    }

    static final class SpecialItem extends Item {
        private static final long serialVersionUID = 1L;

        double discount;
    }

    private static final ServiceDefinition SERVICE = new ServiceDefinition(
            List.of(
                    new MethodDefinition("put", List.of("java.lang.String", ITEM), "void"),
                    new MethodDefinition("list", List.of("java.util.List<" + ITEM + ">"), "void"),
                    new MethodDefinition("show", List.of(ITEM_PAGE), "void"),
                    new MethodDefinition("add", List.of("int", "int"), "int"),
                    new MethodDefinition("add", List.of("java.util.List<java.lang.Long>"), "long"),
                    new MethodDefinition("shorts", List.of("java.util.List<java.lang.Short>"), "int")),
            Map.of(
                    ITEM_PAGE,
                    new TypeDefinition(
                            ITEM_PAGE, List.of(), Map.of("entries", "java.util.List<" + ITEM + ">", "first", ITEM)),
                    COLOUR,
                    new TypeDefinition(COLOUR, List.of("RED", "GREEN"), Map.of()),
                    ITEM,
                    new TypeDefinition(ITEM, List.of(), itemFields()),
                    SPECIAL,
                    new TypeDefinition(SPECIAL, List.of(), specialFields())));

    private final ByteBuf in = Unpooled.buffer();
    private final ByteBuf out = Unpooled.buffer();

    private static Map<String, String> itemFields() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("name", "java.lang.String");
        fields.put("price", "long");
        fields.put("count", "short");
        fields.put("colour", COLOUR);
        fields.put("made", "java.util.Date");
        fields.put("weight", "java.math.BigDecimal");
        fields.put("image", "byte[]");
        fields.put("colours", "java.util.Set<" + COLOUR + ">");
        fields.put("parts", ITEM + "[]");
        fields.put("others", "java.util.List<" + ITEM + ">");
        fields.put("numbers", "java.util.List<java.lang.Long>");
        fields.put("byNumber", "java.util.Map<java.lang.Integer, " + ITEM + ">");
        fields.put("tables", "java.util.TreeMap<java.lang.String,java.util.List<int[]>>");
        fields.put("anything", "java.lang.Object");
        return fields;
    }

    private static Map<String, String> specialFields() {
        Map<String, String> fields = itemFields();
        fields.put("discount", "double");
        return fields;
    }

    private boolean encode(String method, String descriptor, ServiceDefinition service, String arguments)
            throws CallException {
        in.clear().writeCharSequence(arguments, UTF_8);
        MethodName name = new MethodName("a.Shop", method, descriptor, "", "");
        DubboRequest request = DubboRequest.prepare(name, Serialization.HESSIAN2, service);
        request.encode(
                out.clear(),
                7,
                false,
                new CallArguments().json(in, 0, in.writerIndex()).timeLeftMs(5000));
        return request.isGeneric();
    }

    /** What a provider reads: the reader behind the names, of which the last two are given. */
    private Hessian2Input provider(String method, String descriptor) throws Exception {
        Hessian2Input provider =
                HessianLite.reader(out.slice(DubboHeader.LENGTH, out.writerIndex() - DubboHeader.LENGTH));
        for (String expected : List.of("2.0.2", "a.Shop", "0.0.0", method, descriptor)) {
            assertThat(provider.readString()).isEqualTo(expected);
        }
        return provider;
    }

    private void refused(Outcome outcome, String method, String descriptor, String arguments, String message) {
        assertThatThrownBy(() -> encode(method, descriptor, SERVICE, arguments))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.outcome()).isEqualTo(outcome))
                .hasMessage(message);
    }

    @Test
    void anObjectIsWrittenFieldByFieldAsItsClassDeclaresThem() throws Exception {
        boolean generic = encode(
                "put",
                "Ljava/lang/String;" + ITEM_DESCRIPTOR,
                SERVICE,
                "[\"key\", {\"colour\":\"GREEN\", \"name\":\"\u4e2d\", \"price\":5, \"count\":3, \"made\":\"2026-11-21T10:00:00Z\","
                        + "\"weight\":1.10, \"image\":\"AQI=\", \"colours\":[\"RED\"], \"parts\":[{\"price\":1},null],"
                        + "\"others\":[{\"name\":\"o\",\"others\":[]}], \"numbers\":[1,2], \"byNumber\":{\"7\":{\"price\":7}},"
                        + "\"tables\":{\"t\":[[1,2]]}, \"anything\":{\"a\":[1]}}]");

        assertThat(generic).isFalse();
        Hessian2Input provider = provider("put", "Ljava/lang/String;" + ITEM_DESCRIPTOR);
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
        encode(
                "put",
                "Ljava/lang/String;" + ITEM_DESCRIPTOR,
                SERVICE,
                "[null, {\"class\":\"" + SPECIAL + "\",\"discount\":0.5}]");
        Hessian2Input provider = provider("put", "Ljava/lang/String;" + ITEM_DESCRIPTOR);
        assertThat(provider.readObject(String.class)).isNull();
        assertThat(((SpecialItem) provider.readObject(Item.class)).discount).isEqualTo(0.5);

        refused(
                Outcome.BAD_ARGUMENT,
                "put",
                "Ljava/lang/String;" + ITEM_DESCRIPTOR,
                "[null, {\"class\":\"javax.script.ScriptEngineManager\"}]",
                "args[1].class: \"javax.script.ScriptEngineManager\" (expected: a class of the service whose fields are all known, as "
                        + ITEM + ")");
    }

    @Test
    void theTypesThatTheCallerLeavesOpenAreTheProviders() throws Exception {
        assertThat(encode("list", MethodName.UNKNOWN_TYPES, SERVICE, "[[{\"name\":\"a\"}]]"))
                .isFalse();
        Hessian2Input provider = provider("list", "Ljava/util/List;");
        List<?> items = (List<?>) provider.readObject(List.class);
        assertThat(((Item) items.get(0)).name).isEqualTo("a");

        assertThat(encode("add", "Ljava/util/List;", SERVICE, "[[1]]")).isFalse();
        assertThat(provider("add", "Ljava/util/List;").readObject(List.class)).isEqualTo(List.of(1L));
    }

    /** Dubbo 2.6 and early versions of 2.7 make an object of any class that is named so. */
    @Test
    void noCallerNamesAClassThatOnlyTheProviderKnows() throws Exception {
        String hostile = "{\"class\":\"javax.script.ScriptEngineManager\"}";
        for (String descriptor : List.of("?", "La/B;", "Ljava/util/List<La/B;>;")) {
            String argument = descriptor.startsWith("Ljava") ? "[[" + hostile + "]]" : "[" + hostile + "]";
            assertThatThrownBy(() -> encode("put", descriptor, null, argument))
                    .isInstanceOfSatisfying(
                            CallException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.BAD_ARGUMENT))
                    .hasMessageContaining("class \"javax.script.ScriptEngineManager\" (expected: none");
        }
        assertThat(encode("put", "?", null, "[{\"class\":\"economy\"},{\"class\":1}]"))
                .isTrue();
    }

    /** apache/dubbo issue 15670. */
    @Test
    void anObjectWithAFloatIsLeftToTheProviderSinceSomeReadersWriteBeyondIt() throws Exception {
        for (String[] row : new String[][] {{"float", "true"}, {"java.lang.Float", "false"}, {"float[]", "false"}}) {
            ServiceDefinition service = new ServiceDefinition(
                    List.of(new MethodDefinition("weigh", List.of("a.Parcel"), "void")),
                    Map.of("a.Parcel", new TypeDefinition("a.Parcel", List.of(), Map.of("weight", row[0]))));
            assertThat(encode("weigh", "?", service, "[{}]")).as(row[0]).isEqualTo(Boolean.parseBoolean(row[1]));
        }
    }

    @Test
    void aBareCollectionIsTheProvidersToFillUnlessTheCallerNamesItSo() throws Exception {
        ServiceDefinition listed = new ServiceDefinition(
                List.of(new MethodDefinition("sum", List.of("java.util.Collection", "java.util.Map[]"), "long")),
                Map.of());
        assertThat(encode("sum", "?", listed, "[[1.50],[]]")).isTrue();
        Hessian2Input provider = provider("$invoke", "Ljava/lang/String;[Ljava/lang/String;[Ljava/lang/Object;");
        provider.readObject(String.class);
        provider.readObject(String[].class);
        assertThat((Object[]) provider.readObject(Object[].class))
                .containsExactly(List.of(new BigDecimal("1.50")), List.of());
        assertThat(encode("sum", "Ljava/util/Collection;[Ljava/util/Map;", listed, "[[1],[]]"))
                .isFalse();
    }

    @Test
    void aGenericClassIsWrittenAsItIsUsed() throws Exception {
        String descriptor = 'L' + PAGE.replace('.', '/') + ';';
        assertThat(encode("show", descriptor, SERVICE, "[{\"entries\":[{\"price\":1}],\"first\":{\"price\":2}}]"))
                .isFalse();
        Page<?> page = (Page<?>) provider("show", descriptor).readObject(Page.class);
        assertThat(((Item) page.entries.get(0)).price).isEqualTo(1);
        assertThat(((Item) page.first).price).isEqualTo(2);
    }

    @Test
    void typeArgumentsOfTheCallerAreKeptFromTheDescriptor() throws Exception {
        encode("any", "Ljava/util/List<Ljava/lang/Long;>;", null, "[[1]]");
        assertThat(provider("any", "Ljava/util/List;").readObject(List.class)).isEqualTo(List.of(1L));

        encode("any", "Ljava/util/Map<Ljava/lang/Long;[Ljava/util/Set<*>;>;", null, "[[[1,[[2]]]]]");
        Map<?, ?> map = (Map<?, ?>) provider("any", "Ljava/util/Map;").readObject(Map.class);
        assertThat((Object[]) map.get(1L)).containsExactly(Set.of(2));
    }

    @Test
    void aMethodThatIsOverloadedIsNotGuessed() {
        refused(
                Outcome.BAD_REQUEST,
                "add",
                "?",
                "[1,2]",
                "method add is overloaded: name the parameter types (expected: one of add(int,int); add(java.util.List<java.lang.Long>))");
    }

    @Test
    void aMethodThatTheServiceDoesNotHaveIsNotFound() {
        refused(
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
        assertThatThrownBy(() -> encode("add", "II[J", SERVICE, "[]"))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.METHOD_NOT_FOUND))
                .hasMessageStartingWith("service a.Shop has no method add(int,int,long[]) (it has: put(");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"price\":\"x\"} | args[1].price: \"x\" (expected: long)",
                "{\"price\":null} | args[1].price: null (expected: long)",
                "{\"count\":40000} | args[1].count: 40000 (expected: short)",
                "{\"colour\":\"BLUE\"} | args[1].colour: \"BLUE\" (expected: COLOUR, one of RED, GREEN)",
                "{\"colours\":[\"RED\",\"BLUE\"]} | args[1].colours[1]: \"BLUE\" (expected: COLOUR, one of RED, GREEN)",
                "{\"others\":[{},{\"parts\":[{\"price\":{}}]}]} | args[1].others[1].parts[0].price: {...} (expected: long)",
                "{\"byNumber\":{\"x\":null}} | args[1].byNumber.x: key \"x\" (expected: java.lang.Integer)",
                "{\"byNumber\":{\"1\":5}} | args[1].byNumber.1: 5 (expected: ITEM)",
                "{\"byNumber\":[[1]]} | args[1].byNumber[0]: [...] (expected: a pair [key, value] of java.util.Map<java.lang.Integer, ITEM>)",
                "{\"made\":\"yesterday\"} | args[1].made: \"yesterday\" (expected: java.util.Date)",
                "[] | args[1]: [...] (expected: ITEM)"
            })
    void whatDoesNotFitIsNamedWithItsPath(String item, String message) {
        refused(
                Outcome.BAD_ARGUMENT,
                "put",
                "?",
                "[\"k\"," + item + "]",
                message.replace("ITEM", ITEM).replace("COLOUR", COLOUR));
    }

    @Test
    void aFieldThatTheClassDoesNotHaveIsRefusedRatherThanLost() {
        refused(
                Outcome.BAD_ARGUMENT,
                "put",
                "?",
                "[\"k\",{\"prise\":1}]",
                "args[1].prise: unknown field (expected: one of "
                        + String.join(", ", itemFields().keySet()) + ")");
    }

    @Test
    void aClassOfWhichNothingIsKnownMakesTheCallGeneric() throws Exception {
        assertThat(encode("put", "La/Car;[JLjava/util/Date;", null, "[{\"a\":[1,null]},[1,2],0]"))
                .isTrue();
        String body =
                "05'2.0.2' 06'a.Shop' 05'0.0.0' 07'$invoke' 30 38'Ljava/lang/String;[Ljava/lang/String;[Ljava/lang/Object;'"
                        + "03'put' 'X' 'I' 00000003 05'a.Car' 06'long[]' 0e'java.util.Date'"
                        + "'X' 'I' 00000003 'H' 01'a' 'X' 'I' 00000002 91 'N' 'Z' 'X' 'I' 00000002 e1 e2 4b 00000000"
                        + "'H' 04'path' 06'a.Shop' 09'interface' 06'a.Shop' 07'generic' 04'true' 07'timeout' 04'5000' 03'_TO' 04'5000' 'Z'";
        assertThat(out.slice(DubboHeader.LENGTH, out.writerIndex() - DubboHeader.LENGTH))
                .isEqualTo(Hex.buffer(body));
    }

    @Test
    void theTypesOfAGenericCallAreLeftOutWhereNobodyKnowsThem() throws Exception {
        assertThat(encode("put", "?", null, "[1,\"a\"]")).isTrue();
        Hessian2Input provider = provider("$invoke", "Ljava/lang/String;[Ljava/lang/String;[Ljava/lang/Object;");
        assertThat(provider.readObject(String.class)).isEqualTo("put");
        assertThat(provider.readObject(String[].class)).isNull();
        assertThat((Object[]) provider.readObject(Object[].class)).isEqualTo(new Object[] {1, "a"});
        assertThat((Map<?, ?>) provider.readObject(Map.class)).hasSize(5);
    }

    @Test
    void aGenericCallLosesNoDigitsAndLeavesKeysOfUnknownTypesAsTheyAre() throws Exception {
        assertThat(encode("put", "Ljava/util/Map<La/Colour;La/Price;>;", null, "[{\"RED\":1.50,\"BLUE\":1.5}]"))
                .isTrue();
        Hessian2Input provider = provider("$invoke", "Ljava/lang/String;[Ljava/lang/String;[Ljava/lang/Object;");
        provider.readObject(String.class);
        assertThat((String[]) provider.readObject(String[].class)).containsExactly("java.util.Map");
        assertThat((Object[]) provider.readObject(Object[].class))
                .containsExactly(Map.of("RED", new BigDecimal("1.50"), "BLUE", 1.5));
    }

    @Test
    void elementsThatHessianHasNoTypeForMakeTheCallGeneric() throws Exception {
        for (String element : Arrays.asList("Short", "Byte", "Float", "Character")) {
            assertThat(encode("any", "Ljava/util/List<Ljava/lang/" + element + ";>;", null, "[[]]"))
                    .isTrue();
            assertThat(encode("any", "[Ljava/lang/" + element + ";", null, "[[]]"))
                    .isFalse();
        }
        assertThat(encode("shorts", "Ljava/util/List;", SERVICE, "[[1]]")).isTrue();
    }

    @Test
    void typeArgumentsOfAClassThatHasNoneChangeNothing() throws Exception {
        encode("any", "Ljava/time/LocalDate<*>;", null, "[\"2026-11-21\"]");
        assertThat(provider("any", "Ljava/time/LocalDate;").readObject(LocalDate.class))
                .isEqualTo(LocalDate.of(2026, 11, 21));
        encode("any", "Ljava/util/List<[Ljava/lang/String<*>;>;", null, "[[[\"a\"]]]");
        List<?> list = (List<?>) provider("any", "Ljava/util/List;").readObject(List.class);
        assertThat((String[]) list.get(0)).containsExactly("a");
    }

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
        Hessian2Input provider = provider("$invoke", "Ljava/lang/String;[Ljava/lang/String;[Ljava/lang/Object;");
        provider.readObject(String.class);
        provider.readObject(String[].class);
        return (Object[]) provider.readObject(Object[].class);
    }

    @Test
    void anObjectWithFieldsOfUnknownTypesIsTheProvidersToMake() throws Exception {
        String box = "{\"item\":{\"price\":2},\"shape\":{\"radius\":1}}";
        assertThat(encode("keep", "?", boxes(), "[{\"price\":1}," + box + "]")).isTrue();

        assertThat(ByteBufUtil.hexDump(out)).doesNotContain("4d05" + ByteBufUtil.hexDump("a.Box".getBytes(UTF_8)));
        Object[] arguments = argumentsOfGenericCall();
        assertThat(((Item) arguments[0]).price).isEqualTo(1);
        Map<?, ?> made = (Map<?, ?>) arguments[1];
        assertThat(made.get("class")).isEqualTo("a.Box");
        assertThat(((Item) made.get("item")).price).isEqualTo(2);
        assertThat(made.get("shape")).isEqualTo(Map.of("radius", 1));
    }

    @Test
    void arraysOfUnknownTypesAreTheProvidersToMake() throws Exception {
        assertThat(encode("keepAll", "?", boxes(), "[[[\"RED\"]]]")).isTrue();

        assertThat(argumentsOfGenericCall()).containsExactly(List.of(List.of("RED")));
        assertThat(ByteBufUtil.hexDump(out)).doesNotContain(ByteBufUtil.hexDump("[a.Colour".getBytes(UTF_8)));
    }

    @Test
    void aNativeCallTakesNoSubclassWithFieldsOfUnknownTypes() {
        assertThatThrownBy(
                        () -> encode("put", "?", boxes(), "[{\"class\":\"" + SPECIAL + "\",\"shape\":{\"radius\":1}}]"))
                .isInstanceOf(CallException.class)
                .hasMessage("args[0].class: \"" + SPECIAL + "\" (expected: a class of the service whose fields are all"
                        + " known, as " + ITEM + ")");
    }

    @Test
    void aLongChainOfClassesTakesNoStack() throws Exception {
        Map<String, TypeDefinition> chain = new LinkedHashMap<>();
        for (int i = 0; i < 10_000; i++) {
            String name = "a.C" + i;
            chain.put(name, new TypeDefinition(name, List.of(), Map.of("next", "a.C" + (i + 1))));
        }
        chain.put("a.C10000", new TypeDefinition("a.C10000", List.of(), Map.of("end", "int")));
        ServiceDefinition service =
                new ServiceDefinition(List.of(new MethodDefinition("put", List.of("a.C0"), "void")), chain);
        assertThat(encode("put", "La/C0;", service, "[{\"next\":{}}]")).isFalse();
    }

    @Test
    void typeArgumentsMayBeThirtyTwoDeep() throws Exception {
        String descriptor = "Ljava/util/List<".repeat(32) + "Ljava/lang/Long;" + ">;".repeat(32);
        assertThat(encode("any", descriptor, null, "[" + "[".repeat(32) + "1" + "]".repeat(32) + "]"))
                .isFalse();
        refused(
                Outcome.BAD_REQUEST,
                "any",
                "Ljava/util/List<".repeat(33) + "Ljava/lang/Long;" + ">;".repeat(33),
                "[]",
                "parameter types: \"Ljava/util/List<Ljava/util/List<Ljava/util/List<Ljava/util/List<...\" (expected: JVM"
                        + " descriptors, as Ljava/lang/String;I[J)");
    }

    @Test
    void anObjectMayNotNameAClassThatIsNoSubclass() {
        assertThatThrownBy(() -> encode("keep", "?", boxes(), "[{\"class\":\"a.Box\"},null]"))
                .isInstanceOf(CallException.class)
                .hasMessageStartingWith("args[0].class: \"a.Box\" (expected: ");
    }

    @Test
    void aNameInAPathIsNotShownInFullLength() {
        assertThatThrownBy(() -> encode("put", "?", SERVICE, "[null,{\"" + "x".repeat(10_000) + "\\n\":1}]"))
                .isInstanceOf(CallException.class)
                .hasMessageStartingWith("args[1]." + "x".repeat(64) + "...: unknown field");
    }
}
