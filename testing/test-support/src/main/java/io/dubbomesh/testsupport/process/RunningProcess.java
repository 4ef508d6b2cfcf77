package io.dubbomesh.testsupport.process;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.dubbomesh.testsupport.Await;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/** A process and its output, which goes to a log file. */
public final class RunningProcess {
    /** The result with which the answer of an attach listener begins. */
    private static final String SUCCESS = "0\n";

    private static final long TO_ANSWER_SECONDS = 60;

    static {
        // Ten seconds by default, which a busy machine may need.
        System.setProperty(
                "sun.tools.attach.attachTimeout", Long.toString(TimeUnit.SECONDS.toMillis(TO_ANSWER_SECONDS)));
    }

    private static final Set<Process> ALIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ALIVE.forEach(Process::destroyForcibly)));
    }

    private final Path log;
    private final List<String> command;
    private final long logStart;
    private final Process process;
    private volatile boolean killed;
    private volatile int expectedExitCode;

    private RunningProcess(Path log, List<String> command, Map<String, String> environment) throws IOException {
        this.log = log;
        this.command = command;
        Files.createDirectories(log.toAbsolutePath().getParent());
        logStart = Files.exists(log) ? Files.size(log) : 0;
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        process = builder.start();
    }

    /**
     * Starts a process that is destroyed with this JVM at the latest.
     *
     * @param log is appended to, so that a process that is started again does not overwrite the output of the one
     *     before
     */
    public static RunningProcess start(Path log, List<String> command) throws IOException {
        RunningProcess started = new RunningProcess(log, command, Map.of());
        ALIVE.add(started.process);
        started.process.onExit().thenAccept(ALIVE::remove);
        return started;
    }

    /**
     * Starts a process in a session of its own: the terminal's Ctrl-C and the end of this JVM do not end it, its owner
     * does.
     */
    public static RunningProcess startDetached(Path log, List<String> command, Map<String, String> environment)
            throws IOException {
        List<String> detached = new ArrayList<>(List.of("setsid"));
        detached.addAll(command);
        return new RunningProcess(log, detached, environment);
    }

    /** Starts the same command once more. */
    public RunningProcess again() throws IOException {
        return start(log, command);
    }

    /**
     * Returns once the output contains the text.
     *
     * @throws AssertionError if the process ends or the time is over before
     */
    public void awaitOutput(String text, Duration time) throws InterruptedException {
        boolean[] found = new boolean[1];
        try {
            Await.until(time, text, () -> {
                boolean ended = !process.isAlive();
                found[0] = output().contains(text);
                return found[0] || ended;
            });
        } catch (Exception | AssertionError e) {
            throw new AssertionError(log.getFileName() + ": " + e.getMessage() + "; its output:\n" + output(), e);
        }
        if (!found[0]) {
            throw new AssertionError(log.getFileName() + " has ended without \"" + text + "\":\n" + output());
        }
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public long pid() {
        return process.pid();
    }

    /** Returns its process id and those of its running child processes. */
    public List<Long> pids() {
        List<Long> pids = new ArrayList<>(List.of(pid()));
        process.descendants().forEach(descendant -> pids.add(descendant.pid()));
        return pids;
    }

    /** Returns whether it was ended by {@link #kill}, so that its exit code means nothing. */
    public boolean wasKilled() {
        return killed;
    }

    /** Called for a process that is expected to end with another code than 0. */
    public void expectExitCode(int code) {
        expectedExitCode = code;
    }

    public int expectedExitCode() {
        return expectedExitCode;
    }

    public Path log() {
        return log;
    }

    /** Returns what it has printed since this start. */
    public String output() {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            byte[] printed = new byte[(int) Math.max(0, file.length() - logStart)];
            file.seek(logStart);
            file.readFully(printed);
            return new String(printed, UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the stream that is its standard input. */
    public OutputStream input() {
        return process.getOutputStream();
    }

    public void send(Signal signal) {
        signal.send(process.pid());
    }

    /** Sends SIGTERM and returns at once. */
    public void terminate() {
        process.destroy();
    }

    /** Forces a garbage collection of a JVM, after which Netty finds leaked buffers. */
    public void collectGarbage() throws IOException, AttachNotSupportedException {
        jcmd("GC.run");
    }

    /** Returns what the threads of a JVM do, or why that is not known; nothing of another process. */
    private String threads() {
        // To attach sends a signal that ends any other process.
        if (!process.info().command().orElse("").endsWith("/java")) {
            return "";
        }
        try {
            return jcmd("Thread.print");
        } catch (IOException | AttachNotSupportedException e) {
            return e.toString();
        }
    }

    /**
     * Has a JVM execute a command of jcmd: at the socket of its attach listener, for which jcmd would start one more
     * JVM.
     */
    private String jcmd(String command) throws IOException, AttachNotSupportedException {
        String id = Long.toString(pid());
        // The JVM listens from now on.
        VirtualMachine.attach(id).detach();
        try (SocketChannel listener = SocketChannel.open(UnixDomainSocketAddress.of("/tmp/.java_pid" + id))) {
            listener.write(US_ASCII.encode("1\0jcmd\0" + command + "\0\0\0"));
            // A JVM that does not come to rest does not answer.
            CompletableFuture.delayedExecutor(TO_ANSWER_SECONDS, TimeUnit.SECONDS)
                    .execute(() -> closeQuietly(listener));
            String answer = new String(Channels.newInputStream(listener).readAllBytes(), UTF_8);
            if (!answer.startsWith(SUCCESS)) {
                throw new IOException(this + " answers to " + command + ": " + answer);
            }
            return answer.substring(SUCCESS.length());
        }
    }

    private static void closeQuietly(Closeable closed) {
        try {
            closed.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends SIGKILL and returns when it has ended. */
    public void kill() throws InterruptedException {
        killed = true;
        process.destroyForcibly().waitFor();
    }

    /** Returns whether it ends within this time. */
    public boolean endsWithin(Duration time) throws InterruptedException {
        return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Returns its exit code once it has ended.
     *
     * @throws AssertionError if it is still there when the time is over; has what the threads of a JVM do
     */
    public int awaitExit(Duration time) throws InterruptedException {
        if (!endsWithin(time)) {
            throw new AssertionError(
                    log.getFileName() + " has not ended after " + time.toMillis() + " ms:\n" + threads());
        }
        return process.exitValue();
    }

    @Override
    public String toString() {
        return log.getFileName().toString();
    }
}
