package io.dubbomesh.runtime.logging;

import io.dubbomesh.runtime.settings.Settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The settings {@code logs.*}.
 *
 * @param level     of our own loggers
 * @param directory null for standard output
 */
public record LogSettings(String level, Path directory, long maxFileSize, int maxFiles) {
    private static final String DIRECTORY = "logs.dir";
    private static final String WRITABLE = "a directory that can be written to";
    private static final String CREATABLE = "a directory that can be created";

    /** Reads them, and creates the directory. */
    public static LogSettings from(Settings settings) {
        return from(settings, directory(settings));
    }

    /**
     * Reads them, and has {@link Settings#check} report a directory that {@link #from} could not create or write to.
     */
    public static void check(Settings settings) {
        Path directory = settings.path(DIRECTORY);
        from(settings, directory);
        Path existing = directory == null ? null : directory.toAbsolutePath();
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        if (existing != null && !(Files.isDirectory(existing) && Files.isWritable(existing))) {
            settings.reject(DIRECTORY, existing.equals(directory) ? WRITABLE : CREATABLE);
        }
    }

    private static LogSettings from(Settings settings, Path directory) {
        return new LogSettings(
                settings.choice("logs.level", "error", "warn", "info", "debug", "trace"),
                directory,
                settings.size("logs.max-file-size", 1 << 16, 1L << 40),
                settings.integer("logs.max-files", 2, 20));
    }

    private static Path directory(Settings settings) {
        Path directory = settings.path(DIRECTORY);
        if (directory == null) {
            return null;
        }
        try {
            Files.createDirectories(directory);
            if (!Files.isWritable(directory)) {
                settings.reject(DIRECTORY, WRITABLE);
            }
        } catch (IOException e) {
            settings.reject(DIRECTORY, CREATABLE);
        }
        return directory;
    }
}
