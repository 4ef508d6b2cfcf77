package io.dubbomesh.consumer;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.runtime.json.Json;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.ProviderPeer;
import io.netty.buffer.ByteBufUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class OpenApiTest extends AgentTest {
    private static final String SHOP = """
            {"interface":"a.Shop","version":"","group":"","source":"class files","methods":[
            {"name":"buy","parameterTypes":["a.Order"],"returnType":"long","descriptor":"La/Order;"},
            {"name":"find","parameterTypes":["java.lang.String","int"],"returnType":"java.util.List<a.Order>",\
            "descriptor":"Ljava/lang/String;I","parameterNames":["text","most"]},
            {"name":"find","parameterTypes":["long"],"returnType":"a.Order","descriptor":"J"},
            {"name":"count","parameterTypes":[],"returnType":"void","descriptor":""}],
            "types":{"a.Order":{"fields":{"item":"java.lang.String","colour":"a.Colour"}},\
            "a.Colour":{"constants":["RED","GREEN"]}},"new member":[{}]}""";

    private static final String STORE = """
            {"interface":"b.Store","version":"1.0","group":"g","source":"class files","methods":[
            {"name":"put","parameterTypes":["a.Order"],"returnType":"void","descriptor":"La/Order;"}],
            "types":{"a.Order":{"fields":%s},"a.Colour":{"constants":["RED","GREEN"]}}}""";

    private static final String SAME_FIELDS = "{\"item\":\"java.lang.String\",\"colour\":\"a.Colour\"}";

    @Test
    void aServiceHasADocumentForThoseThatAcceptOne() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);

        HttpSocket client = client();
        HttpAnswer answer = described(
                client, "GET /a.Shop HTTP/1.1\r\nHost: a\r\nAccept: application/openapi+json\r\n\r\n", provider, SHOP);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers()).containsEntry("content-type", "application/openapi+json");
        Map<?, ?> document = document(answer);
        assertThat(member(document, "info", "title")).isEqualTo("Shop");
        assertThat(((Map<?, ?>) document.get("paths")).keySet())
                .hasToString("[/a.Shop/buy, /a.Shop/count, /a.Shop/find]");
        assertThat(member(document, "paths", "/a.Shop/buy", "post", "operationId"))
                .isEqualTo("Shop_buy");
        assertThat(member(document, "paths", "/a.Shop/buy", "post", "requestBody", "content", "application/json"))
                .hasToString("{schema={$ref=#/components/schemas/Order-Input}}");
        assertThat(member(document, "paths", "/a.Shop/find", "post", "requestBody", "content", "application/json")
                        .toString())
                .startsWith("{schema={type=array, items={}, x-dubbo-overloads=[{type=object, properties={text={")
                .contains("required=[text, most]");
        assertThat(member(document, "paths", "/a.Shop/find", "post", "parameters")
                        .toString())
                .contains("X-Dubbo-Parameter-Types")
                .contains("enum=[java.lang.String, int, long]");
        assertThat(((Map<?, ?>) member(document, "components", "schemas")).keySet())
                .hasToString("[Order-Input, Order, Colour, Problem]");
        assertThat(answer.text())
                .contains("#/components/responses/400-NoArguments")
                .doesNotContain("bearer");
    }

    /** What generators of typed clients make no good code of is in the document of all forms alone. */
    @Test
    void theDocumentOfAllFormsHasMoreThanTypedClientsCanUse() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        HttpAnswer canonical =
                described(client, "GET /openapi.json?service=a.Shop HTTP/1.1\r\nHost: a\r\n\r\n", provider, SHOP);
        HttpAnswer all = described(
                client, "GET /openapi.json?service=a.Shop&forms=all HTTP/1.1\r\nHost: a\r\n\r\n", provider, SHOP);

        assertThat(all.text()).contains("{\"code\":{\"enum\":[");
        assertThat(member(document(all), "paths", "/a.Shop/buy", "get", "operationId"))
                .isEqualTo("Shop_buy-description");
        assertThat(canonical.text())
                .doesNotContain("{\"code\":{\"enum\":[", "\"get\":")
                .contains("\"Bad Request: BAD_ARGUMENT, BAD_REQUEST, VALIDATION_FAILED\"");
        assertThat(member(document(all), "components", "parameters", "Attachments")
                        .toString())
                .contains("content=");
        assertThat(member(document(canonical), "components", "parameters", "Attachments")
                        .toString())
                .contains("schema={type=string}");
        assertThat(member(document(all), "paths", "/a.Shop/find", "post", "requestBody")
                        .toString())
                .contains("properties={text={")
                .contains("required=[text, most]");
        Map<?, ?> count = (Map<?, ?>) member(document(canonical), "paths", "/a.Shop/count", "post");
        assertThat(count.get("requestBody")).isNull();
        assertThat(member(count, "responses", "200")).hasToString("{description=The result}");
    }

    /** 202 comes before the arguments are looked at, so that no schema could tell what is accepted. */
    @Test
    void noDocumentHasCallsOneWay() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        for (String forms : List.of("canonical", "all")) {
            assertThat(described(client, get("/openapi.json?service=a.Shop&forms=" + forms), provider, SHOP)
                            .text())
                    .doesNotContainIgnoringCase("oneway")
                    .doesNotContain("\"202\"");
        }
    }

    @Test
    void theSameQuestionHasTheSameAnswer() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        String first = described(client, get("/openapi.json?service=a.Shop"), provider, SHOP)
                .text();

        // The provider is not asked again at once.
        assertThat(client.call(get("/openapi.json?service=a.Shop")).text()).isEqualTo(first);
        assertThat(described(client, get("/openapi.json?service=a.Shop&forms=all"), provider, SHOP)
                        .text())
                .isNotEqualTo(first);
    }

    @Test
    void thoseWhoAskForTheSameDocumentAtTheSameTimeShareIt() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket first = client();
        HttpSocket second = client();

        first.send(get("/openapi.json?service=a.Shop"));
        ProviderPeer.Received request = provider.next();
        second.send(get("/openapi.json?service=a.Shop"));
        // Another document has to wait; its refusal comes after the second client has joined.
        client().call(get("/openapi.json?service=a.Other")).assertProblem(503, "OVERLOADED");
        provider.answer(request, 0, Flags.JSON, SHOP);

        assertThat(first.answer().text()).isEqualTo(second.answer().text());
        assertThat(provider.hasNone()).isTrue();
    }

    @Test
    void aClientThatHasLeftKeepsNoOtherFromItsDocument() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket first = client();
        HttpSocket second = client();

        first.send(get("/openapi.json?service=a.Silent"));
        assertThat(provider.next().body()).contains(ByteBufUtil.hexDump("a.Silent".getBytes(UTF_8)));
        first.closeByReset();
        Await.until("the client's end", () -> scrape().sum("dubbomesh_consumer_requests_abandoned_total") > 0);

        second.send(get("/openapi.json?service=a.Shop"));
        provider.answer(provider.next(), 0, Flags.JSON, SHOP);
        assertThat(second.answer().status()).isEqualTo(200);
    }

    /** Without it, services that do not answer would be asked for in rounds, each until its own deadline. */
    @Test
    void aDocumentHasWhatIsDescribedUntilItsDeadline(@TempDir Path directory) throws Exception {
        ProviderPeer provider = provider(180);
        for (int i = 0; i < 70; i++) {
            register(directory, "a.S" + i, provider, "{\"weight\":1}");
        }
        startWithRegistry(Map.of(), "file:" + directory);
        HttpSocket client = client();

        client.send(get("/openapi.json"));
        Map<?, ?> document = document(client.answer());

        assertThat((Map<?, ?>) document.get("x-dubbo-undescribed")).hasSize(70);
        assertThat(document.toString()).contains("not described within 5000 ms");
    }

    @Test
    void allServicesThatAreRegisteredAreInOneDocument(@TempDir Path directory) throws Exception {
        ProviderPeer provider = provider(180);
        register(directory, "a.Shop", provider, "{\"weight\":1}");
        register(directory, "b.Store", provider, "{\"weight\":1,\"variants\":[{\"version\":\"1.0\",\"group\":\"g\"}]}");
        register(directory, "c.Silent", provider, "{\"weight\":1}");
        startWithRegistry(Map.of(), "file:" + directory);

        HttpSocket client = client();
        client.send(get("/openapi.json"));
        answer(provider, STORE.formatted(SAME_FIELDS), 3);
        Map<?, ?> document = document(client.answer());

        assertThat(((Map<?, ?>) document.get("paths")).keySet())
                .hasToString("[/a.Shop/buy, /a.Shop/count, /a.Shop/find, /b.Store/put]");
        assertThat(member(document, "paths", "/b.Store/put", "parameters").toString())
                .contains("name=version")
                .contains("default=1.0")
                .contains("name=group");
        assertThat(((Map<?, ?>) member(document, "components", "schemas")).keySet())
                .hasToString("[Order-Input, Order, Colour, Problem]");
        assertThat(((Map<?, ?>) document.get("x-dubbo-undescribed")).keySet()).hasToString("[c.Silent]");
    }

    /** A provider may have an older version of a class. */
    @Test
    void servicesWithDifferentClassesOfOneNameDoNotShareItsSchema(@TempDir Path directory) throws Exception {
        ProviderPeer provider = provider(180);
        register(directory, "a.Shop", provider, "{\"weight\":1}");
        register(directory, "b.Store", provider, "{\"weight\":1,\"variants\":[{\"version\":\"1.0\",\"group\":\"g\"}]}");
        startWithRegistry(Map.of(), "file:" + directory);

        HttpSocket client = client();
        client.send(get("/openapi.json"));
        answer(provider, STORE.formatted("{\"item\":\"int\"}"), 2);
        Map<?, ?> document = document(client.answer());

        assertThat(((Map<?, ?>) member(document, "components", "schemas")).keySet())
                .hasToString("[Order-Input, Order, Colour, Store.Order-Input, Problem]");
        assertThat(member(document, "components", "schemas", "Store.Order-Input", "properties", "item", "type")
                        .toString())
                .isEqualTo("integer");
    }

    /** Answers requests for descriptions, with the name of the service as DEFINE has it. */
    private static void answer(ProviderPeer provider, String store, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            ProviderPeer.Received request = provider.next();
            if (request.body().contains(hex("a.Shop"))) {
                provider.answer(request, 0, Flags.JSON, SHOP);
            } else if (request.body().contains(hex("b.Store"))) {
                provider.answer(request, 0, Flags.JSON, store);
            } else {
                provider.answer(request, 12, Flags.JSON, "{\"detail\":\"not known\"}");
            }
        }
    }

    private static String hex(String text) {
        return text.chars().mapToObj(Integer::toHexString).collect(Collectors.joining());
    }

    @Test
    void whatIsAskedForByNameMustBeThere() throws Exception {
        ProviderPeer provider = provider(180);
        start(Map.of(), provider);
        HttpSocket client = client();

        client.send(get("/openapi.json?service=a.Shop"));
        provider.answer(provider.next(), 12, Flags.JSON, "{\"detail\":\"not known\"}");
        HttpAnswer answer = client.answer();

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.headers()).containsEntry("content-type", "application/problem+json");
        assertThat(answer.text()).contains("\"code\":\"NOT_FOUND\"").contains("not known");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GET /openapi.json?service=a.B&forms=some | 400 | forms
            GET /openapi.json?services=a.B           | 400 | services
            GET /openapi.json?version=1&version=2    | 400 | version is given twice
            GET /openapi.json?service=%zz            | 400 | broken
            GET /openapi.json                        | 400 | service=NAME
            POST /openapi.json                       | 405 | GET, HEAD
            """)
    void aMistakeIsAProblem(String request, int status, String reason) throws Exception {
        start(Map.of(), provider(180));

        HttpAnswer answer = answer(request + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

        assertThat(answer.status()).isEqualTo(status);
        assertThat(reason.equals("broken") ? "broken" : answer.text()).contains(reason);
    }

    @Test
    void aServiceThatTheCallerMayNotCallIsNotInTheDocument(@TempDir Path directory) throws Exception {
        ProviderPeer provider = provider(180);
        register(directory, "a.Shop", provider, "{\"weight\":1}");
        register(directory, "b.Store", provider, "{\"weight\":1}");
        Path tokens = directory.resolveSibling("tokens-" + System.nanoTime());
        Files.writeString(tokens, "ana secret-of-ana-0123456789\n");
        Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-------"));
        Path rules = directory.resolveSibling("rules-" + System.nanoTime());
        Files.writeString(rules, "allow ana a.Shop\nallow ana b.Store#put\n");
        startWithRegistry(
                Map.of(
                        "http.auth", "token",
                        "http.auth.token-file", tokens.toString(),
                        "http.auth.rules", rules.toString()),
                "file:" + directory);
        HttpSocket client = client();
        String token = "Authorization: Bearer secret-of-ana-0123456789\r\n\r\n";

        HttpAnswer answer = described(client, "GET /openapi.json HTTP/1.1\r\nHost: a\r\n" + token, provider, SHOP);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).contains("/a.Shop/buy").contains("bearer").doesNotContain("b.Store");

        client.send("GET /openapi.json?service=b.Store HTTP/1.1\r\nHost: a\r\n" + token);
        assertThat(client.answer().status()).isEqualTo(403);
        assertThat(provider.hasNone()).isTrue();
        assertThat(answer(get("/openapi.json")).status()).isEqualTo(401);
    }

    /** The agent asks for the descriptions of several hundred services in parts. */
    @Test
    void aDocumentOfManyServicesIsComplete(@TempDir Path directory) throws Exception {
        int count = 100;
        ProviderPeer provider = provider(180);
        for (int i = 0; i < count; i++) {
            register(directory, "a.S" + i, provider, "{\"weight\":1}");
        }
        startWithRegistry(Map.of(), "file:" + directory);

        HttpSocket client = client();
        client.send(get("/openapi.json"));
        for (int i = 0; i < count; i++) {
            ProviderPeer.Received request = provider.next();
            int number = IntStream.range(0, count)
                    .filter(service -> request.body().contains(hex("a.S" + service) + "0009"))
                    .findFirst()
                    .orElseThrow();
            provider.answer(request, 0, Flags.JSON, SHOP.replace("a.Shop", "a.S" + number));
        }
        Map<?, ?> document = document(client.answer());

        assertThat((Map<?, ?>) document.get("paths")).hasSize(3 * count);
        assertThat((List<?>) document.get("tags")).hasSize(count);
    }

    private static Map<?, ?> document(HttpAnswer answer) throws Exception {
        try (InputStream metaSchema = OpenApiTest.class.getResourceAsStream("/openapi/schema-3.1.json")) {
            Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                    .getSchema(metaSchema, InputFormat.JSON);
            assertThat(schema.validate(answer.text(), InputFormat.JSON)).isEmpty();
        }
        return (Map<?, ?>) Json.read(answer.text());
    }

    private static Object member(Map<?, ?> document, String... path) {
        Object value = document;
        for (String name : path) {
            value = ((Map<?, ?>) value).get(name);
        }
        return value;
    }
}
