package io.dubbomesh.protocol.request;

import com.alibaba.com.caucho.hessian.io.Hessian2Input;
import com.alibaba.fastjson2.annotation.JSONField;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.definition.ClassDefinitions;
import io.dubbomesh.protocol.definition.ClassHierarchy;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.hessian.HessianLite;
import io.dubbomesh.protocol.jsonb.Fastjson2;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.lang.annotation.RetentionPolicy;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Properties;
import java.util.Queue;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Arguments of classes whose class files are known, as hessian-lite reads what a method declares. */
class KnownClassesTest {
    interface Service {
        void spelled(Spelled spelled);

        void result(Result<HashMap<Long, String>> result);

        void anyResult(Result<? extends Serializable> result, Serializable value);

        void comparable(Comparable<?> value, Number number);

        void query(List<Query> queries);

        void mixed(Mixed mixed);

        void annotated(Annotated annotated);

        void recorded(Entry entry, Query query);

        void elements(List<UUID> keys, List<Timestamp> times, Map<UUID, Duration> byKey, List<String> texts);

        void unmade(
                Optional<String> optional,
                EnumMap<RetentionPolicy, Long> map,
                AtomicLong number,
                Iterator<Long> iterator);

        void stamps(Stamps stamps, Items<UUID> items);

        void texts(StringBuilder builder, List<File> files, CharSequence text);

        void attrs(Attrs<Long> attrs, AttrsHolder holder, List<Attrs<Long>> list);

        void sorted(Sorted sorted, NavigableMap<String, Integer> map, Queue<Long> queue);
    }

    public static class Spelled implements Serializable {
        private static final long serialVersionUID = 1L;
        boolean isDeleted;
        String URL;
    }

    public static class Attrs<T> extends HashMap<String, Object> {
        private static final long serialVersionUID = 1L;
    }

    public static class AttrsHolder implements Serializable {
        private static final long serialVersionUID = 1L;
        Attrs<String> attrs;
    }

    public static class Result<T extends Serializable> implements Serializable {
        private static final long serialVersionUID = 1L;
        int code;
        T module;
    }

    public static class Query implements Serializable {
        private static final long serialVersionUID = 1L;
        int page = 1;
        List<String> tags = List.of("x");
        String name;
    }

    public record Entry(Grade grade, Query query) implements Serializable {}

    public static class Annotated implements Serializable {
        private static final long serialVersionUID = 1L;

        @JSONField(name = "nm")
        String name;
    }

    public static class Items<T> implements Serializable {
        private static final long serialVersionUID = 1L;
        List<T> items;
        T first;
    }

    public static class Keys extends Items<UUID> {
        private static final long serialVersionUID = 1L;
    }

    public static class Stamps implements Serializable {
        private static final long serialVersionUID = 1L;
        List<UUID> list;
        Map<String, Timestamp> byName;
        List<Timestamp> times;
        Keys keys;
        Items<UUID> items;
    }

    public enum Grade {
        LOW
    }

    public static class Mixed implements Serializable {
        private static final long serialVersionUID = 1L;
        int page = 1;
        TreeMap<String, Integer> tree;
        NavigableMap<Grade, Integer> byGrade;
        Timestamp at;
        Attrs<Long> attrs;
        Result<HashMap<Long, String>> result;
    }

    public static class Sorted implements Serializable {
        private static final long serialVersionUID = 1L;
        TreeMap<String, Integer> tree;
        ConcurrentMap<String, Integer> concurrent;
        Deque<Long> deque;
        Properties properties;
    }

    private final ByteBuf in = Unpooled.buffer();
    private final ByteBuf out = Unpooled.buffer();

    private static byte[] find(String className) throws IOException {
        try (InputStream in =
                KnownClassesTest.class.getResourceAsStream('/' + className.replace('.', '/') + ".class")) {
            return in == null ? null : in.readAllBytes();
        }
    }

    /** @return whether the call is generic */
    private boolean encode(String method, String arguments) throws Exception {
        return encode(Serialization.HESSIAN2, method, arguments);
    }

    private boolean encode(Serialization serialization, String method, String arguments) throws Exception {
        ServiceDefinition service =
                ClassDefinitions.of(Service.class.getName(), new ClassHierarchy(KnownClassesTest::find));
        in.clear().writeCharSequence(arguments, UTF_8);
        MethodName name = new MethodName("a.Service", method, MethodName.UNKNOWN_TYPES, "", "");
        DubboRequest request = DubboRequest.prepare(name, serialization, service);
        return request.encode(
                out.clear(),
                7,
                false,
                new CallArguments().json(in, 0, in.writerIndex()).timeLeftMs(5000));
    }

    /** Returns the provider's reader, after the names. */
    private Hessian2Input provider() throws Exception {
        Hessian2Input provider =
                HessianLite.reader(out.slice(DubboHeader.LENGTH, out.writerIndex() - DubboHeader.LENGTH));
        for (int i = 0; i < 5; i++) {
            provider.readString();
        }
        return provider;
    }

    private void refused(String method, String arguments, String message) {
        assertThatThrownBy(() -> encode(method, arguments))
                .isInstanceOf(CallException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource({"isDeleted, URL", "deleted, uRL"})
    void aFieldMayHaveTheNameOfItsProperty(String flag, String url) throws Exception {
        assertThat(encode("spelled", "[{\"" + flag + "\":true,\"" + url + "\":\"u\"}]"))
                .isFalse();

        Spelled spelled = (Spelled) provider().readObject(Spelled.class);
        assertThat(spelled.isDeleted).isTrue();
        assertThat(spelled.URL).isEqualTo("u");
    }

    @Test
    void aFieldIsGivenOnce() {
        refused(
                "spelled",
                "[{\"isDeleted\":true,\"deleted\":false}]",
                "args[0].deleted: the field a second time (expected: each once, by its name isDeleted or that of its"
                        + " property)");
    }

    @Test
    void aClassThatExtendsAMapIsWrittenAsAMapOfIt() throws Exception {
        assertThat(encode("attrs", "[{\"k\":\"v\"},{\"attrs\":{\"a\":1}},[{\"b\":[2]}]]"))
                .isFalse();

        Hessian2Input provider = provider();
        assertThat(provider.readObject(Attrs.class)).isInstanceOf(Attrs.class).isEqualTo(Map.of("k", "v"));
        AttrsHolder holder = (AttrsHolder) provider.readObject(AttrsHolder.class);
        assertThat(holder.attrs).isEqualTo(Map.of("a", 1));
        assertThat((List<?>) provider.readObject(List.class))
                .singleElement()
                .isInstanceOf(Attrs.class)
                .isEqualTo(Map.of("b", List.of(2)));
    }

    @Test
    void aFieldOfATypeVariableWithABoundNamesTheClassOfItsValue() throws Exception {
        assertThat(encode("result", "[{\"code\":1,\"module\":{\"1\":\"a\"}}]")).isFalse();

        Result<?> result = (Result<?>) provider().readObject(Result.class);
        assertThat(result.module).isEqualTo(Map.of(1L, "a"));
    }

    @Test
    void aValueOfATypeThatIsOnlyABoundIsOfTheClassThatItsJsonSuggests() throws Exception {
        assertThat(encode("anyResult", "[{\"module\":[1,\"a\"]},{\"k\":{\"a\":1}}]"))
                .isFalse();

        Hessian2Input provider = provider();
        assertThat(((Result<?>) provider.readObject(Result.class)).module).isEqualTo(List.of(1, "a"));
        assertThat(provider.readObject(Serializable.class)).isEqualTo(Map.of("k", Map.of("a", 1)));
    }

    @Test
    void onlyAValueThatIsComparableIsTakenForAComparable() throws Exception {
        assertThat(encode("comparable", "[\"x\",1.5]")).isFalse();
        Hessian2Input provider = provider();
        assertThat(provider.readObject(Comparable.class)).isEqualTo("x");
        assertThat(provider.readObject(Number.class)).isEqualTo(1.5);

        refused("comparable", "[[1],1]", "args[0]: [...] (expected: java.lang.Comparable)");
        refused("comparable", "[1,\"1\"]", "args[1]: \"1\" (expected: java.lang.Number)");
    }

    /** Hessian-lite makes some collections and maps only if the value names a class. */
    @Test
    void theClassOfACollectionIsNamedWhereItsReaderWouldMakeNone() throws Exception {
        assertThat(encode(
                        "sorted",
                        "[{\"tree\":{\"b\":1,\"a\":2},\"concurrent\":{\"a\":1},\"deque\":[1,2],\"properties\":{\"a\":\"b\"}},"
                                + "{\"c\":1},[3]]"))
                .isFalse();

        Hessian2Input provider = provider();
        Sorted sorted = (Sorted) provider.readObject(Sorted.class);
        assertThat(sorted.tree).isEqualTo(Map.of("a", 2, "b", 1));
        assertThat(sorted.concurrent).isEqualTo(Map.of("a", 1));
        assertThat(sorted.deque).containsExactly(1L, 2L);
        assertThat(sorted.properties).isEqualTo(Map.of("a", "b"));
        assertThat(provider.readObject(NavigableMap.class))
                .isInstanceOf(NavigableMap.class)
                .isEqualTo(Map.of("c", 1));
        assertThat(provider.readObject(Queue.class)).isInstanceOf(Queue.class).isEqualTo(List.of(3L));
    }

    /** The reader of Dubbo 3.3 makes objects without their constructors. */
    @Test
    void anObjectWithoutAFieldThatItsConstructorAssignsIsLeftToTheProvider() throws Exception {
        assertThat(encode("query", "[[{\"page\":2,\"tags\":null}]]")).isFalse();
        Query query = (Query) ((List<?>) provider().readObject(List.class)).get(0);
        assertThat(query.page).isEqualTo(2);
        assertThat(query.tags).isNull();

        assertThat(encode("query", "[[{\"page\":2,\"tags\":[],\"name\":\"n\"},{\"page\":3,\"name\":null}]]"))
                .isTrue();
        Hessian2Input provider = provider();
        provider.readString();
        provider.readObject(String[].class);
        Map<String, Object> withoutTags = new HashMap<>(Map.of("class", Query.class.getName(), "page", 3));
        withoutTags.put("name", null);
        assertThat((Object[]) provider.readObject(Object[].class))
                .containsExactly(List.of(
                        Map.of("class", Query.class.getName(), "page", 2, "tags", List.of(), "name", "n"),
                        withoutTags));
    }

    @Test
    void whatNoProviderMakesIsRefusedWithThatReason() throws Exception {
        assertThat(encode("unmade", "[null,null,null,null]")).isTrue();
        refused("unmade", "[\"x\",null,null,null]", "args[0]: \"x\"" + unmade("Optional"));
        refused("unmade", "[null,{\"CLASS\":1},null,null]", "args[1]: {...}" + unmade("EnumMap"));
        refused("unmade", "[null,null,5,null]", "args[2]: 5" + unmade("concurrent.atomic.AtomicLong"));
        refused("unmade", "[null,null,null,[1]]", "args[3]: [...]" + unmade("Iterator"));
    }

    /** A generic call hands the text to the method, and Dubbo 2.7 fails to call it: 500. */
    @Test
    void aClassOfTheJdkThatStandsForATextIsRefusedUnlessATextIsOne() throws Exception {
        refused("texts", "[\"x\",null,null]", "args[0]: \"x\"" + unmadeOfJdk("lang.StringBuilder"));
        refused("texts", "[null,[null,\"/a\"],null]", "args[1][1]: \"/a\"" + unmadeOfJdk("io.File"));
        assertThat(encode("texts", "[null,[null],\"x\"]")).isTrue();
    }

    private static String unmade(String className) {
        return unmadeOfJdk("util." + className);
    }

    private static String unmadeOfJdk(String className) {
        return " (expected: null, since no version of Dubbo makes a java." + className + " of what it is sent)";
    }

    /** Dubbo 2.7 converts a map to none but a HashMap, but one that is a TreeMap to such. */
    @Test
    void aMapThatTheProviderConvertsIsOfTheClassThatIsDeclared() throws Exception {
        assertThat(encode("mixed", "[{\"tree\":{\"b\":1,\"a\":2},\"byGrade\":{\"LOW\":1}}]"))
                .isTrue();

        Hessian2Input provider = provider();
        provider.readString();
        provider.readObject(String[].class);
        Map<?, ?> mixed = (Map<?, ?>) ((Object[]) provider.readObject(Object[].class))[0];
        assertThat(mixed.get("tree")).isInstanceOf(TreeMap.class).isEqualTo(Map.of("a", 2, "b", 1));
        assertThat(mixed.get("byGrade")).isInstanceOf(TreeMap.class).isEqualTo(Map.of("LOW", 1));
    }

    @Test
    void whatAGenericCallWouldLoseIsRefused() {
        refused(
                "mixed",
                "[{\"result\":{\"module\":{\"1\":\"a\"}}}]",
                "args[0].result.module: {...} (expected: no object: of one for java.io.Serializable, Dubbo's generic call"
                        + " makes a proxy without values)");
        refused(
                "mixed",
                "[{\"attrs\":{\"k\":1}}]",
                "args[0].attrs: {...} (expected: null, since a generic call of Dubbo makes no " + Attrs.class.getName()
                        + ", and another part of this call makes it generic)");
    }

    /** In fastjson2 it would be a {@link java.util.Date} for the provider that converts, and no Timestamp. */
    @Test
    void aTimestampThatTheProviderConvertsHasItsClass() throws Exception {
        String at = "[{\"at\":\"2026-11-21T10:00:00Z\"}]";
        assertThat(encode(Serialization.FASTJSON2, "mixed", at)).isTrue();
        assertThat(out.toString(ISO_8859_1)).contains("at\u0092[java.sql.Timestamp");
    }

    /** It would make text or a Date of what has none: of elements it knows no class. */
    @Test
    void elementsHaveTheirClassByFastjson2() throws Exception {
        String key = "\"0f8fad5b-d9cb-469f-a165-70867728950e\"";
        assertThat(encode(
                        Serialization.FASTJSON2,
                        "elements",
                        "[[" + key + "],[\"2026-11-21T10:00:00Z\",null],{" + key + ":\"PT5M\"},[\"x\"]]"))
                .isFalse();
        assertThat(out.toString(ISO_8859_1))
                .contains("java.util.UUID", "java.sql.Timestamp", "java.time.Duration")
                .contains("\u00a4H\0\0\0\1Jx");
        ByteBuf sent = out.slice(DubboHeader.LENGTH, out.writerIndex() - DubboHeader.LENGTH);
        for (int i = 0; i < 7; i++) {
            sent.skipBytes(sent.readInt());
        }
        assertThat((Object) Fastjson2.read(sent.readSlice(sent.readInt()), Map.class))
                .isEqualTo(Map.of(UUID.fromString("0f8fad5b-d9cb-469f-a165-70867728950e"), Duration.ofMinutes(5)));
    }

    /** It knows them in an object's fields, and takes none that names its class. A generic class does not tell them. */
    @Test
    void elementsInFieldsHaveNoClassByFastjson2UnlessAClassIsGeneric() throws Exception {
        UUID key = UUID.fromString("0f8fad5b-d9cb-469f-a165-70867728950e");
        Timestamp time = Timestamp.from(Instant.parse("2026-11-21T10:00:00Z"));
        String items = "{\"items\":[\"" + key + "\"],\"first\":\"" + key + "\"}";
        String times = "\"byName\":{\"a\":\"2026-11-21T10:00:00Z\"},\"times\":[\"2026-11-21T10:00:00Z\"]";
        String stamps = "{\"list\":[\"" + key + "\"]," + times + ",\"keys\":" + items + ",\"items\":" + items + "}";

        assertThat(encode(Serialization.FASTJSON2, "stamps", "[" + stamps + "," + items + "]"))
                .isFalse();
        ByteBuf sent = out.slice(DubboHeader.LENGTH, out.writerIndex() - DubboHeader.LENGTH);
        for (int i = 0; i < 5; i++) {
            sent.skipBytes(sent.readInt());
        }
        Stamps read = Fastjson2.read(sent.readSlice(sent.readInt()), Stamps.class);
        assertThat(read.list).containsExactly(key);
        assertThat(read.byName).isEqualTo(Map.of("a", time));
        assertThat(read.times).containsExactly(time);
        for (Items<?> each :
                List.of(read.keys, read.items, Fastjson2.read(sent.readSlice(sent.readInt()), Items.class))) {
            assertThat((Object) each.items).isEqualTo(List.of(key));
            assertThat((Object) each.first).isEqualTo(key);
        }
    }

    /** No provider makes a record of a map, so its reader does, and what is in it. */
    @Test
    void aRecordIsWrittenNativelyBesideAnObjectThatTheProviderMakes() throws Exception {
        assertThat(encode("recorded", "[{\"grade\":\"LOW\",\"query\":null},{\"name\":\"n\"}]"))
                .isTrue();
        String name = Entry.class.getName();
        assertThat(out.toString(ISO_8859_1))
                .contains("C0" + (char) name.length() + name + "\u0092\u0005grade\u0005query")
                .contains("\u0005class0" + (char) Query.class.getName().length() + Query.class.getName());
        refused(
                "recorded",
                "[{\"query\":{\"name\":\"n\"}},null]",
                "args[0].query: {...} (expected: also the field page, since it is in a record and no generic call makes"
                        + " records)");
    }

    /** A provider with fastjson2 would read the field {@code nm}, and drop {@code name}. */
    @Test
    void anObjectIsLeftToTheProviderIfAnnotationsMayNameItsFieldsForTheReader() throws Exception {
        assertThat(encode("annotated", "[{\"name\":\"x\"}]")).isFalse();
        assertThat(encode(Serialization.FASTJSON, "annotated", "[{\"name\":\"x\"}]"))
                .isTrue();
        assertThat(encode(Serialization.FASTJSON2, "annotated", "[{\"name\":\"x\"}]"))
                .isTrue();
        assertThat(encode(Serialization.FASTJSON2, "query", "[[{\"page\":1,\"tags\":[]}]]"))
                .isFalse();
    }
}
