package io.dubbomesh.acceptance.document;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.Selection;
import io.dubbomesh.testsupport.process.RunningProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Makes the clients of {@code examples/typed} of the documents of a mesh, all at once, and runs the programs that call
 * the services by them: docs/use/typed-clients.md. The generators come from the registries of their languages.
 */
@Timeout(600)
class TypedClientsTest {
    private static final Duration TO_RUN = Duration.ofMinutes(8);
    private static final String[] LANGUAGES = {"python", "typescript", "go", "java"};
    private static final String SERVICES =
            "io.dubbomesh.demo.shop.Shop,io.dubbomesh.demo.conformance.ConformanceService";

    @Test
    void theProgramsOfEachLanguageGetExactValues() throws Exception {
        Mesh mesh = Mesh.named("TypedClientsTest");
        try {
            Dubbo provider = mesh.provider(Jvm.DUBBO, "dubbo", Map.of("delay.ms", "0", "conformance", "true"));
            provider.awaitListening();
            String registry = "file:" + mesh.directory().resolve("registry");
            String classes = Path.of("../../testing/demo/api/target/classes").toString();
            Agent providerAgent = mesh.providerAgent(
                    "provider-agent",
                    provider.port(),
                    registry,
                    Map.of("dubbo.services", SERVICES, "dubbo.api.jars", classes));
            Agent consumerAgent = mesh.consumerAgent("consumer-agent", registry, Map.of());
            providerAgent.awaitReady();
            consumerAgent.awaitReady();
            // It is ready with the first service that it finds.
            for (String service : SERVICES.split(",")) {
                String get = "GET /" + service + " HTTP/1.1\r\nHost: a\r\n\r\n";
                Await.until(
                        service + " is described",
                        () -> HttpSocket.once(consumerAgent.port(), get).status() == 200);
            }

            Map<String, RunningProcess> programs = new LinkedHashMap<>();
            for (String language : Selection.of(LANGUAGES, Set.of("python"))) {
                programs.put(language, start(mesh, language, "http://127.0.0.1:" + consumerAgent.port()));
            }
            for (Map.Entry<String, RunningProcess> program : programs.entrySet()) {
                RunningProcess process = program.getValue();
                assertThat(process.awaitExit(TO_RUN))
                        .as("%s printed\n%s", program.getKey(), process.output())
                        .isZero();
                assertThat(process.output())
                        .contains("Welcome to the shop, Ana", "methods of the conformance service are right");
            }
        } finally {
            mesh.end();
        }
    }

    private static RunningProcess start(Mesh mesh, String language, String url) throws Exception {
        Path run = Path.of("../../examples/typed", language, "run.sh");
        return RunningProcess.start(
                mesh.directory().resolve(language + ".log"),
                List.of("bash", "-ec", "\"$0\" \"$1\" shop && exec \"$0\" \"$1\" conformance", run.toString(), url));
    }
}
