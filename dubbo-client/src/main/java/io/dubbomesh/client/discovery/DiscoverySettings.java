package io.dubbomesh.client.discovery;

import io.dubbomesh.client.definition.ApiClasses;
import io.dubbomesh.client.definition.ApiJars;
import io.dubbomesh.client.definition.DescriptorFiles;
import io.dubbomesh.client.definition.SourceFiles;
import io.dubbomesh.runtime.settings.Settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The settings of the discovery of the services' methods and types.
 *
 * @param enabled     whether the provider is asked
 * @param timeoutMs   for all its answers together
 * @param application its name, empty if it is to be found out
 * @param apiJars     jar files and directories with the services' classes
 * @param descriptors files with the services' descriptors, if they are defined by protobuf
 * @param sources     whose Javadoc describes the services
 * @param cache       directory for definitions of metadata reports, null for none
 * @param validation  which arguments are checked against constraints
 */
public record DiscoverySettings(
        boolean enabled,
        long timeoutMs,
        String application,
        ApiJars apiJars,
        DescriptorFiles descriptors,
        SourceFiles sources,
        Path cache,
        ArgumentValidation validation) {
    private static final String API_JARS = "dubbo.api.jars";
    private static final String DESCRIPTORS = "dubbo.api.descriptors";

    private static final String SOURCES = "openapi.sources";

    public static DiscoverySettings from(Settings settings) {
        ApiJars apiJars = apiJars(settings);
        return new DiscoverySettings(
                settings.flag("dubbo.inquiry"),
                settings.millis("dubbo.inquiry.timeout"),
                settings.text("dubbo.application").strip(),
                apiJars,
                descriptors(settings),
                sources(settings, apiJars),
                settings.path("types.cache"),
                ArgumentValidation.from(settings));
    }

    /** Returns the same for the provider of this application; empty if its name is not known. */
    public DiscoverySettings of(String itsName) {
        return itsName.isEmpty()
                ? this
                : new DiscoverySettings(enabled, timeoutMs, itsName, apiJars, descriptors, sources, cache, validation);
    }

    private static ApiJars apiJars(Settings settings) {
        List<Path> paths = new ArrayList<>();
        List<String> unreadable = new ArrayList<>();
        for (String item : settings.list(API_JARS)) {
            try {
                Path path = Path.of(item);
                ApiClasses.open(List.of(path)).close();
                paths.add(path);
            } catch (InvalidPathException e) {
                unreadable.add(item + ": no path");
            } catch (IOException e) {
                unreadable.add(e.getMessage());
            }
        }
        if (!unreadable.isEmpty()) {
            settings.reject(
                    API_JARS,
                    "jar files and directories that can be read, by comma; cannot be read: "
                            + String.join(", ", unreadable));
        }
        return paths.isEmpty() ? ApiJars.NONE : new ApiJars(paths);
    }

    /** Returns the jars and directories with Java sources; by default those beside the class files. */
    private static SourceFiles sources(Settings settings, ApiJars apiJars) {
        List<Path> paths = new ArrayList<>();
        for (String item : settings.list(SOURCES)) {
            Path path = Path.of(item);
            if (Files.isReadable(path)) {
                paths.add(path);
            } else {
                settings.reject(
                        SOURCES, "jar files and directories that can be read, by comma; cannot be read: " + item);
            }
        }
        List<Path> used = paths.isEmpty() ? SourceFiles.beside(apiJars.paths()) : paths;
        return used.isEmpty() ? SourceFiles.NONE : new SourceFiles(used);
    }

    private static DescriptorFiles descriptors(Settings settings) {
        List<Path> paths = new ArrayList<>();
        List<String> unreadable = new ArrayList<>();
        for (String item : settings.list(DESCRIPTORS)) {
            try {
                Path path = Path.of(item);
                new DescriptorFiles(List.of(path)).definition("");
                paths.add(path);
            } catch (InvalidPathException e) {
                unreadable.add(item + ": no path");
            } catch (IOException e) {
                unreadable.add(e.getMessage());
            }
        }
        if (!unreadable.isEmpty()) {
            settings.reject(
                    DESCRIPTORS,
                    "files that protoc has written with --descriptor_set_out and --include_imports, by comma; cannot be"
                            + " read: " + String.join(", ", unreadable));
        }
        return paths.isEmpty() ? DescriptorFiles.NONE : new DescriptorFiles(paths);
    }
}
