package io.dubbomesh.runtime.process;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class AgentProcessTest {
    @TempDir
    Path directory;

    private Process process;
    private BufferedReader output;

    @AfterEach
    void endProcess() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    @Test
    void sigtermStopsTheAgent() throws Exception {
        run("well-behaved");
        awaitLine("started");

        signal("TERM");

        assertThat(process.waitFor()).isZero();
        assertThat(output.lines().toList())
                .anyMatch(line -> line.endsWith(" AgentProcess: signal 15: stopping within 8000 ms"))
                .containsSubsequence("stopping within 8 s on shutdown", "in order")
                .last()
                .asString()
                .endsWith(" INFO  [shutdown] AgentProcess: stopped");
        assertThat(errors()).isEmpty();
    }

    @Test
    void sigintStopsTheAgent() throws Exception {
        run("well-behaved");
        awaitLine("started");

        signal("INT");

        assertThat(process.waitFor()).isZero();
        assertThat(output.lines().toList()).contains("in order");
    }

    @Test
    void aSecondSignalEndsTheProcessImmediately() throws Exception {
        run("never stops");
        awaitLine("started");
        signal("TERM");
        awaitLine("stopping within 8 s on shutdown");

        signal("TERM");

        assertThat(process.waitFor()).isEqualTo(128 + 15);
    }

    @Test
    void aSecondSignalOfTheOtherKindEndsTheProcessImmediately() throws Exception {
        run("never stops");
        awaitLine("started");
        signal("TERM");
        awaitLine("stopping within 8 s on shutdown");

        signal("INT");

        assertThat(process.waitFor()).isEqualTo(128 + 2);
        assertThat(output.lines().toList())
                .last()
                .asString()
                .endsWith(" AgentProcess: signal 2 while stopping: ending at once, with exit code 130");
    }

    @Test
    void anAgentThatDoesNotStopWithinTheGraceIsEndedByForce() throws Exception {
        run("never stops", "-Dshutdown.grace=100ms");
        awaitLine("started");

        signal("TERM");

        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(output.lines().toList())
                .last()
                .asString()
                .endsWith(" AgentProcess: not stopped within 100 ms: ending by force");
    }

    @ParameterizedTest
    @ValueSource(strings = {"out of memory", "logs out of memory"})
    void anAgentWithoutMemoryEndsImmediately(String behaviour) throws Exception {
        run(behaviour);

        assertThat(process.waitFor()).isEqualTo(3);
        assertThat(output.lines().toList())
                .last()
                .asString()
                .contains(" AgentProcess: ending: out of memory: for the test; ")
                .contains("memory.budget");
    }

    @Test
    void anAgentWithoutThreadsEndsWithoutBlamingTheHeap() throws Exception {
        run("out of threads");

        assertThat(process.waitFor()).isEqualTo(3);
        assertThat(output.lines().toList())
                .last()
                .asString()
                .contains(
                        " AgentProcess: ending: no thread could be started: unable to create native thread: for the test")
                .doesNotContain("memory.budget");
    }

    @Test
    void aFailedStopHasExitCodeOne() throws Exception {
        run("fails to stop");
        awaitLine("started");

        signal("TERM");

        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(output.lines().toList()).contains("\tjava.lang.IllegalStateException: cannot stop");
    }

    @Test
    void aStartInProgressFinishesBeforeTheStop() throws Exception {
        run("slow start");
        awaitLine("starting");
        signal("TERM");
        awaitLine("stopping within 8000 ms");

        process.getOutputStream().write('\n');
        process.getOutputStream().flush();

        assertThat(process.waitFor()).isZero();
        assertThat(output.lines().toList()).containsSubsequence("started", "in order");
    }

    @Test
    void aWrongSettingIsOneLineAndExitCodeTwo() throws Exception {
        run("well-behaved", "-Dserver.port=70000");

        assertThat(process.waitFor()).isEqualTo(2);
        assertThat(errors()).containsExactly("server.port: 70000 (expected: 1-65535)");
    }

    @Test
    void aWrongSettingOfTheProcessIsReportedLikewise() throws Exception {
        run("well-behaved", "-Dshutdown.grace=never");

        assertThat(process.waitFor()).isEqualTo(2);
        assertThat(errors()).containsExactly("shutdown.grace: never (expected: 0 s-3600 s)");
    }

    @Test
    void everyWrongSettingIsReportedInOneStart() throws Exception {
        Path file = Files.writeString(directory.resolve("agent.conf"), "server.prot = 1\nlogs.level = loud");
        run(
                "well-behaved",
                "-Dconfig.file=" + file,
                "-Dserver.port=70000",
                "-Dshutdown.grace=never",
                "-Dlogs.max-files=1");

        assertThat(process.waitFor()).isEqualTo(2);
        assertThat(errors())
                .containsExactlyInAnyOrder(
                        "server.prot: no such setting (did you mean server.port?), in " + file + ": 1",
                        "shutdown.grace: never (expected: 0 s-3600 s)",
                        "logs.level: loud (expected: error, warn, info, debug, trace), in " + file + ": 2",
                        "logs.max-files: 1 (expected: 2-20)",
                        "server.port: 70000 (expected: 1-65535)");
    }

    @Test
    void aSecretOnTheCommandLineIsWarnedOfWithoutBeingRepeated() throws Exception {
        run("well-behaved", "-Ddubbo.token=s3cret");
        List<String> lines = new ArrayList<>();
        // The log is written behind a queue, before or after it.
        do {
            String line = output.readLine();
            assertThat(line).as("%s", lines).isNotNull();
            lines.add(line);
        } while (!lines.contains("started"));
        signal("TERM");

        assertThat(process.waitFor()).isZero();
        output.lines().forEach(lines::add);
        assertThat(lines)
                .anyMatch(line ->
                        line.endsWith(" WARN  [main] AgentProcess: -Ddubbo.token=...: every user of this machine can"
                                + " read a command line; set dubbo.token-file to a file with it instead"))
                .noneMatch(line -> line.contains("s3cret"));
    }

    @Test
    void aPortInUseIsOneLineAndExitCodeOne() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            run("port", "-Dserver.port=" + other.getLocalPort());

            assertThat(process.waitFor()).isEqualTo(1);
            assertThat(errors()).containsExactly("server.port: " + other.getLocalPort() + " (address already in use)");
        }
    }

    @Test
    void anUnexpectedFailureIsOneLineWithItsTraceInTheLog() throws Exception {
        run("bug");

        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(errors()).containsExactly("test-agent: java.lang.IllegalStateException: a bug\\nin two lines");
        assertThat(output.lines().toList())
                .anyMatch(line -> line.startsWith("\t\tat io.dubbomesh.runtime.process.AgentProgram."));
    }

    @Test
    void theLogGoesToTheDirectoryThatIsSet() throws Exception {
        run("well-behaved", "-Dlogs.dir=" + directory.resolve("logs"));
        awaitLine("started");
        signal("TERM");

        assertThat(process.waitFor()).isZero();
        assertThat(output.lines().toList()).noneMatch(line -> line.contains("AgentProcess"));
        assertThat(Files.readAllLines(directory.resolve("logs/test-agent.log")))
                .last()
                .asString()
                .endsWith("AgentProcess: stopped");
    }

    private void run(String behaviour, String... properties) throws IOException {
        List<String> command = new ArrayList<>();
        if (OS.LINUX.isCurrentOs()) {
            // A shell without job control starts what is in its background, perhaps this build, deaf to SIGINT.
            command.addAll(List.of("env", "--default-signal=INT"));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-ea", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-Xmx64m"));
        command.addAll(List.of(properties));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), AgentProgram.class.getName(), behaviour));
        process = new ProcessBuilder(command).redirectError(errorFile()).start();
        output = process.inputReader();
    }

    private void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        assertThat(kill.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(kill.exitValue()).isZero();
    }

    /** Lines of the log end with the message, those of the program are nothing else. */
    private void awaitLine(String end) throws IOException {
        String line;
        do {
            line = output.readLine();
            assertThat(line)
                    .as("%s, before the output's end; errors: %s", end, errors())
                    .isNotNull();
        } while (!line.endsWith(end));
    }

    private List<String> errors() throws IOException {
        return Files.readAllLines(errorFile().toPath());
    }

    private File errorFile() {
        return directory.resolve("stderr").toFile();
    }
}
