package io.dubbomesh.runtime.training;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** An agent whose JVM writes an archive when it ends. */
final class TrainedAgent {
    private static final int READY_SECONDS = 60;
    /** The JVM writes an AOT cache by another one that it starts. */
    private static final int WRITE_SECONDS = 120;

    private static final int POLL_MS = 20;

    private final Path jar;
    private final Path archive;
    private final Path unfinished;
    private final Path log;
    private final int port;
    private final int adminPort;
    /** Null before the start. */
    private Process process;

    TrainedAgent(Path directory, int index, Path jar, Path archive) throws IOException {
        // A JVM of version 17 looks for the jar where it was.
        this.jar = jar.toAbsolutePath();
        this.archive = archive.toAbsolutePath();
        // Another process may make the same one.
        unfinished = this.archive.resolveSibling(
                archive.getFileName() + "." + ProcessHandle.current().pid());
        log = directory.resolve("agent-" + index + ".log");
        port = freePort();
        adminPort = freePort();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    int port() {
        return port;
    }

    /**
     * Starts it.
     *
     * @param flags    of the JVM
     * @param settings that win
     */
    void start(List<String> flags, List<String> settings, int providerPort) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(archiveFlags());
        command.addAll(List.of(
                "-Dserver.host=127.0.0.1",
                "-Dserver.port=" + port,
                "-Dadmin.port=" + adminPort,
                "-Dadvertise.host=127.0.0.1"));
        command.addAll(settings);
        command.addAll(List.of("-jar", jar.toString()));
        ProcessBuilder builder = new ProcessBuilder(command);
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("DUBBOMESH_"));
        // Variables, since a consumer agent refuses properties that only a provider agent knows.
        environment.put("DUBBOMESH_DUBBO_SERVICES", TrainingProvider.SERVICE);
        environment.put("DUBBOMESH_DUBBO_PROTOCOL_PORT", Integer.toString(providerPort));
        process = builder.redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /** Returns whether its archive is an AOT cache, and not a class archive. */
    boolean makesAotCache() {
        return archive.toString().endsWith(".aot");
    }

    private List<String> archiveFlags() {
        return makesAotCache()
                ? List.of("-XX:AOTCacheOutput=" + unfinished, "-Xlog:aot=error", "-Xlog:cds=error")
                : List.of("-XX:ArchiveClassesAtExit=" + unfinished, "-Xlog:cds=error", "-Xlog:cds+dynamic=error");
    }

    void awaitReady() throws IOException, InterruptedException {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_SECONDS);
        while (TrainingCalls.get(adminPort, "/readyz") != TrainingCalls.OK) {
            if (!process.isAlive()) {
                throw failure("the agent ended");
            }
            if (System.nanoTime() - endNs > 0) {
                throw failure("the agent was not ready after " + READY_SECONDS + " s");
            }
            Thread.sleep(POLL_MS);
        }
    }

    void readMetrics() {
        TrainingCalls.get(adminPort, "/healthz");
        TrainingCalls.get(adminPort, "/metrics");
    }

    /** Ends it, and keeps its archive. */
    void finish() throws IOException, InterruptedException {
        process.destroy();
        if (!process.waitFor(WRITE_SECONDS, TimeUnit.SECONDS)) {
            throw failure("the JVM did not end within " + WRITE_SECONDS + " s");
        }
        if (process.exitValue() != 0 || !Files.exists(unfinished)) {
            throw failure("the JVM ended with exit code " + process.exitValue());
        }
        Files.move(unfinished, archive, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Ends it at once, if it still runs, and leaves nothing unfinished. */
    void kill() throws IOException {
        if (process != null) {
            // The JVM has a child that writes an AOT cache.
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().onExit().join();
        }
        Files.deleteIfExists(unfinished);
        Files.deleteIfExists(unfinished.resolveSibling(unfinished.getFileName() + ".config"));
    }

    private IOException failure(String reason) throws IOException {
        return new IOException(archive + " was not made: " + reason + '\n'
                + Files.readString(log).strip());
    }
}
