package io.dubbomesh.benchmark.process;

import io.dubbomesh.testsupport.process.CompletedProcess;
import io.dubbomesh.testsupport.process.RunningProcess;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Starts programs, each with a log of its output in one directory, waits until they are ready, and ends them all. Used
 * by one thread; {@link #close} may be called by any.
 */
public final class Programs {
    private static final long POLL_MS = 20;

    /** Longer than the agents' own shutdown.grace. */
    private static final Duration GRACE = Duration.ofSeconds(15);

    private static final Duration HTTP_TIMEOUT = Duration.ofSeconds(2);
    private static final int REPORTED_LINES = 30;

    private final Path directory;
    private final List<Program> running = new ArrayList<>();
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(HTTP_TIMEOUT).build();
    private boolean closed;

    public Programs(Path directory) {
        this.directory = directory;
    }

    public Path directory() {
        return directory;
    }

    public Program start(String name, List<String> command) throws IOException {
        return start(name, command, Map.of());
    }

    public Program start(String name, List<String> command, Map<String, String> environment) throws IOException {
        return start(name, command, environment, null);
    }

    /** A JVM like this one, with a log of its collections. */
    public Program startJava(String name, List<String> arguments) throws IOException {
        Path gcLog = unused(name, ".gc");
        List<String> command = java(arguments);
        command.add(1, GcLog.flag(gcLog));
        return start(name, command, Map.of(), gcLog);
    }

    /** The command of a JVM like this one. */
    public static List<String> java(List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(tool("java")));
        command.addAll(arguments);
        return command;
    }

    /** A program of the JDK that this process runs on. */
    static String tool(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    /** @param first a program and options without spaces in them */
    public static List<String> command(String first, String... more) {
        List<String> command = new ArrayList<>(List.of(first.split(" ")));
        command.addAll(List.of(more));
        return command;
    }

    private synchronized Program start(String name, List<String> command, Map<String, String> environment, Path gcLog)
            throws IOException {
        if (closed) {
            throw new IOException("the run is being ended");
        }
        Path log = unused(name, ".log");
        // The harness handles the terminal's Ctrl-C and ends callers before callees.
        Program program = new Program(name, RunningProcess.startDetached(log, command, environment), gcLog);
        running.add(program);
        return program;
    }

    /** Several programs may have the same name, one after the other or at once. */
    private Path unused(String name, String suffix) {
        Path path = directory.resolve(name + suffix);
        for (int i = 2; Files.exists(path); i++) {
            path = directory.resolve(name + "-" + i + suffix);
        }
        return path;
    }

    /** Runs a command to its end, and returns its output. */
    public static String outputOf(String... command) throws IOException, InterruptedException {
        return CompletedProcess.run(command).requireSuccess();
    }

    public void awaitOutput(Program program, String text, int seconds) throws IOException, InterruptedException {
        await(program, seconds, POLL_MS, () -> program.output().contains(text));
    }

    public void awaitHttp(Program program, String url, int seconds) throws IOException, InterruptedException {
        awaitHttp(program, HttpRequest.newBuilder(URI.create(url)), seconds, POLL_MS);
    }

    /** Until the request is answered with status 200. */
    public void awaitHttp(Program program, HttpRequest.Builder request, int seconds, long pollMs)
            throws IOException, InterruptedException {
        HttpRequest built = request.timeout(HTTP_TIMEOUT).build();
        await(program, seconds, pollMs, () -> isOk(built));
    }

    private boolean isOk(HttpRequest request) throws InterruptedException {
        try {
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    private interface Condition {
        boolean holds() throws IOException, InterruptedException;
    }

    private static void await(Program program, int seconds, long pollMs, Condition ready)
            throws IOException, InterruptedException {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!ready.holds()) {
            if (!program.process().isAlive()) {
                throw failure(program, "ended during its start");
            }
            if (System.nanoTime() - endNs > 0) {
                throw failure(program, "was not ready after " + seconds + " s");
            }
            Thread.sleep(pollMs);
        }
    }

    private static BenchException failure(Program program, String what) throws IOException {
        List<String> lines = program.output().lines().toList();
        List<String> last = lines.subList(Math.max(0, lines.size() - REPORTED_LINES), lines.size());
        return new BenchException(program.name() + " " + what + "; the end of its output:\n" + String.join("\n", last));
    }

    public synchronized void requireAlive() throws IOException {
        for (Program program : running) {
            if (!program.process().isAlive()) {
                throw failure(program, "ended unexpectedly");
            }
        }
    }

    /** The CPU time of every program that was started, ended ones included, and of the harness. */
    public synchronized CpuTime cpu() throws IOException {
        long self = ProcessHandle.current().pid();
        CpuTime sum = ProcStat.cpu(self).plus(ProcStat.cpuOfEndedChildren(self));
        for (Program program : running) {
            if (program.process().isAlive()) {
                sum = sum.plus(program.cpu());
            }
        }
        return sum;
    }

    /** Waits until it has ended by itself, and returns its output. */
    public String finish(Program program, long seconds) throws IOException, InterruptedException {
        if (!program.process().endsWithin(Duration.ofSeconds(seconds))) {
            throw failure(program, "did not end within " + seconds + " s");
        }
        synchronized (this) {
            running.remove(program);
        }
        int status = program.process().awaitExit(Duration.ZERO);
        if (status != 0) {
            throw failure(program, "ended with status " + status);
        }
        return program.output();
    }

    /** Ends it and waits for its end. */
    public synchronized void stop(Program program) throws InterruptedException {
        program.process().terminate();
        if (!program.process().endsWithin(GRACE)) {
            program.process().kill();
        }
        running.remove(program);
    }

    /** The last started first, so that callers end before callees. */
    public synchronized void stopAll() throws InterruptedException {
        while (!running.isEmpty()) {
            stop(running.get(running.size() - 1));
        }
    }

    /** Whether all programs are being ended, so that one that ends now has not failed. */
    public synchronized boolean isClosed() {
        return closed;
    }

    /** Ends all programs; no other can be started afterwards. */
    public synchronized void close() throws InterruptedException {
        closed = true;
        stopAll();
    }
}
