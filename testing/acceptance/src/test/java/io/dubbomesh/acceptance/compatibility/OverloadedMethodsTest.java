package io.dubbomesh.acceptance.compatibility;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** Calls of overloaded methods of real providers, which do not name the parameter types. */
@Timeout(180)
class OverloadedMethodsTest {
    /** The caller of the provider, and the source of the methods. */
    enum Way {
        PAIR_WITH_CLASS_FILES,
        PAIR_WITH_THE_LIST_OF_THE_PROVIDER,
        GATEWAY_WITH_CLASS_FILES
    }

    private static final Map<Way, Integer> PORTS = new EnumMap<>(Way.class);
    private static Mesh mesh;

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("OverloadedMethodsTest");
        Map<String, String> classFiles = Map.of("dubbo.api.jars", CompatibilityCalls.CLASS_FILES.toString());
        Dubbo dubbo3 = mesh.provider(Jvm.DUBBO, "dubbo3", Map.of("delay.ms", "0", "conformance", "true"));
        Dubbo dubbo26 = mesh.provider(
                Jvm.DUBBO_2612, "dubbo26", Map.of("delay.ms", "0", "conformance", "true", "serialization", "hessian2"));
        dubbo3.awaitListening();
        dubbo26.awaitListening();
        PORTS.put(Way.PAIR_WITH_CLASS_FILES, pair("class-files", dubbo3, classFiles));
        PORTS.put(Way.PAIR_WITH_THE_LIST_OF_THE_PROVIDER, pair("list", dubbo26, Map.of()));
        Agent gateway = mesh.consumerAgent(
                Jvm.MESH_AGENT,
                "gateway",
                Map.of(
                        "type",
                        "gateway",
                        "registry",
                        "static:dubbo://127.0.0.1:" + dubbo3.port(),
                        "dubbo.api.jars",
                        CompatibilityCalls.CLASS_FILES.toString()));
        gateway.awaitReady();
        PORTS.put(Way.GATEWAY_WITH_CLASS_FILES, gateway.port());
    }

    private static int pair(String name, Dubbo provider, Map<String, String> settings) throws Exception {
        String registry = "file:" + mesh.directory().resolve("registry-" + name);
        Map<String, String> all = new HashMap<>(settings);
        all.put("dubbo.services", Call.CONFORMANCE);
        Agent providerAgent = mesh.providerAgent("agent-" + name, provider.port(), registry, all);
        providerAgent.awaitReady();
        providerAgent.process().awaitOutput("methods and types of services: ", Duration.ofSeconds(30));
        Agent consumerAgent = mesh.consumerAgent("consumer-" + name, registry, Map.of());
        consumerAgent.awaitReady();
        return consumerAgent.port();
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
    }

    private static HttpAnswer call(Way way, String arguments, String... headers) throws Exception {
        return HttpSocket.once(
                PORTS.get(way),
                HttpSocket.request(
                        "POST /" + Call.CONFORMANCE + "/overloaded",
                        arguments,
                        String.join("\r\n", headers)
                                + (headers.length == 0 ? "" : "\r\n")
                                + "Content-Type: application/json"));
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void theArgumentsTellWhichOneIsCalled(Way way) throws Exception {
        Map<String, String> results = Map.of(
                "[]", "()",
                "", "()",
                "[1]", "(int)",
                "[5000000000]", "(long)",
                "[\"5\"]", "(String)",
                "[[1]]", "(List)",
                "[1, 2]", "(int, int)",
                "[\"a\", 2]", "(String, int)");
        for (Map.Entry<String, String> each : results.entrySet()) {
            assertThat(call(way, each.getKey()).text()).as(each.getKey()).isEqualTo('"' + each.getValue() + '"');
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Way.class,
            names = {"PAIR_WITH_CLASS_FILES", "GATEWAY_WITH_CLASS_FILES"})
    void whatMayBeSeveralIsRefusedWithTheHeadersToChooseFrom(Way way) throws Exception {
        String detail = call(way, "[null]").assertProblem(400, "BAD_REQUEST").get("detail");
        assertThat(detail)
                .startsWith(
                        "method overloaded is overloaded, and the arguments fit several: name the parameter types in"
                                + " the header X-Dubbo-Parameter-Types (expected: one of ")
                .contains(
                        "\"java.lang.Integer\"",
                        "\"java.lang.String\"",
                        "\"java.util.List<java.lang.Long>\"",
                        "\"io.dubbomesh.demo.conformance.Item\"");
        assertThat(call(way, "[null]", "X-Dubbo-Parameter-Types: java.util.List<java.lang.Long>")
                        .text())
                .isEqualTo("\"(List)\"");
        assertThat(call(way, "[{\"name\":\"pen\"}]").text()).isEqualTo("\"(Item)\"");
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void aNumberOfArgumentsThatNoneHasIsRefusedWithTheMethods(Way way) throws Exception {
        assertThat(call(way, "[1, 2, 3]").assertProblem(400, "BAD_REQUEST").get("detail"))
                .startsWith("arguments: 3 (expected: those of one of overloaded(");
    }
}
