package io.dubbomesh.provider;

import io.dubbomesh.runtime.settings.Settings;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How the agent finds out what the services' methods and types are.
 *
 * @param enabled     whether the provider is asked
 * @param timeoutMs   that it is given for all its answers
 * @param application its name, empty if it is to be found out
 * @param apiJars     jar files and directories with the services' classes
 */
record InquirySettings(boolean enabled, long timeoutMs, String application, List<Path> apiJars) {

    static InquirySettings from(Settings settings) {
        return new InquirySettings(
                settings.flag("dubbo.inquiry"),
                settings.millis("dubbo.inquiry.timeout"),
                settings.text("dubbo.application").strip(),
                apiJars(settings));
    }

    private static List<Path> apiJars(Settings settings) {
        String key = "dubbo.api.jars";
        List<Path> paths = new ArrayList<>();
        for (String item : settings.list(key)) {
            try {
                Path path = Path.of(item);
                if (Files.isReadable(path)) {
                    paths.add(path);
                    continue;
                }
            } catch (InvalidPathException e) {
                // Told below, in the same words as a path where nothing is.
            }
            throw settings.invalid(key, "jar files and directories that can be read, by comma");
        }
        return paths;
    }
}
