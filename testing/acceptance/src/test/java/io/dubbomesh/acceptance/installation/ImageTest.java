package io.dubbomesh.acceptance.installation;

import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.process.CompletedProcess;
import io.dubbomesh.testsupport.process.RunningProcess;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the contents of the images, by the Dockerfile and without an engine: the files that its stages copy out of the
 * build, and the programs among them.
 */
@Timeout(120)
class ImageTest {
    private static final Path DOCKERFILE = Path.of("../..", "docker", "Dockerfile");
    private static final Duration TO_RUN = Duration.ofSeconds(60);
    private static final String OUT_OF_BUILD = "COPY --from=build ";

    private static Path directory;

    /** @param base the name of another stage, or an image */
    private record Stage(String base, List<String> instructions) {}

    @BeforeAll
    static void build() throws Exception {
        directory = Mesh.named("ImageTest").directory();
        // The second step of the stage "build": it takes the jars of this build.
        RunningProcess install = RunningProcess.start(
                directory.resolve("install.log"),
                List.of(
                        "bash",
                        "../../docker/install.sh",
                        directory.resolve("build/opt").toString()));
        assertThat(install.awaitExit(TO_RUN)).as(install.output()).isZero();
    }

    private static Map<String, Stage> stages() throws IOException {
        Map<String, Stage> stages = new LinkedHashMap<>();
        Stage stage = null;
        for (String line : Files.readString(DOCKERFILE).replace("\\\n", "").split("\n")) {
            if (line.startsWith("FROM ")) {
                String[] words = line.split(" +");
                stage = new Stage(words[1], new ArrayList<>());
                stages.put(words[3], stage);
            } else if (stage != null) {
                stage.instructions().add(line);
            }
        }
        return stages;
    }

    /** Returns the instructions of a stage and those below it, from the first one on. */
    private static List<String> instructions(String target) throws IOException {
        Map<String, Stage> stages = stages();
        List<String> all = new ArrayList<>();
        for (Stage stage = stages.get(target); stage != null; stage = stages.get(stage.base())) {
            all.addAll(0, stage.instructions());
        }
        return all;
    }

    /** The variables of the image, without those of its base. */
    private static Map<String, String> variables(String target) throws IOException {
        Map<String, String> variables = new HashMap<>();
        for (String line : instructions(target)) {
            if (line.startsWith("ENV ")) {
                String[] variable = line.substring("ENV ".length()).split("=", 2);
                variables.put(variable[0], variable[1].replace("\"", ""));
            }
        }
        return variables;
    }

    /** Copies what the image has out of the build, and returns the folder that stands for its root. */
    private static Path image(String target) throws Exception {
        Path image = directory.resolve(target);
        for (String line : instructions(target)) {
            if (line.startsWith(OUT_OF_BUILD)) {
                String[] paths = line.substring(OUT_OF_BUILD.length()).split(" +");
                String to = image + paths[paths.length - 1];
                for (int i = 0; i + 1 < paths.length; i++) {
                    Path from = directory.resolve("build" + paths[i]);
                    assertThat(from).as(line).exists();
                    // A folder is copied as its contents, as Docker does.
                    String copied = Files.isDirectory(from) ? from + "/." : from.toString();
                    run(
                            "mkdir",
                            "-p",
                            to.endsWith("/") ? to : Path.of(to).getParent().toString());
                    run("cp", "-r", copied, to);
                }
            }
        }
        return image;
    }

    private static void run(String... command) throws Exception {
        CompletedProcess.run(command).requireSuccess();
    }

    /** Runs a command in the environment of the image, below its root. */
    private static String meshctl(String target, int exitCode, String... arguments) throws Exception {
        Path image = image(target);
        Map<String, String> variables = variables(target);
        List<String> command = new ArrayList<>(List.of("env", "-i", "JAVA_HOME=" + System.getProperty("java.home")));
        variables.forEach((name, value) -> command.add(name
                + "="
                + (name.equals("PATH") ? value.replace("/opt/", image + "/opt/") : value)
                        .replace("$PATH", System.getenv("PATH"))));
        command.add("meshctl");
        command.addAll(List.of(arguments));
        RunningProcess process = RunningProcess.start(directory.resolve(target + ".log"), command);
        assertThat(process.awaitExit(TO_RUN)).as(process.output()).isEqualTo(exitCode);
        return process.output();
    }

    @ParameterizedTest
    @CsvSource({"consumer-agent, 20001", "provider-agent, 30001", "demo-provider-agent, 30001"})
    void anImageOfAnAgentHasTheToolForOperatorsWhichAsksThisAgent(String target, int adminPort) throws Exception {
        assertThat(meshctl(target, 0, "--version")).startsWith("meshctl ");
        // Started with its help, since a test beside this one may have an agent at the port.
        assertThat(meshctl(target, 0, "--help")).contains("127.0.0.1:" + adminPort + "; MESHCTL_ADMIN");
    }

    @ParameterizedTest
    @CsvSource({"consumer-agent, consumer, provider", "provider-agent, provider, consumer"})
    void anImageChecksTheConfigurationOfItsOwnAgentAndNamesTheOther(String target, String own, String other)
            throws Exception {
        Path file = directory.resolve(target + ".conf");
        Files.writeString(file, "dubbo.services = a.B\nmesh.open = true\nregistry = \"etcd://192.0.2.1:2379\"\n");
        if (own.equals("consumer")) {
            Files.writeString(file, "registry = \"etcd://192.0.2.1:2379\"\n");
        }

        assertThat(meshctl(target, 0, "check-config", "--agent", own, file.toString()))
                .isEqualTo(file + ": a " + own + " agent takes it\n");
        assertThat(meshctl(target, 1, "check-config", "--agent", other, file.toString()))
                .isEqualTo("meshctl: there is no " + other + " agent here, which would check " + file
                        + " (expected: a release, or the image of that agent)\n");
    }

    @Test
    void theBuildTakesWhatWasBuiltOutsideOfEveryJarThatItInstalls() throws Exception {
        String installed = Files.readString(Path.of("../..", "docker", "install.sh"));
        List<String> taken = Files.readAllLines(Path.of("../..", ".dockerignore"));

        for (String jar : List.of("consumer-agent", "provider-agent", "meshctl")) {
            String path = jar + "/target/" + jar + ".jar";
            assertThat(installed).contains(path);
            assertThat(taken).contains("!" + path);
        }
    }
}
