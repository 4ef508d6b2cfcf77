package io.dubbomesh.acceptance.installation;

import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.process.CompletedProcess;
import io.dubbomesh.testsupport.process.RunningProcess;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests how a script that has started processes ends: its output, the order of the ends, and the second Ctrl-C. */
@Timeout(180)
class ScriptEndTest {
    private static final Duration TO_END = Duration.ofSeconds(30);

    /** A process that takes SIGINT even where it was started with that signal ignored, as etcd does. */
    private static final String PROCESS = """
            import os, signal, sys, time
            name, patience = sys.argv[1:]
            def end(number, frame):
                if patience != "none":
                    with open("ended", "a") as ended:
                        print(name, signal.Signals(number).name, file=ended)
                    sys.exit(0)
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, end)
            open(name, "w").write(str(os.getpid()))
            while True:
                time.sleep(60)
            """;

    private Path directory;

    @BeforeEach
    void makeDirectory(TestInfo test) throws Exception {
        directory = Mesh.named("ScriptEndTest-" + test.getDisplayName().replaceAll("\\W+", "-"))
                .directory();
        Files.writeString(directory.resolve("process.py"), PROCESS);
    }

    /**
     * Runs a script that starts both, in a process group of its own as a terminal would.
     *
     * @param callee how the last process ends: "some" takes signals, "none" ignores them
     */
    private RunningProcess script(String callee) throws Exception {
        String script =
                """
                cd %s
                source %s
                use_work_directory
                start callee python3 process.py callee %s
                start caller-1 python3 process.py caller-1 some
                await callee 30 test -s callee
                await caller-1 30 test -s caller-1
                echo started
                while true; do
                  sleep 1 &
                  wait "$!"
                done
                """.formatted(directory, Path.of("../..", "scripts", "lib.sh").toRealPath(), callee);
        RunningProcess process = RunningProcess.start(
                directory.resolve("script.log"),
                List.of("env", "--default-signal=HUP,INT,TERM", "setsid", "bash", "-c", script));
        process.awaitOutput("started", TO_END);
        return process;
    }

    private static void send(String signal, String target) {
        CompletedProcess.run("kill", "-" + signal, "--", target).requireSuccess();
    }

    /** A terminal sends Ctrl-C to all processes of the group, {@code kill} sends to one. */
    @ParameterizedTest
    @CsvSource({"INT, -, 130", "TERM, '', 143", "HUP, -, 129"})
    void aSignalIsAnsweredWithWhatEndsAndCallersEndBeforeTheirCallees(String signal, String group, int exitCode)
            throws Exception {
        RunningProcess script = script("some");

        send(signal, group + script.pid());

        assertThat(script.awaitExit(TO_END)).isEqualTo(exitCode);
        assertThat(script.output()).isEqualTo("started\nending caller-1, callee (Ctrl-C again kills them)\n");
        assertThat(directory.resolve("ended")).hasContent("caller-1 SIGTERM\ncallee SIGTERM\n");
    }

    @Test
    void aSecondSignalKillsWhatDoesNotEnd() throws Exception {
        RunningProcess script = script("none");
        long callee = Long.parseLong(Files.readString(directory.resolve("callee")));
        send("INT", "-" + script.pid());
        Await.until("the caller has ended", () -> Files.exists(directory.resolve("ended")));
        assertThat(script.isAlive()).isTrue();

        send("INT", "-" + script.pid());

        assertThat(script.awaitExit(TO_END)).isEqualTo(130);
        assertThat(ProcessHandle.of(callee)).isEmpty();
    }
}
