package io.dubbomesh.acceptance.installation;

import io.dubbomesh.testsupport.process.CompletedProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code gateway.conf}, which {@code scripts/dist.sh} makes of the settings of a consumer agent. */
@Timeout(180)
class GatewaySettingsTest {
    private static final Path REFERENCE =
            Path.of("../../consumer-agent/src/main/resources/io/dubbomesh/consumer/reference.conf");
    private static final String MAKE =
            "source <(sed -n '/^as_of_gateway()/,/^}/p' ../../scripts/dist.sh); as_of_gateway";

    @Test
    void theGatewayHasItsNameTypeAndRegistry() throws Exception {
        assertThat(made(0, Files.readString(REFERENCE)))
                .startsWith("# Every setting of a gateway, ")
                .contains("\n\"type\" = \"gateway\"\n", "\n# It must be set.\n\"registry\" = \"\"\n")
                .contains("# --- Dubbo providers ---\n", "# --- links to endpoints; mesh.* to provider agents, ")
                .contains("Empty: gateway.\n\"otel.service.name\" = \"\"\n")
                .doesNotContain("the consumer agent");
    }

    @ParameterizedTest
    @CsvSource({
        "Every setting of the consumer agent, Each setting",
        "\"type\" = \"consumer\", \"type\" = \"sidecar\"",
        "\"registry\" =, \"registries\" =",
        "# --- registry ---, # --- registries ---",
        "# --- Dubbo providers without a provider agent ---, # --- Dubbo providers ---",
        "# --- links to provider agents ---, # --- links ---",
        "Empty: consumer-agent, Without:",
    })
    void aTextOfTheConsumerAgentThatIsNotFoundStopsTheRelease(String text, String other) throws Exception {
        String reference = Files.readString(REFERENCE);
        assertThat(reference).contains(text);

        assertThat(made(1, reference.replace(text, other)))
                .matches("reference\\.conf of the consumer agent: no \".*\" in the section \".*\", .*\n");
    }

    private static String made(int exitCode, String reference) {
        CompletedProcess process = CompletedProcess.run(new ProcessBuilder("bash", "-c", MAKE), reference);
        assertThat(process.exitCode()).as(process.output()).isEqualTo(exitCode);
        return process.output();
    }
}
