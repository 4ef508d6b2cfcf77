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

    /** Reads them, and creates the directory. */
    public static LogSettings from(Settings settings) {
        return new LogSettings(
                settings.choice("logs.level", "error", "warn", "info", "debug", "trace"),
                directory(settings),
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
                settings.reject(DIRECTORY, "a directory that can be written to");
            }
        } catch (IOException e) {
            settings.reject(DIRECTORY, "a directory that can be created");
        }
        return directory;
    }
}
