package io.dubbomesh.acceptance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

/** A process and its output, which goes to a log file. It is destroyed with the JVM of the tests. */
final class RunningProcess {
    private static final Set<Process> ALIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ALIVE.forEach(Process::destroyForcibly)));
    }

    private final Path log;
    private final List<String> command;
    private final Process process;
    private final Thread reader;
    private final StringBuilder output = new StringBuilder();
    private volatile boolean killed;
    private volatile int expectedExitCode;

    private RunningProcess(Path log, List<String> command) throws IOException {
        this.log = log;
        this.command = command;
        Files.createDirectories(log.getParent());
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        ALIVE.add(process);
        process.onExit().thenAccept(ALIVE::remove);
        reader = new Thread(this::read, "output of " + log.getFileName());
        reader.setDaemon(true);
    }

    /**
     * @param log is appended to, so that a process that is started again does not overwrite the output of the one
     *     before
     */
    static RunningProcess start(Path log, List<String> command) throws IOException {
        RunningProcess started = new RunningProcess(log, command);
        started.reader.start();
        return started;
    }

    /** The same command once more. */
    RunningProcess again() throws IOException {
        return start(log, command);
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(UTF_8);
                PrintWriter to = new PrintWriter(Files.newBufferedWriter(log, CREATE, APPEND))) {
            String line;
            while ((line = lines.readLine()) != null) {
                to.println(line);
                to.flush();
                synchronized (output) {
                    output.append(line).append('\n');
                    output.notifyAll();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(log.toString(), e);
        }
    }

    /** @throws AssertionError if the process ends or the time is over before its output contains {@code text} */
    void awaitOutput(String text, Duration time) throws InterruptedException {
        long endNs = System.nanoTime() + time.toNanos();
        synchronized (output) {
            while (output.indexOf(text) < 0) {
                long leftMs = TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime());
                if (leftMs <= 0 || !process.isAlive() && !reader.isAlive()) {
                    throw new AssertionError(log.getFileName() + " did not print \"" + text + "\" but:\n" + output);
                }
                // Not longer: the end of the process is not signalled here.
                output.wait(Math.min(leftMs, 100));
            }
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    /** Whether it was ended by {@link #kill}, so that its exit code means nothing. */
    boolean wasKilled() {
        return killed;
    }

    /** For a process that is expected to end with another code than 0. */
    void expectExitCode(int code) {
        expectedExitCode = code;
    }

    int expectedExitCode() {
        return expectedExitCode;
    }

    Path log() {
        return log;
    }

    String output() {
        synchronized (output) {
            return output.toString();
        }
    }

    void send(Signal signal) throws IOException, InterruptedException {
        signal.send(process.pid());
    }

    /** Of a JVM: forces a garbage collection, after which Netty finds leaked buffers. */
    void collectGarbage() throws IOException, InterruptedException {
        jcmd("GC.run").redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
    }

    private ProcessBuilder jcmd(String command) {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        return new ProcessBuilder(jcmd, Long.toString(process.pid()), command).redirectErrorStream(true);
    }

    private String threads() {
        try (InputStream dump = jcmd("Thread.print").start().getInputStream()) {
            return new String(dump.readAllBytes(), UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Ends it at once and returns when it is gone. */
    void kill() throws InterruptedException {
        killed = true;
        process.destroyForcibly().waitFor();
    }

    /** @throws AssertionError if it is still there when the time is over; has what its threads do, of a JVM */
    int awaitExit(Duration time) throws InterruptedException {
        if (!process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError(
                    log.getFileName() + " has not ended after " + time.toMillis() + " ms:\n" + threads());
        }
        reader.join(time.toMillis());
        return process.exitValue();
    }
}
