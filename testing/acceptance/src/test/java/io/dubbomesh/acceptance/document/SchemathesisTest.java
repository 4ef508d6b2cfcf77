package io.dubbomesh.acceptance.document;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.process.RunningProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Thousands of requests to the demo's shop, made by schemathesis of its OpenAPI document of all forms: what the schema
 * forbids is refused, what it allows is accepted, and nothing fails but the service.
 */
@Tag("release")
@Timeout(1200)
class SchemathesisTest {
    private static final Duration TO_RUN = Duration.ofMinutes(18);
    /** For each of the four operations, as many that fit the schema as do not. */
    private static final int EXAMPLES = 1600;

    private static final String RUN = """
            mkdir -p "$1"
            cp src/test/resources/schemathesis/* "$1"
            cd "$1"
            if ! cmp -s requirements.txt venv/requirements.txt; then
              python3 -m venv --clear venv
              venv/bin/pip install --quiet --disable-pip-version-check -r requirements.txt
              cp requirements.txt venv
            fi
            exec venv/bin/st run "$2/openapi.json?service=io.dubbomesh.demo.shop.Shop&forms=all" \\
              --url "$2" --phases coverage,fuzzing -n "$3" -w 2 --continue-on-failure --no-color \\
              --exclude-checks not_a_server_error,response_schema_conformance""";

    @Test
    void theAgentAcceptsWhatTheSchemasAllowAndNothingElse() throws Exception {
        Mesh mesh = Mesh.named("SchemathesisTest");
        try {
            Dubbo dubbo = mesh.provider(Jvm.DUBBO, "dubbo", Map.of("delay.ms", "0"));
            dubbo.awaitListening();
            Agent gateway = mesh.consumerAgent(
                    "gateway",
                    "static:dubbo://127.0.0.1:" + dubbo.port(),
                    Map.of(
                            "type",
                            "gateway",
                            "dubbo.api.jars",
                            Path.of("../demo/api/target/classes").toString()));
            gateway.awaitReady();
            Path installed = Path.of("target/schemathesis").toAbsolutePath();
            String url = "http://127.0.0.1:" + gateway.port();

            RunningProcess process = RunningProcess.start(
                    mesh.directory().resolve("schemathesis.log"),
                    List.of("bash", "-ec", RUN, "schemathesis", installed.toString(), url, Integer.toString(EXAMPLES)));
            assertThat(process.awaitExit(TO_RUN)).as(process.output()).isZero();
            assertThat(process.output()).contains("No issues found");
        } finally {
            mesh.end();
        }
    }
}
