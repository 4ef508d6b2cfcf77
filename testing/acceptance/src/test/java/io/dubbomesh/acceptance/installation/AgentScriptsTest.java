package io.dubbomesh.acceptance.installation;

import io.dubbomesh.testsupport.process.CompletedProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** The scripts of the source tree that start an agent tell about the agent, and not about Java. */
@Timeout(180)
class AgentScriptsTest {
    @ParameterizedTest
    @ValueSource(strings = {"consumer-agent", "provider-agent"})
    void helpIsThatOfTheAgent(String agent) throws Exception {
        assertThat(output(agent, "--help"))
                .startsWith("usage: " + agent + ".sh ")
                .contains("-Dserver.port=")
                .containsPattern("with its default: /.*/" + agent + "/.*/reference\\.conf\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"consumer-agent", "provider-agent", "gateway"})
    void anOptionThatIsNoneIsRefusedWithTheSettingThatWasMeant(String agent) throws Exception {
        String usage = "usage: " + agent + ".sh [-Dkey=value ...], --help or --version\n";
        Map<List<String>, String> meant = new LinkedHashMap<>();
        meant.put(List.of("--server.port=46020"), "did you mean -Dserver.port=46020?");
        meant.put(List.of("-server.port=46020"), "did you mean -Dserver.port=46020?");
        meant.put(List.of("server.port=46020"), "did you mean -Dserver.port=46020?");
        meant.put(List.of("--server.port", "46020"), "did you mean -Dserver.port=46020?");
        meant.put(List.of("--server.port"), "did you mean -Dserver.port=VALUE?");
        meant.put(List.of("--SERVER_PORT=46020"), "did you mean -Dserver.port=46020?");
        meant.put(List.of("--logs-max-file-size=1m"), "did you mean -Dlogs.max-file-size=1m?");
        meant.put(List.of("-dserver.port=46020"), "did you mean -Dserver.port=46020?");
        meant.put(List.of("--Dserver.port=46020"), "did you mean -Dserver.port=46020?");
        meant.put(List.of("-D", "server.port=46020"), "did you mean -Dserver.port=46020?");
        meant.put(List.of("--registry", "file:/tmp/a b"), "did you mean -Dregistry=file:/tmp/a b?");
        meant.put(List.of("--anything"), "expected: -Dkey=value");
        meant.put(List.of("-x"), "expected: -Dkey=value");
        for (Map.Entry<List<String>, String> each : meant.entrySet()) {
            String first = each.getKey().get(0);
            assertThat(output(2, agent, each.getKey().toArray(String[]::new)))
                    .isEqualTo(agent + ".sh: " + first + ": no such option (" + each.getValue() + ")\n" + usage);
        }
        assertThat(output(2, agent, "-Dlogs.level=info", "-Dserver.port", "46020"))
                .isEqualTo(agent + ".sh: 46020: no such option (did you mean -Dserver.port=46020?)\n" + usage);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-h", "-help", "-?", "--help"})
    void helpIsPrintedWhereverItIsAskedFor(String option) throws Exception {
        assertThat(output("consumer-agent", option)).startsWith("usage: consumer-agent.sh ");
        assertThat(output("gateway", "-Dserver.port=1", option)).startsWith("usage: gateway.sh ");
    }

    @Test
    void helpOfTheGatewaySaysThatItNeedsARegistry() throws Exception {
        assertThat(output("gateway", "--help"))
                .startsWith("usage: gateway.sh -Dregistry=REGISTRY ")
                .contains("with its default: /");
    }

    private static String output(String agent, String... arguments) {
        return output(0, agent, arguments);
    }

    private static String output(int exitCode, String agent, String... arguments) {
        List<String> command = new ArrayList<>(
                List.of(Path.of("../..", "scripts", agent + ".sh").toString()));
        command.addAll(List.of(arguments));
        CompletedProcess process = CompletedProcess.run(command);
        assertThat(process.exitCode()).as(process.output()).isEqualTo(exitCode);
        return process.output();
    }
}
