package io.dubbomesh.runtime.process;

import io.dubbomesh.runtime.FatalErrors;
import io.dubbomesh.runtime.PrintableText;
import io.dubbomesh.runtime.logging.LogSettings;
import io.dubbomesh.runtime.logging.Logging;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.runtime.settings.SettingsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.security.Security;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A process with one agent: reads the settings, starts the log and the agent, and stops the agent at SIGTERM or SIGINT.
 * Scripts rely on the exit codes and on what is written to standard error:
 *
 * <table>
 *   <caption>Exit codes</caption>
 *   <tr><td>0</td><td>stopped by SIGTERM or SIGINT</td></tr>
 *   <tr><td>1</td><td>not started, with one line on standard error; or not stopped within the grace and a
 *   second</td></tr>
 *   <tr><td>2</td><td>wrong settings, with a line for each on standard error</td></tr>
 *   <tr><td>3</td><td>ended immediately since memory was used up, as by -XX:+ExitOnOutOfMemoryError</td></tr>
 *   <tr><td>130, 143</td><td>ended immediately by a second signal, SIGINT or SIGTERM</td></tr>
 * </table>
 */
public final class AgentProcess {
    private static final Logger log = LoggerFactory.getLogger(AgentProcess.class);
    private static final int FAILED = 1;
    private static final int WRONG_SETTING = 2;
    private static final int OUT_OF_MEMORY = 3;
    private static final int BYTES_PER_MIB = 1 << 20;
    private static final long FORCE_AFTER_GRACE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final String UNKNOWN_HOST_SECONDS = "networkaddress.cache.negative.ttl";
    private static final String JDK_UNKNOWN_HOST_SECONDS = "10";
    /** The time for the log line of a second signal. */
    private static final long LAST_LINE_MS = 200;

    private static final Duration MAX_GRACE = Duration.ofHours(1);

    /** The name in the log until the settings tell another. */
    private String name = "agent";

    private final CompletableFuture<Agent> started = new CompletableFuture<>();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final AtomicBoolean ending = new AtomicBoolean();
    private volatile long graceNs = TimeUnit.SECONDS.toNanos(8);

    /** Starts an agent; throws SettingsException or StartException for settings and addresses that cannot be used. */
    @FunctionalInterface
    public interface Start<S> {
        Agent start(S settings) throws Exception;
    }

    private AgentProcess() {}

    /**
     * Runs an agent on the calling thread until the process ends; never returns.
     *
     * @param referenceResource of its {@link Settings}; besides the keys of {@link LogSettings} it has
     *     {@code shutdown.grace}
     * @param reader reads all settings of the agent
     * @param name   of the program that has these settings, in its log's file name and in messages
     */
    public static <S> void run(
            String referenceResource, Function<Settings, S> reader, Function<S, String> name, Start<S> start) {
        NettyProperties.setDefaults();
        new AgentProcess().runAgent(referenceResource, reader, name, start);
    }

    /**
     * Reads all settings as {@link #run} does, and the files that they name, but starts nothing and creates nothing.
     *
     * @param reader returns what was read even if something is wrong
     * @param files  checks the files, by {@link Settings#tryCheck}
     * @throws SettingsException if a setting or a file is wrong; it has a line for each
     */
    public static <S> void check(Settings settings, Function<Settings, S> reader, Consumer<S> files) {
        graceNs(settings);
        LogSettings.check(settings);
        files.accept(reader.apply(settings));
        settings.check();
    }

    private static long graceNs(Settings settings) {
        return settings.duration("shutdown.grace", Duration.ZERO, MAX_GRACE).toNanos();
    }

    private <S> void runAgent(
            String referenceResource, Function<Settings, S> reader, Function<S, String> nameOf, Start<S> start) {
        try {
            Settings settings = Settings.load(referenceResource);
            graceNs = graceNs(settings);
            LogSettings logSettings = LogSettings.from(settings);
            S agentSettings = reader.apply(settings);
            settings.check();
            name = nameOf.apply(agentSettings);
            Logging.start(logSettings, name);
            Thread.setDefaultUncaughtExceptionHandler(
                    (thread, e) -> log.error("thread {} ended with an exception", thread.getName(), e));
            FatalErrors.handle(this::endOutOfMemory);
            limitUnknownHostCache();
            handleSignals();
            warnOfSecrets(settings);
            started.complete(start.start(agentSettings));
        } catch (SettingsException e) {
            refuse(e.problems(), WRONG_SETTING);
        } catch (StartException e) {
            refuse(List.of(e.getMessage()), FAILED);
        } catch (Throwable e) {
            log.error("start failed", e);
            refuse(List.of(name + ": " + e), FAILED);
        }
        awaitEnd();
    }

    /**
     * The JDK takes a host that a silent name server did not resolve for unknown for 10 s. Unless it is set otherwise,
     * it is asked again soon after the name server is back; connections have pauses between their attempts.
     */
    private static void limitUnknownHostCache() {
        if (JDK_UNKNOWN_HOST_SECONDS.equals(Security.getProperty(UNKNOWN_HOST_SECONDS))) {
            Security.setProperty(UNKNOWN_HOST_SECONDS, "2");
        }
    }

    private static void warnOfSecrets(Settings settings) {
        for (String key : settings.secretsOnCommandLine()) {
            log.warn(
                    "-D{}=...: every user of this machine can read a command line; set {}-file to a file with it instead",
                    key,
                    key);
        }
    }

    private void handleSignals() {
        try {
            Signals.handle(this::signal);
        } catch (ReflectiveOperationException e) {
            log.warn("signals cannot be handled: they will end the process immediately, without draining", e);
        }
    }

    private static void refuse(List<String> lines, int exitCode) {
        Logging.stop();
        lines.forEach(line -> System.err.println(PrintableText.of(line)));
        System.exit(exitCode);
    }

    private void signal(int number) {
        if (!stopping.compareAndSet(false, true)) {
            endAtOnce(number);
        }
        log.info("signal {}: stopping within {} ms", number, TimeUnit.NANOSECONDS.toMillis(graceNs));
        Thread force = new Thread(this::endByForce, "shutdown-force");
        force.setDaemon(true);
        force.start();
        new Thread(this::stop, "shutdown").start();
    }

    private static void endAtOnce(int number) {
        int exitCode = 128 + number;
        Thread withoutLog = new Thread(() -> haltAfter(LAST_LINE_MS, exitCode), "halt");
        withoutLog.setDaemon(true);
        withoutLog.start();
        log.warn("signal {} while stopping: ending at once, with exit code {}", number, exitCode);
        Logging.stop();
        Runtime.getRuntime().halt(exitCode);
    }

    /** The log may be what the stop waits for. */
    private static void haltAfter(long delayMs, int exitCode) {
        try {
            TimeUnit.MILLISECONDS.sleep(delayMs);
        } catch (InterruptedException e) {
            // Then now.
        }
        Runtime.getRuntime().halt(exitCode);
    }

    /** Waits for a start in progress, since it may already have registered the agent. */
    private void stop() {
        int exitCode = 0;
        long beginNs = System.nanoTime();
        try {
            Agent agent = started.get();
            agent.stop(Math.max(0, graceNs - (System.nanoTime() - beginNs)));
            log.info("stopped");
        } catch (Throwable e) {
            log.error("stop failed", e);
            exitCode = FAILED;
        }
        Logging.stop();
        System.exit(exitCode);
    }

    /** An agent without memory would keep its clients waiting; those of one that has ended go elsewhere. */
    private void endOutOfMemory(OutOfMemoryError error) {
        if (!ending.compareAndSet(false, true)) {
            return;
        }
        Runtime jvm = Runtime.getRuntime();
        try {
            if (String.valueOf(error.getMessage()).contains("native thread")) {
                log.error(
                        "ending: no thread could be started: {} (the limits of the system: ulimit -u, pids.max of the cgroup, or"
                                + " memory for stacks; not the heap)",
                        error.getMessage());
            } else {
                log.error(
                        "ending: out of memory: {}; {} of {} MiB of the heap are used (memory.budget bounds what is held for slow peers, -Xmx and"
                                + " -XX:MaxDirectMemorySize are the limits)",
                        error.getMessage(),
                        (jvm.totalMemory() - jvm.freeMemory()) / BYTES_PER_MIB,
                        jvm.maxMemory() / BYTES_PER_MIB);
            }
            Logging.stop();
        } finally {
            jvm.halt(OUT_OF_MEMORY);
        }
    }

    private void endByForce() {
        try {
            TimeUnit.NANOSECONDS.sleep(graceNs + FORCE_AFTER_GRACE_NS);
        } catch (InterruptedException e) {
            return;
        }
        log.error("not stopped within {} ms: ending by force", TimeUnit.NANOSECONDS.toMillis(graceNs));
        Logging.stop();
        Runtime.getRuntime().halt(FAILED);
    }

    /** Keeps the process running even if all threads of the agent are daemons. */
    private static void awaitEnd() {
        CountDownLatch never = new CountDownLatch(1);
        while (true) {
            try {
                never.await();
            } catch (InterruptedException e) {
                log.warn("interrupt of the main thread ignored");
            }
        }
    }
}
