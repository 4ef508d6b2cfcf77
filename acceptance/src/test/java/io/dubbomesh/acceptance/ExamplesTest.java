package io.dubbomesh.acceptance;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** The examples of the README: each command prints what stands below it. */
@Timeout(120)
class ExamplesTest {
    private static final String SHOP = "io.dubbomesh.demo.shop.Shop";
    private static final String URL = "http://127.0.0.1:20000";

    private static Mesh mesh;
    private static int port;

    /** A command as it is typed, and the line that it prints. */
    record Example(String command, String output) {}

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("ExamplesTest");
        String registry = "file:" + mesh.directory().resolve("registry");
        Dubbo provider = mesh.provider(Jvm.DUBBO, "provider", Map.of("delay.ms", "0"));
        provider.awaitListening();
        Agent providerAgent = mesh.providerAgent(
                "provider-agent",
                provider.port(),
                registry,
                Map.of(
                        "dubbo.services",
                        Form.SERVICE + "," + SHOP + "," + SHOP + ":2.0.0:blue",
                        "dubbo.api.jars",
                        Path.of("..", "demo", "api", "target", "classes").toString()));
        Agent consumerAgent = mesh.consumerAgent("consumer-agent", registry, Map.of("request.timeout", "30 s"));
        providerAgent.awaitReady();
        consumerAgent.awaitReady();
        port = consumerAgent.port();
        Await.until(
                Duration.ofSeconds(30),
                "both variants of the shop are there to call",
                () -> isThere("/" + SHOP) && isThere("/" + SHOP + "?version=2.0.0&group=blue"));
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
    }

    private static boolean isThere(String target) throws IOException {
        return HttpSocket.once(port, "GET " + target + " HTTP/1.1\r\nHost: mesh\r\n\r\n")
                        .status()
                == 200;
    }

    static List<Example> examples() throws IOException {
        List<Example> examples = new ArrayList<>();
        boolean console = false;
        StringBuilder command = new StringBuilder();
        for (String line : Files.readAllLines(Path.of("..", "README.md"))) {
            if (line.startsWith("```")) {
                console = line.equals("```console");
            } else if (console && line.startsWith("$ ")) {
                command.setLength(0);
                command.append(line, 2, line.length()).append('\n');
            } else if (console && command.toString().endsWith("\\\n")) {
                command.append(line).append('\n');
            } else if (console) {
                examples.add(new Example(command.toString(), line));
            }
        }
        return examples;
    }

    @Test
    void thereAreExamplesOfEveryKind() throws IOException {
        assertThat(examples()).hasSizeGreaterThan(5);
    }

    @ParameterizedTest
    @MethodSource("examples")
    void aCommandPrintsWhatTheReadmeShows(Example example) throws Exception {
        assertThat(example.command()).contains(URL);
        Process shell = new ProcessBuilder("bash", "-c", example.command().replace(URL, "http://127.0.0.1:" + port))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String printed = new String(shell.getInputStream().readAllBytes(), UTF_8);
        assertThat(shell.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(withoutIds(printed)).isEqualTo(withoutIds(example.output()));
        assertThat(shell.exitValue()).isZero();
    }

    /** Each failure has another id. */
    private static String withoutIds(String text) {
        return text.replaceAll("urn:uuid:[0-9a-f-]{36}", "urn:uuid:ID");
    }
}
