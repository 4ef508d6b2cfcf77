package io.dubbomesh.consumer.openapi;

import io.dubbomesh.client.definition.SourceFiles;
import io.dubbomesh.client.method.ServiceDescriptionWriter;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.definition.DefinitionSource;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.javadoc.ServiceTexts;
import io.dubbomesh.protocol.schema.SchemaForms;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class OpenApiDocumentTest {
    private static final OpenApiSettings SETTINGS =
            new OpenApiSettings(60_000, false, DescriptionFile.open(null), SourceFiles.NONE);
    private static final String STREAM = "{\"schema\":{\"type\":\"string\"},"
            + "\"x-dubbo-message\":{\"type\":[\"integer\",\"null\"],\"format\":\"int64\","
            + "\"minimum\":-9223372036854775808,\"maximum\":9223372036854775807}}";
    private static final int MEGABYTE = 1 << 20;

    private static Document write(SchemaForms forms, List<Described> services) throws IOException {
        try (Document.Output out = new Document.Output(MEGABYTE / 4)) {
            new OpenApiDocument(SETTINGS, forms, ServiceTexts.NONE).write(services, "1", out);
            return out.document();
        }
    }

    private static String text(Document document) {
        return new String(document.toBytes(), UTF_8);
    }

    /** The size that issue trackers ask for, with room in what is kept of documents. */
    @Test
    @Timeout(20)
    void threeHundredServicesOfTwentyMethodsAreAFewMegabytes() throws Exception {
        List<Described> services = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            services.add(service("com.example.services.Service" + i, 20, 5, 10));
        }

        Document document = write(SchemaForms.CANONICAL, services);

        assertThat(document.length()).isBetween(4 * MEGABYTE, 10 * MEGABYTE);
        assertThat(document.bytes()).hasSizeLessThan(MEGABYTE);
        assertThat(text(document)).contains("\"/com.example.services.Service299/method19\"");
    }

    @Test
    @Timeout(20)
    void aServiceMayHaveTwoThousandMethodsAndTypesOfTenThousandFields() throws Exception {
        Described service = service("com.example.Large", 2000, 2, 10_000);

        String document = text(write(SchemaForms.ALL, List.of(service)));

        assertThat(document).contains("\"Large_method1999\"").contains("\"field9999\"");
    }

    @Test
    void namesThatPathsAndNamesCannotHaveAreWrittenOtherwise() throws Exception {
        ServiceDefinition service = new ServiceDefinition(
                List.of(
                        new MethodDefinition("a{b}", List.of(), "void"),
                        new MethodDefinition("a}b{", List.of(), "void"),
                        new MethodDefinition("$get", List.of(), "a.Sm\u00f8rrebr\u00f8d")),
                Map.of("a.Sm\u00f8rrebr\u00f8d", new TypeDefinition("a.Sm\u00f8rrebr\u00f8d", List.of(), Map.of())));

        String document = text(write(SchemaForms.CANONICAL, List.of(described("a.B\u00e9", service))));

        assertThat(document)
                .contains("\"/a.B%C3%A9/a%7Bb%7D\"", "\"/a.B%C3%A9/$get\"")
                .contains("\"B__.get\"", "\"B__a_b_\"", "\"B__a_b_-2\"")
                .contains("\"#/components/schemas/Sm_rrebr_d\"");
    }

    @Test
    void aStreamIsATextOfEventsOrLinesAndWhatTakesOneIsLeftOut() throws Exception {
        String observer = "org.apache.dubbo.common.stream.StreamObserver<java.lang.Long>";
        Described service = described(
                "a.B",
                new ServiceDefinition(
                        List.of(
                                new MethodDefinition("list", List.of("int"), observer),
                                new MethodDefinition("mixed", List.of(), observer),
                                new MethodDefinition("mixed", List.of("int"), "java.lang.String"),
                                new MethodDefinition("chat", List.of(observer), observer)),
                        Map.of()));

        String all = text(write(SchemaForms.ALL, List.of(service)));
        String streams = "\"text/event-stream\":" + STREAM + ",\"application/x-ndjson\":" + STREAM + '}';
        assertThat(all)
                .doesNotContain("chat")
                .contains("\"stream java.lang.Long list(int)\"", "\"content\":{" + streams)
                .containsPattern(
                        "\"content\":\\{\"application/json\":\\{\"schema\":\\{[^{}]*}}," + Pattern.quote(streams));

        String canonical = text(write(SchemaForms.CANONICAL, List.of(service)));
        assertThat(canonical)
                .contains("\"text/event-stream\":{\"schema\":{\"type\":\"string\"}}")
                .doesNotContain("x-dubbo-message", "StreamObserver");
    }

    @Test
    void documentsAreKeptUntilADescriptionChanges() throws Exception {
        try (Documents documents = new Documents(SETTINGS)) {
            List<Described> services = List.of(service("a.B", 2, 1, 1));
            Document first = make(documents, services);

            assertThat(make(documents, List.of(service("a.B", 2, 1, 1)))).isEqualTo(first);
            assertThat(make(documents, List.of(service("a.B", 2, 1, 2)))).isNotEqualTo(first);
            assertThat(make(
                            documents,
                            List.of(
                                    services.get(0),
                                    Described.not(
                                            new MethodName("a.C", "", "", "", ""), Outcome.NOT_FOUND, "not known"))))
                    .isNotEqualTo(first);
        }
    }

    @Test
    void aDescriptionThatIsNoneMakesNoDocument() throws Exception {
        try (Documents documents = new Documents(SETTINGS)) {
            for (String text : List.of("", "[]", "{", "{\"methods\":[{\"name\":1}]}", "{\"types\":[]}", "null")) {
                Described service = Described.by(new MethodName("a.B", "", "", "", ""), text.getBytes(UTF_8));
                CompletableFuture<Object> made = new CompletableFuture<>();
                documents.make(key(List.of(service), SchemaForms.ALL), List.of(service), made::complete);
                made.get(10, TimeUnit.SECONDS);
            }
        }
    }

    private static DocumentKey key(List<Described> services, SchemaForms forms) {
        return new DocumentKey(services.stream().map(Described::name).toList(), true, forms);
    }

    private static Document make(Documents documents, List<Described> services) throws Exception {
        CompletableFuture<Document> made = new CompletableFuture<>();
        assertThat(documents.make(key(services, SchemaForms.CANONICAL), services, made::complete))
                .isTrue();
        return made.get(10, TimeUnit.SECONDS);
    }

    private static Described service(String name, int methods, int types, int fields) {
        Map<String, TypeDefinition> definitions = new HashMap<>();
        for (int i = 0; i < types; i++) {
            Map<String, String> ofType = new LinkedHashMap<>();
            for (int j = 0; j < fields; j++) {
                ofType.put("field" + j, j % 2 == 0 ? "java.lang.String" : "long");
            }
            String type = name + "Type" + i;
            definitions.put(type, new TypeDefinition(type, List.of(), ofType));
        }
        List<MethodDefinition> all = new ArrayList<>();
        for (int i = 0; i < methods; i++) {
            String type = name + "Type" + i % types;
            all.add(new MethodDefinition(
                    "method" + i, List.of("java.lang.String", type), "java.util.List<" + type + ">"));
        }
        return described(name, new ServiceDefinition(all, definitions, DefinitionSource.METADATA_REPORT));
    }

    private static Described described(String name, ServiceDefinition service) {
        MethodName described = new MethodName(name, MethodName.DESCRIBE, "", "", "");
        ByteBuf description = Unpooled.buffer();
        ServiceDescriptionWriter.write(description, described, service);
        return Described.by(described, ByteBufUtil.getBytes(description));
    }
}
