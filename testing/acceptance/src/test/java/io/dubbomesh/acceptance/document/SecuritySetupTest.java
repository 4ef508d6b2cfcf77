package io.dubbomesh.acceptance.document;

import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.process.RunningProcess;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The blocks of docs/operate/security.md, "Set it up", line by line as they are there: in a network namespace of their
 * own, where the ports are free, beside an etcd where agents look for it. A line that starts an agent is left running
 * once the agent listens.
 */
@Timeout(300)
class SecuritySetupTest {
    private static final Duration TO_RUN = Duration.ofMinutes(4);
    private static final String PAGE = "docs/operate/security.md";
    private static final String RESULT = "=== ";
    private static final Pattern AGENT = Pattern.compile("\\./scripts/([a-z]+-agent|gateway)\\.sh ");

    static List<Snippet> blocks() throws IOException {
        List<Snippet> blocks = Snippet.all().stream()
                .filter(snippet ->
                        snippet.page().equals(PAGE) && snippet.language().equals("sh"))
                .toList();
        assertThat(blocks).hasSize(6);
        return blocks;
    }

    @ParameterizedTest
    @MethodSource("blocks")
    void theLinesWorkAsTheyAreThere(Snippet block) throws Exception {
        Path logs = Mesh.named("SecuritySetupTest-" + block.line()).directory();
        StringBuilder script = new StringBuilder(start(logs));
        List<String> agents = new ArrayList<>();
        int calls = 0;
        for (String command : commands(block)) {
            if (AGENT.matcher(command).lookingAt()) {
                agents.add("agent-" + agents.size() + ".log");
                script.append(listening(command, logs.resolve(agents.get(agents.size() - 1))));
            } else if (command.startsWith("curl ")) {
                calls++;
                script.append(
                        "curl -sf --retry 60 --retry-delay 1 --retry-all-errors -o /dev/null 127.0.0.1:20001/readyz\n");
                script.append(command.replaceFirst("curl ", "curl -sS ")).append("\n");
                script.append(
                        command.replaceFirst("curl ", "curl -sS ").replaceFirst("-H \"Authorization[^\"]*\" ", ""));
                script.append("\n");
            } else {
                script.append(command).append("\n");
            }
        }

        RunningProcess run = RunningProcess.start(logs.resolve("commands.log"), inNamespace(script.toString()));

        assertThat(run.awaitExit(TO_RUN)).as(run.output()).isZero();
        assertThat(agents).isNotEmpty();
        for (String agent : agents) {
            assertThat(Files.readString(logs.resolve(agent)))
                    .contains("listening on ")
                    .doesNotContain(" ERROR ");
        }
        String printed = run.output().substring(run.output().indexOf(RESULT));
        if (calls > 0) {
            // The agent understood the call and knew the caller; no provider has that service.
            assertThat(printed).contains("\"code\":\"SERVICE_NOT_FOUND\"");
        }
        if (block.text().contains("-Dhttp.auth=token")) {
            assertThat(printed).contains("\"code\":\"UNAUTHENTICATED\"");
        }
    }

    /** Each with the lines that follow a backslash. */
    private static List<String> commands(Snippet block) {
        return List.of(block.text().replace("\\\n", " ").strip().split("\n"));
    }

    /**
     * Makes what an operator has before: a tree, an etcd, and the authority of the etcd that the page calls
     * etcd.internal.
     */
    private static String start(Path logs) throws IOException {
        Path tree = SourceTree.linkedIn(logs);
        return String.join(
                "\n",
                "ip link set lo up",
                "cd " + tree,
                "etcd --data-dir=" + logs.resolve("etcd") + " > " + logs.resolve("etcd.log") + " 2>&1 &",
                "./scripts/certificates.sh etcd-certs etcd.internal > /dev/null",
                "cp etcd-certs/ca.crt etcd-ca.crt",
                "echo '" + RESULT + "'",
                "");
    }

    private static String listening(String command, Path log) {
        return command + " > " + log + " 2>&1 &\n"
                + "agent=$!\n"
                + "until grep -q ' listening on ' " + log + "; do kill -0 $agent || { cat " + log
                + "; exit 1; }; sleep 0.1; done\n";
    }

    private static List<String> inNamespace(String script) {
        List<String> command = new ArrayList<>(List.of("unshare"));
        if (!"root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("--user", "--map-root-user"));
        }
        command.addAll(List.of(
                "--net", "--pid", "--fork", "--kill-child", "--mount-proc", "bash", "-o", "pipefail", "-ec", script));
        return command;
    }
}
