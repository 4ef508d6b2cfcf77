package io.dubbomesh.benchmark.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Starts programs, each with a log of its output in one directory, waits until they are ready, and ends them all. Used by one thread, but
 * {@link #stopAll} by any.
 */
final class Programs {
    private static final long POLL_MS = 20;

    /** Longer than the agents' own shutdown.grace. */
    private static final long GRACE_SECONDS = 15;

    private static final int LINES_TOLD = 30;

    private final Path directory;
    private final List<Program> running = new ArrayList<>();
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
    private boolean closed;

    /** What is to become true of a program that starts. */
    private interface Condition {
        boolean holds() throws IOException, InterruptedException;
    }

    Programs(Path directory) {
        this.directory = directory;
    }

    Path directory() {
        return directory;
    }

    Program start(String name, List<String> command) throws IOException {
        return start(name, command, Map.of(), null);
    }

    /** @param command a JVM and its arguments, which get a log of collections */
    Program startJava(String name, List<String> command) throws IOException {
        Path gcLog = fresh(name, ".gc");
        List<String> withLog = new ArrayList<>(command);
        withLog.add(1, GcLog.flag(gcLog));
        return start(name, withLog, Map.of(), gcLog);
    }

    Program start(String name, List<String> command, Map<String, String> environment) throws IOException {
        return start(name, command, environment, null);
    }

    private synchronized Program start(String name, List<String> command, Map<String, String> environment, Path gcLog)
            throws IOException {
        if (closed) {
            throw new IOException("the run is being ended");
        }
        Path log = fresh(name, ".log");
        // In a session of its own: the terminal's Ctrl-C is for the harness, which ends callers before callees.
        List<String> detached = new ArrayList<>(List.of("setsid"));
        detached.addAll(command);
        ProcessBuilder builder =
                new ProcessBuilder(detached).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        Program program = new Program(name, builder.start(), log, gcLog);
        running.add(program);
        return program;
    }

    /** Several programs may have the same name, one after the other or at once. */
    private Path fresh(String name, String suffix) {
        Path path = directory.resolve(name + suffix);
        for (int i = 2; Files.exists(path); i++) {
            path = directory.resolve(name + "-" + i + suffix);
        }
        return path;
    }

    void awaitOutput(Program program, String text, int seconds)
            throws IOException, InterruptedException, BenchException {
        await(program, seconds, POLL_MS, () -> program.output().contains(text));
    }

    void awaitHttp(Program program, String url, int seconds) throws IOException, InterruptedException, BenchException {
        awaitHttp(program, url, seconds, POLL_MS);
    }

    /** Until a GET is answered with status 200. */
    void awaitHttp(Program program, String url, int seconds, long pollMs)
            throws IOException, InterruptedException, BenchException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofSeconds(2))
                .build();
        await(program, seconds, pollMs, () -> isOk(request));
    }

    private boolean isOk(HttpRequest request) throws InterruptedException {
        try {
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    private static void await(Program program, int seconds, long pollMs, Condition condition)
            throws IOException, InterruptedException, BenchException {
        long startNs = System.nanoTime();
        while (!condition.holds()) {
            if (!program.isAlive()) {
                throw failure(program, "ended during its start");
            }
            if (System.nanoTime() - startNs > TimeUnit.SECONDS.toNanos(seconds)) {
                throw failure(program, "was not ready after " + seconds + " s");
            }
            Thread.sleep(pollMs);
        }
    }

    static BenchException failure(Program program, String what) throws IOException {
        List<String> lines = program.output().lines().toList();
        return new BenchException(program.name() + " " + what + "; the end of its output:\n"
                + String.join("\n", lines.subList(Math.max(0, lines.size() - LINES_TOLD), lines.size())));
    }

    synchronized void requireAlive() throws IOException, BenchException {
        for (Program program : running) {
            if (!program.isAlive()) {
                throw failure(program, "has ended unexpectedly");
            }
        }
    }

    /** The CPU time of all that was started, whether it has ended or not, and of the harness. */
    synchronized CpuTime cpu() throws IOException {
        long self = ProcessHandle.current().pid();
        CpuTime sum = ProcStat.cpu(self).plus(ProcStat.cpuOfEndedChildren(self));
        for (Program program : running) {
            if (program.isAlive()) {
                sum = sum.plus(program.cpu());
            }
        }
        return sum;
    }

    /** Waits until it has ended by itself, and returns its output. */
    String finish(Program program, long seconds) throws IOException, InterruptedException, BenchException {
        if (!program.process().waitFor(seconds, TimeUnit.SECONDS)) {
            throw failure(program, "has not ended after " + seconds + " s");
        }
        synchronized (this) {
            running.remove(program);
        }
        if (program.process().exitValue() != 0) {
            throw failure(program, "ended with status " + program.process().exitValue());
        }
        return program.output();
    }

    /** Ends it and waits for its end. */
    synchronized void stop(Program program) throws InterruptedException {
        program.process().destroy();
        if (!program.process().waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
            program.process().destroyForcibly().waitFor();
        }
        running.remove(program);
    }

    /** The last started first, so that whoever calls is ended before whoever is called. */
    synchronized void stopAll() throws InterruptedException {
        List<Program> lastFirst = new ArrayList<>(running);
        Collections.reverse(lastFirst);
        for (Program program : lastFirst) {
            stop(program);
        }
    }

    /** Whether all are being ended, so that what ends now has not failed. */
    synchronized boolean isClosed() {
        return closed;
    }

    /** Ends all, and lets nothing be started any more. */
    synchronized void close() throws InterruptedException {
        closed = true;
        stopAll();
    }
}
