package io.dubbomesh.acceptance.protobuf;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.process.RunningProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static io.dubbomesh.acceptance.protobuf.Records.PROTO_NAME;
import static io.dubbomesh.acceptance.protobuf.Records.call;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A gRPC server of grpc-go, {@code src/test/grpc-server}, called by gateways that know its service by a file of
 * descriptors, and by server reflection in both its versions. The modules of Go come from their proxy.
 */
@Tag("release")
@Timeout(300)
class GrpcServerTest {
    private static final Duration TO_BUILD = Duration.ofMinutes(4);
    private static final Path SOURCE = Path.of("src/test/grpc-server").toAbsolutePath();

    private static Mesh mesh;
    private static Dubbo server;
    private static final Map<String, Agent> GATEWAYS = new LinkedHashMap<>();

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("GrpcServerTest");
        Path program = mesh.directory().resolve("grpc-server");
        RunningProcess build = RunningProcess.start(
                mesh.directory().resolve("build.log"),
                List.of("bash", "-c", "cd \"$0\" && exec go build -o \"$1\" .", SOURCE.toString(), program.toString()));
        assertThat(build.awaitExit(TO_BUILD)).as("go build: %s", build.output()).isZero();
        server = server(program, "none");
        Dubbo v1 = server(program, "v1");
        Dubbo v1alpha = server(program, "v1alpha");
        gateway(
                "descriptors",
                server,
                Map.of("dubbo.api.descriptors", Records.descriptors().toString()));
        gateway("reflection v1", v1, Map.of());
        gateway("reflection v1alpha", v1alpha, Map.of());
        for (Dubbo each : List.of(server, v1, v1alpha)) {
            each.awaitListening();
        }
        for (Agent gateway : GATEWAYS.values()) {
            gateway.awaitReady();
        }
    }

    private static Dubbo server(Path program, String reflection) throws Exception {
        String descriptors = Records.descriptors().toString();
        return mesh.provider(
                (log, settings) -> RunningProcess.start(
                        log,
                        List.of(
                                program.toString(),
                                "-port=" + settings.get("port"),
                                "-descriptors=" + descriptors,
                                "-reflection=" + reflection)),
                "server-" + reflection,
                Map.of());
    }

    private static void gateway(String name, Dubbo of, Map<String, String> settings) throws Exception {
        GATEWAYS.put(
                name, Records.gateway(mesh, name.replace(' ', '-'), "static:grpc://127.0.0.1:" + of.port(), settings));
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
    }

    private static Agent anyGateway() {
        return GATEWAYS.get("descriptors");
    }

    static Stream<Map.Entry<String, String>> kinds() {
        return Records.kinds();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void eachKindOfFieldComesBackAsItWas(Map.Entry<String, String> kind) throws Exception {
        for (Map.Entry<String, Agent> gateway : GATEWAYS.entrySet()) {
            HttpAnswer answer = call(gateway.getValue(), PROTO_NAME + "/Echo", kind.getKey());
            assertThat(answer.text()).as(gateway.getKey()).contains(kind.getValue());
            assertThat(answer.status()).isEqualTo(200);
        }
    }

    @Test
    void aFieldThatTheDescriptorsDoNotHaveIsLeftOut() throws Exception {
        for (Map.Entry<String, Agent> gateway : GATEWAYS.entrySet()) {
            HttpAnswer answer =
                    call(gateway.getValue(), PROTO_NAME + "/Echo", "{\"name\":\"unknown field\",\"maybe\":1}");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.text()).contains("\"maybe\":1").doesNotContain("1000");
        }
        assertThat(call(anyGateway(), PROTO_NAME + "/Echo", "{\"unknown\":1}").assertProblem(400, "BAD_ARGUMENT"))
                .containsKey("detail");
    }

    /** The table of docs/use/http.md. */
    @ParameterizedTest
    @CsvSource({
        "1, 502, PROVIDER_ERROR",
        "2, 500, SERVICE_EXCEPTION",
        "3, 400, BAD_REQUEST",
        "4, 504, TIMEOUT",
        "5, 500, SERVICE_EXCEPTION",
        "6, 500, SERVICE_EXCEPTION",
        "7, 500, SERVICE_EXCEPTION",
        "8, 503, OVERLOADED",
        "9, 500, SERVICE_EXCEPTION",
        "10, 500, SERVICE_EXCEPTION",
        "11, 500, SERVICE_EXCEPTION",
        "13, 502, PROVIDER_ERROR",
        "14, 503, OVERLOADED",
        "15, 502, PROVIDER_ERROR",
        "16, 500, SERVICE_EXCEPTION",
    })
    void eachStatusHasItsCode(int status, int httpStatus, String code) throws Exception {
        HttpAnswer answer =
                call(anyGateway(), PROTO_NAME + "/Fail", "{\"int32\":" + status + ",\"name\":\"none left, 100 %\"}");
        assertThat(answer.assertProblem(httpStatus, code).get("detail")).contains("none left, 100 %");
    }

    @Test
    void aMethodThatTheServerDoesNotHaveIsNotFound() throws Exception {
        call(anyGateway(), PROTO_NAME + "/None", "{}").assertProblem(404, "METHOD_NOT_FOUND");
        call(GATEWAYS.get("reflection v1"), "demo.records.v1.Nothing/Echo", "{}")
                .assertProblem(404, "SERVICE_NOT_FOUND");
    }

    @Test
    void theServerKnowsTheTimeThatTheCallHasLeft() throws Exception {
        String text = call(anyGateway(), PROTO_NAME + "/Echo", "{\"name\":\"deadline\"}", "X-Request-Timeout: 5000")
                .text();
        Matcher left = Pattern.compile("\"int64\":\"(\\d+)\"").matcher(text);
        assertThat(left.find()).as(text).isTrue();
        assertThat(Long.parseLong(left.group(1))).isBetween(3000L, 5000L);
    }

    @Test
    void aCallWhoseDeadlineIsOverEndsAtTheServer() throws Exception {
        call(anyGateway(), PROTO_NAME + "/Echo", "{\"name\":\"never\"}", "X-Request-Timeout: 200")
                .assertProblem(504, "TIMEOUT");
        server.process().awaitOutput("the caller has given up: context ", Duration.ofSeconds(10));
    }

    @Test
    void anAttachmentIsMetadata() throws Exception {
        String text = call(
                        anyGateway(),
                        PROTO_NAME + "/Echo",
                        "{\"name\":\"attachment\"}",
                        "X-Dubbo-Attachment-request-id: 7")
                .text();
        assertThat(text).contains("\"text\":\"7\"");
    }

    @Test
    void aStreamIsALineForEachMessage() throws Exception {
        for (Map.Entry<String, Agent> gateway : GATEWAYS.entrySet()) {
            List<String> lines = Records.stream(gateway.getValue(), PROTO_NAME + "/Repeat", "{\"int32\":1000}");
            assertThat(lines).hasSize(1001);
            for (int i = 0; i < 1000; i++) {
                assertThat(lines.get(i)).contains("\"int32\":" + i + ",");
            }
            assertThat(lines.get(1000)).isEqualTo("{\"$end\":{\"status\":200,\"code\":\"OK\"}}");
        }
    }
}
