package io.dubbomesh.acceptance.mesh;

import io.dubbomesh.testsupport.process.RunningProcess;
import io.dubbomesh.testsupport.process.Signal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The classes of a jar as the JVM maps them into memory (JEP 350), which takes a third of a start's CPU time away. The
 * first test that needs it makes it beside the jar, for the tests of all JVMs.
 */
final class ClassArchive {
    private static final Duration TO_MAKE = Duration.ofMinutes(2);
    private static final Path LOGS = Path.of("target", "logs", "archives");

    private ClassArchive() {}

    /**
     * Returns the flag for a JVM that has the jar first on its class path.
     *
     * @param flags of the JVM, which has to be the same for every start
     * @param properties with which the program starts, and prints {@code listening on}, without anything else
     */
    static String flag(Path jar, String java, List<String> flags, List<String> properties) throws IOException {
        makeIfOutdated(List.of(jar), java, () -> make(jar, java, flags, properties));
        return "-XX:SharedArchiveFile=" + archive(jar, java);
    }

    /**
     * Returns the flag for a JVM of an agent. The archives of both agents are made by the training run of a release, in
     * which calls go through them, so that they hold what agents load for calls and for etcd too.
     *
     * @param jar that of one of the two agents
     * @param flags of the JVM, which has to be the same for every start
     */
    static String flagOfAgent(Path jar, String java, List<String> flags, Path consumerAgent, Path providerAgent)
            throws IOException {
        makeIfOutdated(
                List.of(consumerAgent, providerAgent), java, () -> train(java, flags, consumerAgent, providerAgent));
        return "-XX:SharedArchiveFile=" + archive(jar, java);
    }

    private static Path archive(Path jar, String java) {
        // Another JDK has archives of its own.
        return jar.resolveSibling(jar.getFileName() + "-" + Integer.toHexString(java.hashCode()) + ".jsa");
    }

    private interface Making {
        void run() throws IOException, InterruptedException;
    }

    private static synchronized void makeIfOutdated(List<Path> jars, String java, Making making) throws IOException {
        Path lock = jars.get(0).resolveSibling(jars.get(0).getFileName() + ".lock");
        try (FileChannel file = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            // Until the channel is closed.
            file.lock();
            for (Path jar : jars) {
                if (isOutdated(archive(jar, java), jar)) {
                    making.run();
                    return;
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isOutdated(Path archive, Path jar) throws IOException {
        return !Files.exists(archive)
                || Files.getLastModifiedTime(archive).compareTo(Files.getLastModifiedTime(jar)) < 0;
    }

    private static void make(Path jar, String java, List<String> flags, List<String> properties)
            throws IOException, InterruptedException {
        Path archive = archive(jar, java);
        Path unfinished = archive.resolveSibling(archive.getFileName() + ".unfinished");
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(flags);
        command.addAll(List.of("-XX:ArchiveClassesAtExit=" + unfinished, "-Xlog:cds=error", "-Xlog:cds+dynamic=error"));
        command.addAll(properties);
        command.addAll(List.of("-jar", jar.toString()));
        RunningProcess program = RunningProcess.start(LOGS.resolve(archive.getFileName() + ".log"), command);
        program.awaitOutput("listening on ", TO_MAKE);
        program.send(Signal.TERM);
        program.awaitExit(TO_MAKE);
        Files.move(unfinished, archive, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void train(String java, List<String> flags, Path consumerAgent, Path providerAgent)
            throws IOException, InterruptedException {
        RunningProcess run = RunningProcess.start(
                LOGS.resolve("agents.log"),
                List.of(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        consumerAgent.toString(),
                        "io.dubbomesh.runtime.training.TrainingRun",
                        String.join(" ", flags),
                        consumerAgent.toString(),
                        archive(consumerAgent, java).toString(),
                        providerAgent.toString(),
                        archive(providerAgent, java).toString()));
        if (run.awaitExit(TO_MAKE) != 0) {
            throw new AssertionError(run.output());
        }
    }
}
