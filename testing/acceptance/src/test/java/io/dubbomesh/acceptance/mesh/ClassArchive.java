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

    private ClassArchive() {}

    /**
     * Returns the flag for a JVM that has the jar first on its class path.
     *
     * @param flags of the JVM, which has to be the same for every start
     * @param properties with which the program starts, and prints {@code listening on}, without anything else
     */
    static synchronized String flag(Path jar, String java, List<String> flags, List<String> properties)
            throws IOException {
        // Another JDK has archives of its own.
        String name = jar.getFileName() + "-" + Integer.toHexString(java.hashCode());
        Path archive = jar.resolveSibling(name + ".jsa");
        try (FileChannel file = FileChannel.open(
                jar.resolveSibling(name + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            // Until the channel is closed.
            file.lock();
            if (!Files.exists(archive)
                    || Files.getLastModifiedTime(archive).compareTo(Files.getLastModifiedTime(jar)) < 0) {
                make(archive, jar, java, flags, properties);
            }
        }
        return "-XX:SharedArchiveFile=" + archive;
    }

    private static void make(Path archive, Path jar, String java, List<String> flags, List<String> properties)
            throws IOException {
        Path unfinished = archive.resolveSibling(archive.getFileName() + ".unfinished");
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(flags);
        command.addAll(List.of("-XX:ArchiveClassesAtExit=" + unfinished, "-Xlog:cds=error", "-Xlog:cds+dynamic=error"));
        command.addAll(properties);
        command.addAll(List.of("-jar", jar.toString()));
        RunningProcess program =
                RunningProcess.start(Path.of("target", "logs", "archives", archive.getFileName() + ".log"), command);
        try {
            program.awaitOutput("listening on ", TO_MAKE);
            program.send(Signal.TERM);
            program.awaitExit(TO_MAKE);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        Files.move(unfinished, archive, StandardCopyOption.REPLACE_EXISTING);
    }
}
