package io.dubbomesh.acceptance.installation;

import io.dubbomesh.acceptance.mesh.Yaml;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** The agents ignore most variables that they do not know, so only this test finds one that is misspelt in docker/. */
class ContainerSettingsTest {
    private static final Path DOCKER = Path.of("../..", "docker");
    private static final Path DOCS = Path.of("../..", "docs");

    private static final Pattern VARIABLE = Pattern.compile("\\bDUBBOMESH_[A-Z0-9]+(?:_[A-Z0-9]+)*\\b(?!_)");
    private static final Pattern PROPERTY = Pattern.compile("(?<!\\S)-D([A-Za-z0-9.-]+)");
    private static final Pattern OF_THE_JVM = Pattern.compile("(java|javax|jdk|sun|io\\.netty)\\..+");

    private static final Set<String> OF_A_DEMO_PROVIDER =
            Set.of("name", "host", "port", "threads", "delay.ms", "calls.file", "serialization", "conformance");

    @Test
    void everyVariableOfAnAgentInAManifestIsASettingOfThatAgent() throws IOException {
        List<String> known = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        for (Yaml container : containers()) {
            ReferenceSettings settings =
                    ReferenceSettings.ofImage(container.at("image").text());
            if (settings != null) {
                for (String variable : variables(container)) {
                    (settings.hasVariable(variable) ? known : unknown).add(container.place() + ": " + variable);
                }
            }
        }
        assertThat(unknown).as("variables that the agent ignores").isEmpty();
        assertThat(known).as("variables that were found").hasSizeGreaterThan(10);
    }

    @Test
    void everyPropertyInAManifestIsASettingOfItsProgram() throws IOException {
        List<String> known = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        for (Yaml container : containers()) {
            Predicate<String> isKnown = properties(container.at("image").text());
            Stream.of("command", "args", "entrypoint")
                    .flatMap(key -> container.at(key).all())
                    .filter(part -> part.value() instanceof String)
                    .flatMap(part -> PROPERTY.matcher(part.text()).results())
                    .map(property -> property.group(1))
                    .filter(key -> !OF_THE_JVM.matcher(key).matches())
                    .forEach(key -> (isKnown.test(key) ? known : unknown).add(container.place() + ": -D" + key));
        }
        assertThat(unknown).as("properties that no program reads").isEmpty();
        assertThat(known).as("properties that were found").isNotEmpty();
    }

    @Test
    void everyDocumentedVariableIsASettingOfAnAgent() throws IOException {
        Set<String> unknown = new TreeSet<>();
        for (Path file : files()) {
            Matcher variable = VARIABLE.matcher(text(file));
            while (variable.find()) {
                if (!ReferenceSettings.CONSUMER.hasVariable(variable.group())
                        && !ReferenceSettings.PROVIDER.hasVariable(variable.group())) {
                    unknown.add(file + ": " + variable.group());
                }
            }
        }
        assertThat(unknown).isEmpty();
    }

    /** Returns all that have an image: containers of pods, services of compose. */
    private static List<Yaml> containers() throws IOException {
        return files().stream()
                .filter(file -> file.toString().matches(".*\\.ya?ml"))
                .flatMap(file -> Yaml.documents(file).stream())
                .flatMap(Yaml::all)
                .filter(part -> part.at("image").value() instanceof String)
                .toList();
    }

    /** Kubernetes lists names and values, compose has a map, or a list of NAME=VALUE. */
    private static Set<String> variables(Yaml container) {
        Stream<String> names = Stream.of(
                        container.at("env").items().stream()
                                .map(item -> item.at("name").text()),
                        container.at("environment").map().keySet().stream().map(String::valueOf),
                        container.at("environment").items().stream()
                                .map(item -> item.text().split("=")[0]))
                .flatMap(each -> each);
        return names.filter(name -> name.startsWith("DUBBOMESH_")).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Predicate<String> properties(String image) {
        ReferenceSettings settings = ReferenceSettings.ofImage(image);
        if (settings != null) {
            return settings::hasKey;
        }
        return image.contains("demo-provider") ? OF_A_DEMO_PROVIDER::contains : key -> true;
    }

    private static List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path root : List.of(DOCKER, DOCS)) {
            try (Stream<Path> found = Files.walk(root)) {
                found.filter(Files::isRegularFile)
                        .filter(file -> !file.toString().contains("certs"))
                        .forEach(files::add);
            }
        }
        return files;
    }

    private static String text(Path file) throws IOException {
        try {
            return Files.readString(file);
        } catch (MalformedInputException e) {
            return "";
        }
    }
}
