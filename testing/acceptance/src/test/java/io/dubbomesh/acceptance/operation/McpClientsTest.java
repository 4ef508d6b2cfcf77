package io.dubbomesh.acceptance.operation;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.runtime.json.Json;
import io.dubbomesh.testsupport.process.RunningProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The tools of the demo's shop, listed and called by the official SDKs of MCP, which check each result against the
 * schema of its tool.
 */
@Timeout(300)
class McpClientsTest {
    private static final Duration TO_RUN = Duration.ofSeconds(60);
    private static final Duration TO_INSTALL = Duration.ofSeconds(240);
    private static final List<String> REVISIONS = List.of("2026-07-28", "2025-11-25");
    private static final String GOT = "got ";
    private static final Path SOURCES = Path.of("src/test/resources/mcp");
    private static final Path INSTALLED = Path.of("target/mcp");

    private static Mesh mesh;
    private static Agent gateway;

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("McpClientsTest");
        Dubbo dubbo = mesh.provider(Jvm.DUBBO, "dubbo", Map.of("delay.ms", "0"));
        dubbo.awaitListening();
        gateway = mesh.consumerAgent(
                "gateway",
                "static:dubbo://127.0.0.1:" + dubbo.port(),
                Map.of(
                        "type",
                        "gateway",
                        "dubbo.api.jars",
                        Path.of("../demo/api/target/classes").toString(),
                        "mcp.tools",
                        SOURCES.resolve("tools.conf").toString()));
        gateway.awaitReady();
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
    }

    @ParameterizedTest
    @ValueSource(strings = {"python", "typescript"})
    void anOfficialClientListsAndCallsAllTools(String language) throws Exception {
        List<String> command = new ArrayList<>(language.equals("python") ? python() : typescript());
        command.add("http://127.0.0.1:" + gateway.port() + "/mcp");
        command.addAll(REVISIONS);

        String output = run(language, TO_RUN, command);

        List<String> reports = output.lines()
                .filter(line -> line.startsWith(GOT))
                .map(line -> line.substring(GOT.length()))
                .toList();
        assertThat(reports).as(output).hasSameSizeAs(REVISIONS);
        for (int i = 0; i < REVISIONS.size(); i++) {
            assertReport((Map<?, ?>) Json.read(reports.get(i)), REVISIONS.get(i));
        }
    }

    private static void assertReport(Map<?, ?> report, String revision) {
        assertThat(report.get("revision")).isEqualTo(revision);
        assertThat(report.get("failure")).isEqualTo("SERVICE_EXCEPTION");
        assertThat(report.get("unknown")).hasToString("Unknown tool: sell");
        Map<?, ?> results = (Map<?, ?>) report.get("results");
        assertThat(results.keySet()).hasToString("[buy, buy_masked, greet, greet_ana]");
        assertThat(result(results, "greet")).isEqualTo("Welcome to the shop, Bo");
        assertThat(result(results, "greet_ana")).isEqualTo("Welcome to the shop, Ana");
        assertThat((Map<?, ?>) result(results, "buy"))
                .extracting("item", "delivery", "day")
                .containsExactly("tea", "POST", "2027-01-01");
        assertThat(((Number) ((Map<?, ?>) result(results, "buy")).get("total")).doubleValue())
                .isEqualTo(7);
        assertThat(((Map<?, ?>) result(results, "buy_masked")).get("total")).isEqualTo("***");
    }

    private static Object result(Map<?, ?> results, String tool) {
        return ((Map<?, ?>) results.get(tool)).get("result");
    }

    /** Returns the command of the client in Python, in an environment that has exactly what the file names. */
    private static List<String> python() throws Exception {
        Path python = INSTALLED.resolve("venv/bin/python3").toAbsolutePath();
        if (isOutdated("requirements.txt")) {
            run(
                    "venv",
                    TO_INSTALL,
                    List.of(
                            "python3",
                            "-m",
                            "venv",
                            "--clear",
                            INSTALLED.resolve("venv").toString()));
            run(
                    "pip",
                    TO_INSTALL,
                    List.of(
                            python.toString(),
                            "-m",
                            "pip",
                            "install",
                            "-q",
                            "--disable-pip-version-check",
                            "--require-hashes",
                            "-r",
                            SOURCES.resolve("requirements.txt").toString()));
            keep("requirements.txt");
        }
        return List.of(python.toString(), SOURCES.resolve("client.py").toString());
    }

    /** Returns the command of the client in TypeScript, likewise. */
    private static List<String> typescript() throws Exception {
        if (isOutdated("package-lock.json")) {
            for (String file : List.of("package.json", "package-lock.json")) {
                copy(file, file);
            }
            run(
                    "npm",
                    TO_INSTALL,
                    List.of(
                            "npm",
                            "ci",
                            "--ignore-scripts",
                            "--no-audit",
                            "--no-fund",
                            "--prefix",
                            INSTALLED.toString()));
            keep("package-lock.json");
        }
        // A module finds others from where it stands.
        copy("client.mjs", "client.mjs");
        return List.of("node", INSTALLED.resolve("client.mjs").toString());
    }

    /** Returns whether something else is installed than a list names. */
    private static boolean isOutdated(String list) throws IOException {
        Files.createDirectories(INSTALLED);
        Path kept = INSTALLED.resolve("installed-" + list);
        return !Files.exists(kept) || Files.mismatch(SOURCES.resolve(list), kept) >= 0;
    }

    /** Notes that what the list names is installed. */
    private static void keep(String list) throws IOException {
        copy(list, "installed-" + list);
    }

    private static void copy(String source, String target) throws IOException {
        Files.copy(SOURCES.resolve(source), INSTALLED.resolve(target), StandardCopyOption.REPLACE_EXISTING);
    }

    private static String run(String name, Duration limit, List<String> command) throws Exception {
        RunningProcess process = RunningProcess.start(mesh.directory().resolve(name + ".log"), command);
        assertThat(process.awaitExit(limit)).as(process.output()).isZero();
        return process.output();
    }
}
