package io.dubbomesh.acceptance.protobuf;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A service that is defined by protobuf, of an unmodified Dubbo 3.3 with the stub that its compiler generates, called
 * by a gateway that has its class files, and by one that has a file of descriptors.
 */
@Timeout(120)
class ProtobufServiceTest {
    private static final Path DEMO = Path.of("../demo/messages/target");
    private static final String INTERFACE = "io.dubbomesh.demo.messages.Records";
    private static final String PROTO_NAME = "demo.records.v1.Records";

    private static Mesh mesh;
    private static Agent withClasses;
    private static Agent withDescriptors;

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("ProtobufServiceTest");
        Dubbo provider = mesh.provider(Jvm.DUBBO_MESSAGES, "provider", Map.of());
        Path descriptors;
        try (var files = Files.walk(DEMO)) {
            descriptors = files.filter(file -> file.endsWith("messages.desc"))
                    .findFirst()
                    .orElseThrow();
        }
        withClasses = gateway("classes", provider, "dubbo.api.jars", DEMO.resolve("classes"));
        withDescriptors = gateway("descriptors", provider, "dubbo.api.descriptors", descriptors);
        provider.awaitListening();
        withClasses.awaitReady();
        withDescriptors.awaitReady();
    }

    private static Agent gateway(String name, Dubbo provider, String setting, Path path) throws Exception {
        Map<String, String> settings = new HashMap<>();
        settings.put("type", "gateway");
        settings.put("request.timeout", "20 s");
        settings.put(setting, path.toAbsolutePath().normalize().toString());
        return mesh.consumerAgent(name, "static:tri://127.0.0.1:" + provider.port(), settings);
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
    }

    private static HttpAnswer call(Agent gateway, String path, String body) throws Exception {
        return HttpSocket.once(
                gateway.port(), HttpSocket.request("POST /" + path, body, "Content-Type: application/json"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"int32\":-2147483648}            | \"int32\":-2147483648",
                "{\"int64\":9007199254740993}       | \"int64\":\"9007199254740993\"",
                "{\"uint32\":4294967295}            | \"uint32\":4294967295",
                "{\"uint64\":\"18446744073709551615\"} | \"uint64\":\"18446744073709551615\"",
                "{\"sint32\":-2}                    | \"sint32\":-2",
                "{\"sint64\":\"-2\"}                | \"sint64\":\"-2\"",
                "{\"fixed32\":4294967295}           | \"fixed32\":4294967295",
                "{\"fixed64\":\"1\"}                | \"fixed64\":\"1\"",
                "{\"sfixed32\":-1}                  | \"sfixed32\":-1",
                "{\"sfixed64\":\"-1\"}              | \"sfixed64\":\"-1\"",
                "{\"float\":1.5}                    | \"float\":1.5",
                "{\"double\":\"NaN\"}               | \"double\":\"NaN\"",
                "{\"bool\":true}                    | \"bool\":true",
                "{\"bytes\":\"AP8=\"}               | \"bytes\":\"AP8=\"",
                "{\"name\":\"<&>\"}                 | \"name\":\"<&>\"",
                "{\"color\":\"RED\"}                | \"color\":\"RED\"",
                "{\"color\":77}                     | \"color\":77",
                "{\"inner\":{\"inner\":{\"name\":\"a\"}}} | \"inner\":{\"name\":\"a\"",
                "{\"numbers\":[1,\"2\"]}            | \"numbers\":[\"1\",\"2\"]",
                "{\"byName\":{\"b\":1,\"a\":\"2\"}} | \"byName\":{\"a\":\"2\",\"b\":\"1\"}",
                "{\"byNumber\":{\"-1\":{\"name\":\"a\"}}} | \"byNumber\":{\"-1\":{\"name\":\"a\"",
                "{\"number\":0}                     | \"number\":\"0\"",
                "{\"maybe\":0}                      | \"maybe\":0",
                "{\"at\":\"2026-11-28T10:00:00.5+01:00\"} | \"at\":\"2026-11-28T09:00:00.500Z\"",
                "{\"length\":\"1.5s\"}              | \"length\":\"1.500s\"",
                "{\"struct\":{\"a\":[1,null,\"x\"]}} | \"struct\":{\"a\":[1.0,null,\"x\"]}",
                "{\"any\":{\"@type\":\"type.googleapis.com/demo.records.v1.Record\",\"name\":\"a\"}} | \"any\":{\"@type\":\"type.googleapis.com/demo.records.v1.Record\",\"name\":\"a\"",
                "{\"boxed\":\"5\"}                  | \"boxed\":\"5\"",
            })
    void eachKindOfFieldComesBackAsItWas(String argument, String member) throws Exception {
        for (Agent gateway : new Agent[] {withClasses, withDescriptors}) {
            HttpAnswer answer = call(gateway, INTERFACE + "/echo", argument);
            assertThat(answer.text()).contains(member);
            assertThat(answer.status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {INTERFACE + "/echo", INTERFACE + "/Echo", PROTO_NAME + "/Echo", PROTO_NAME + "/echo"})
    void theServiceAndTheMethodHaveTheNamesOfTheFileAndOfJava(String path) throws Exception {
        HttpAnswer answer = call(withDescriptors, path, "[{\"name\":\"ann\"}]");
        assertThat(answer.text()).startsWith("{\"name\":\"ann\",\"int32\":0,");
    }

    @Test
    void aVersionIsFoundAsOfOtherServices() throws Exception {
        HttpAnswer answer = call(withClasses, INTERFACE + "/echo?version=2.0.0", "{\"name\":\"ann\"}");
        assertThat(answer.text()).startsWith("{\"name\":\"ann\"");
    }

    @Test
    void aFieldThatDoesNotFitIsNamed() throws Exception {
        assertThat(call(withClasses, INTERFACE + "/echo", "{\"inners\":[{},{\"int32\":\"x\"}]}")
                        .assertProblem(400, "BAD_ARGUMENT"))
                .containsEntry("detail", "args[0].inners[1].int32: \"x\" (expected: int32)");
    }

    @Test
    void anUnknownMethodIsRefusedWithThoseThatThereAre() throws Exception {
        assertThat(call(withClasses, INTERFACE + "/none", "{}")
                        .assertProblem(404, "METHOD_NOT_FOUND")
                        .get("detail"))
                .contains("Echo(demo.records.v1.Record); Fail(demo.records.v1.Record)");
    }

    @Test
    void anExceptionOfTheMethodIsAFailureWithItsText() throws Exception {
        assertThat(call(withClasses, INTERFACE + "/fail", "{\"name\":\"no such record\"}")
                        .assertProblem(502, "PROVIDER_ERROR")
                        .get("detail"))
                .contains("no such record");
    }

    @Test
    void aStreamOfMessagesIsALineForEach() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + withClasses.port() + '/' + INTERFACE + "/repeat"))
                .header("Content-Type", "application/json")
                .header("Accept", "application/x-ndjson")
                .POST(BodyPublishers.ofString("{\"int32\":2}"))
                .build();
        List<String> lines = HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofLines())
                .body()
                .toList();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(0)).contains("\"int32\":0,");
        assertThat(lines.get(1)).contains("\"int32\":1,");
    }

    @Test
    void theDescriptionHasTheTypesOfItsFields() throws Exception {
        String description = HttpSocket.once(withClasses.port(), HttpSocket.request("GET /" + INTERFACE, ""))
                .text();
        assertThat(description)
                .contains("\"source\":\"class files\"", "\"demo.records.v1.Record\"", "\"int64\":\"java.lang.String\"");
    }
}
