package io.dubbomesh.benchmark.process;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(30)
class ProgramsTest {
    @TempDir
    private Path directory;

    private Programs programs;

    @BeforeEach
    void create() {
        programs = new Programs(directory);
    }

    @AfterEach
    void close() throws InterruptedException {
        programs.close();
    }

    @Test
    void aProgramThatEndsDuringItsStartIsReportedWithItsOutput() throws IOException {
        Program program = start("server", "echo port 1 is in use; exit 3");

        assertThatThrownBy(() -> programs.awaitOutput(program, "listening", 10))
                .isInstanceOf(BenchException.class)
                .hasMessageStartingWith("server ended during its start")
                .hasMessageContaining("port 1 is in use");
    }

    @Test
    void theOutputOfAFailedProgramIsRefused() throws IOException {
        Program program = start("load", "echo no route; exit 2");

        assertThatThrownBy(() -> programs.finish(program, 10))
                .hasMessageStartingWith("load ended with status 2")
                .hasMessageContaining("no route");
    }

    @Test
    void aProgramThatEndedIsNoticed() throws IOException, InterruptedException {
        Program program = start("agent", "exec sleep 60");
        programs.requireAlive();

        program.process().kill();

        assertThatThrownBy(() -> programs.requireAlive()).hasMessageStartingWith("agent ended unexpectedly");
    }

    @Test
    void theLastStartedEndsFirst() throws IOException, InterruptedException {
        Path order = directory.resolve("order");
        for (String name : List.of("provider", "agent", "load")) {
            String trap =
                    "trap 'echo " + name + " >>" + order + "; exit 0' TERM; echo ready; while :; do sleep 0.05; done";
            programs.awaitOutput(start(name, trap), "ready", 10);
        }

        programs.stopAll();

        assertThat(order).hasContent("load\nagent\nprovider");
    }

    @Test
    void nothingIsStartedAfterTheClose() throws InterruptedException {
        programs.close();

        assertThatThrownBy(() -> start("late", "exec sleep 60")).hasMessage("the run is being ended");
    }

    @Test
    void programsOfOneNameHaveTheirOwnLogs() throws IOException, InterruptedException {
        assertThat(programs.finish(start("load", "echo one"), 10)).isEqualTo("one\n");
        assertThat(programs.finish(start("load", "echo two"), 10)).isEqualTo("two\n");
        assertThat(Files.readString(directory.resolve("load-2.log"))).isEqualTo("two\n");
    }

    @Test
    void childProcessesCountAsPartOfTheirParent() throws IOException, InterruptedException {
        Program parent = start("parent", "sleep 60 & echo ready; wait");
        programs.awaitOutput(parent, "ready", 10);

        assertThat(parent.rssKib()).isGreaterThan(ProcStat.rssKib(parent.pid()));
    }

    private Program start(String name, String script) throws IOException {
        return programs.start(name, List.of("sh", "-c", script), Map.of());
    }
}
