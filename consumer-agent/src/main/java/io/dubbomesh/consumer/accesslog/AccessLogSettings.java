package io.dubbomesh.consumer.accesslog;

import io.dubbomesh.runtime.settings.Settings;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The settings {@code access.log*}; reference.conf says what each one means.
 *
 * @param on           whether there is an access log
 * @param file         null for standard output
 * @param sample       the part of the requests that is looked at, 0 to 1
 * @param failuresOnly of them, only those that failed are logged, and those that were slow
 * @param slowerThanNs of them, only those that took longer are logged, and those that failed, if that is wanted; 0 if
 *     this does not count
 * @param queueSize    records that may wait to be written, of one event loop
 */
public record AccessLogSettings(
        boolean on, Path file, double sample, boolean failuresOnly, long slowerThanNs, int queueSize) {
    private static final String TARGET = "access.log";
    private static final String SAMPLE = "access.log.sample";
    private static final String STDOUT = "stdout";
    private static final Duration SLOWEST = Duration.ofDays(1);

    public static AccessLogSettings from(Settings settings) {
        String target = settings.text(TARGET).strip();
        return new AccessLogSettings(
                !target.isEmpty(),
                target.isEmpty() || target.equals(STDOUT) ? null : file(settings, target),
                settings.parse(SAMPLE, AccessLogSettings::part, 1.0),
                settings.flag("access.log.failures-only"),
                settings.duration("access.log.slower-than", Duration.ZERO, SLOWEST)
                        .toNanos(),
                settings.integer("access.log.queue", 16, 1 << 20));
    }

    private static Path file(Settings settings, String target) {
        try {
            Path file = Path.of(target).toAbsolutePath();
            Path directory = file.getParent();
            // To open a pipe could take for ever.
            boolean usable = Files.exists(file)
                    ? Files.isRegularFile(file) && Files.isWritable(file)
                    : directory != null && Files.isDirectory(directory) && Files.isWritable(directory);
            if (usable) {
                return file;
            }
        } catch (InvalidPathException e) {
            // Rejected below.
        }
        settings.reject(TARGET, "stdout, or a file that can be written to, in a directory that exists");
        return null;
    }

    private static double part(String text) {
        try {
            double part = Double.parseDouble(text.strip());
            if (part >= 0 && part <= 1) {
                return part;
            }
        } catch (NumberFormatException e) {
            // Rejected below.
        }
        throw new IllegalArgumentException(text + " (expected: 0 to 1)");
    }

    /** Returns whether only some of the requests that are looked at are logged. */
    boolean selects() {
        return failuresOnly || slowerThanNs > 0;
    }
}
