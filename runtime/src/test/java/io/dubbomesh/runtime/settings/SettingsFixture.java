package io.dubbomesh.runtime.settings;

import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/** Settings of a reference file for tests. */
abstract class SettingsFixture {
    static final String REFERENCE = "test-reference.conf";
    static final long KIB = 1024;
    static final long MIB = 1024 * KIB;
    static final Duration MS = Duration.ofMillis(1);
    static final Duration MINUTE = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    static void read(Settings settings, Consumer<Settings> reader) {
        reader.accept(settings);
        settings.check();
    }

    static Settings with(Map<String, String> properties) {
        return Settings.of(REFERENCE, properties, Map.of());
    }

    Settings withFile(String name, String text) throws IOException {
        return with(Map.of("config.file", file(name, text).toString()));
    }

    Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }
}
