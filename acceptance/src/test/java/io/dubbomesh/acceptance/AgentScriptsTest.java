package io.dubbomesh.acceptance;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** The scripts of the source tree that start an agent tell about the agent, and not about Java. */
@Timeout(60)
class AgentScriptsTest {
    @ParameterizedTest
    @ValueSource(strings = {"consumer-agent", "provider-agent"})
    void helpIsThatOfTheAgent(String agent) throws Exception {
        assertThat(output(agent, "--help"))
                .startsWith("usage: " + agent + ".sh ")
                .contains("-Dserver.port=")
                .containsPattern("with its default: /.*/" + agent + "/.*/reference\\.conf\n");
    }

    @Test
    void helpOfTheGatewaySaysThatItNeedsARegistry() throws Exception {
        assertThat(output("gateway", "--help"))
                .startsWith("usage: gateway.sh -Dregistry=REGISTRY ")
                .contains("with its default: /");
    }

    private static String output(String agent, String argument) throws IOException, InterruptedException {
        Path script = Path.of("..", "scripts", agent + ".sh");
        Process process = new ProcessBuilder(script.toString(), argument)
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
