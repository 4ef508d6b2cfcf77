package io.dubbomesh.acceptance.mesh;

import io.dubbomesh.testsupport.process.RunningProcess;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A real Dubbo provider, and the calls that it has executed. */
public final class Dubbo {
    private static final Duration TO_START = Duration.ofMinutes(3);

    private final int port;
    private final Path callsFile;
    private RunningProcess process;

    public Dubbo(int port, Path callsFile, RunningProcess process) {
        this.port = port;
        this.callsFile = callsFile;
        this.process = process;
    }

    public int port() {
        return port;
    }

    public void awaitListening() throws InterruptedException {
        process.awaitOutput(": listening on ", TO_START);
    }

    public void kill() throws InterruptedException {
        process.kill();
    }

    public void startAgain() throws Exception {
        process = process.again();
        awaitListening();
    }

    public RunningProcess process() {
        return process;
    }

    /** Returns the results of the calls executed so far. */
    public List<Integer> results() throws IOException {
        if (!Files.exists(callsFile)) {
            return List.of();
        }
        return Files.readAllLines(callsFile).stream().map(Integer::valueOf).toList();
    }

    public int executed() throws IOException {
        return results().size();
    }
}
