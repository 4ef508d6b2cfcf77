package io.dubbomesh.chaos.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The wall clock of one process, which can be set while the process runs: libfaketime (Debian's package faketime) adds
 * to it what a file says. The monotonic clock goes on, as on a machine whose clock is set. Without the library a
 * process has the machine's clock.
 */
final class ProcessClock {
    /** The loader knows what $LIB is on this machine. */
    private static final String LIBRARY = "/usr/$LIB/faketime/libfaketimeMT.so.1";

    private final Path file;

    ProcessClock(Path file) throws IOException {
        this.file = file;
        set(Duration.ZERO);
    }

    /** The command of a process that has this clock. */
    List<String> under(List<String> command) {
        List<String> all = new ArrayList<>(List.of(
                "env",
                "LD_PRELOAD=" + LIBRARY,
                "FAKETIME_TIMESTAMP_FILE=" + file,
                // It reads the file once a second.
                "FAKETIME_CACHE_DURATION=1",
                "FAKETIME_DONT_FAKE_MONOTONIC=1"));
        all.addAll(command);
        return all;
    }

    /** Takes effect within a second. */
    void set(Duration ahead) throws IOException {
        Path next = Files.writeString(file.resolveSibling(file.getFileName() + ".next"), "+" + ahead.toSeconds());
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
