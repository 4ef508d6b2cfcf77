package io.dubbomesh.acceptance.document;

import io.dubbomesh.acceptance.mesh.Browser;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.process.RunningProcess;
import io.dubbomesh.testsupport.process.Signal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The mesh of {@code scripts/demo.sh} in a network namespace of its own, where all ports that the pages name are free,
 * and commands that are typed beside it.
 *
 * <p>The current directory of all of them is a {@link SourceTree#linkedIn copy of the tree by links}.
 */
final class DemoMesh {
    private static final Duration TO_START = Duration.ofMinutes(8);
    private static final Duration TO_END = Duration.ofSeconds(60);
    private static final int ENDED_BY_SIGTERM = 143;

    private final Path directory;
    private final Path logs;
    private final RunningProcess demo;
    private final AtomicInteger commands = new AtomicInteger();

    private DemoMesh(Path directory, Path logs, RunningProcess demo) {
        this.directory = directory;
        this.logs = logs;
        this.demo = demo;
    }

    static DemoMesh start(String name) throws Exception {
        Path logs = Mesh.named(name).directory();
        Path directory = SourceTree.linkedIn(logs);
        addMeshctl(directory);
        // The optimising compiler would take the processors from the other tests.
        List<String> command =
                new ArrayList<>(List.of("env", "--chdir=" + directory, "JAVA_OPTS=-XX:TieredStopAtLevel=1", "unshare"));
        if (!isRoot()) {
            command.addAll(List.of("--user", "--map-root-user"));
        }
        command.addAll(List.of("--net", "bash", "-c", "ip link set lo up && exec ./scripts/demo.sh"));
        DemoMesh mesh = new DemoMesh(directory, logs, RunningProcess.start(logs.resolve("demo.log"), command));
        mesh.demo.expectExitCode(ENDED_BY_SIGTERM);
        mesh.demo.awaitOutput("Ctrl-C ends it all.", TO_START);
        return mesh;
    }

    /** Adds meshctl where a release has it, in its {@code bin/}. */
    private static void addMeshctl(Path directory) throws IOException {
        Path meshctl = Files.createDirectory(directory.resolve("bin")).resolve("meshctl");
        Files.writeString(meshctl, "#!/bin/sh\nexec " + directory.resolve("scripts/meshctl.sh") + " \"$@\"\n");
        Files.setPosixFilePermissions(meshctl, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    Path directory() {
        return directory;
    }

    String output() {
        return demo.output();
    }

    /** Runs it in bash, and returns when it has ended, with what it printed to a terminal. */
    Result run(String script, Duration time) throws Exception {
        RunningProcess process = startBeside(script);
        try {
            return new Result(process.awaitExit(time), process.output());
        } catch (AssertionError e) {
            process.kill();
            throw new AssertionError(script + "\n" + process.output(), e);
        }
    }

    /** Runs it in bash. */
    RunningProcess startBeside(String script) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "env",
                "--chdir=" + directory,
                "PATH=" + directory.resolve("bin") + ":" + System.getenv("PATH"),
                // Node.js 18 calls its fetch experimental.
                "NODE_NO_WARNINGS=1"));
        command.addAll(enter());
        command.addAll(List.of("bash", "-e", "-o", "pipefail", "-c", script));
        return RunningProcess.start(logs.resolve("command-" + commands.incrementAndGet() + ".log"), command);
    }

    /** The beginning of a command that is to run in the namespace. */
    private List<String> enter() {
        List<String> command = new ArrayList<>(List.of("nsenter", "--net=/proc/" + demo.pid() + "/ns/net"));
        if (!isRoot()) {
            command.addAll(List.of("--user=/proc/" + demo.pid() + "/ns/user", "--preserve-credentials"));
        }
        return command;
    }

    Browser browser() throws IOException {
        Path chromium = logs.resolve("chromium");
        Files.writeString(chromium, "#!/bin/sh\nexec " + String.join(" ", enter()) + " chromium \"$@\"\n");
        Files.setPosixFilePermissions(chromium, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new Browser(chromium.toFile());
    }

    void end() throws Exception {
        if (demo.isAlive()) {
            demo.send(Signal.TERM);
        }
        assertThat(demo.awaitExit(TO_END)).as(demo.output()).isEqualTo(demo.expectedExitCode());
    }

    record Result(int exitCode, String output) {}
}
