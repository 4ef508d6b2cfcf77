package io.dubbomesh.acceptance.document;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Checks that all texts with the version name the same one, as {@code scripts/version.sh} sets it. */
class VersionTest {
    private static final String SNAPSHOT = "-SNAPSHOT";
    private static final Pattern VERSION = Pattern.compile("<version>(\\d+\\.\\d+\\.\\d+(?:-SNAPSHOT)?)</version>");
    private static final Pattern IMAGE = Pattern.compile(
            "TAG:-([0-9.]+)}|name: dubbomesh/[a-z-]+\\n\\s+newTag: (\\S+)|FROM dubbomesh/[a-z-]+:([0-9.]+)");
    private static final Pattern HEADING = Pattern.compile("(?m)^## \\[([^]]+)](?: - (\\d{4}-\\d\\d-\\d\\d))?$");

    private static List<Path> files(String folder, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(Snippet.ROOT.resolve(folder))) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.toString().endsWith(ending))
                    .filter(file -> !file.toString().contains("/target/"))
                    .toList();
        }
    }

    private static List<String> found(Pattern pattern, Path file) throws IOException {
        return pattern.matcher(Files.readString(file))
                .results()
                .map(match -> Stream.iterate(1, group -> group <= match.groupCount(), group -> group + 1)
                        .map(match::group)
                        .filter(text -> text != null)
                        .findFirst()
                        .orElseThrow())
                .toList();
    }

    private static String version() throws IOException {
        return found(VERSION, Snippet.ROOT.resolve("pom.xml")).get(0);
    }

    @Test
    void allModulesHaveTheVersionAndNoneDependsOnASnapshotOfAnother() throws IOException {
        Set<String> first = new TreeSet<>();
        for (Path module : SourceTree.modules()) {
            Path pom = module.resolve("pom.xml");
            first.add(found(VERSION, pom).get(0));
            assertThat(Files.readString(pom).replace(version(), ""))
                    .as(pom.toString())
                    .doesNotContain(SNAPSHOT);
        }
        assertThat(first).containsExactly(version());
    }

    @Test
    void imagesHaveTheVersion() throws IOException {
        Set<String> tags = new TreeSet<>();
        for (Path file : Stream.of(
                        files("docker", ".yml"),
                        files("docker", ".yaml"),
                        files("scripts", ".sh"),
                        files("docs", ".md"))
                .flatMap(List::stream)
                .toList()) {
            tags.addAll(found(IMAGE, file));
        }
        assertThat(tags).containsExactly(version().replace(SNAPSHOT, ""));
    }

    @Test
    void theChangelogBeginsWithTheVersion() throws IOException {
        List<String> headings = found(HEADING, Snippet.ROOT.resolve("CHANGELOG.md"));
        assertThat(headings.get(0)).isEqualTo(version().endsWith(SNAPSHOT) ? "Unreleased" : version());
        assertThat(headings).doesNotHaveDuplicates();
        assertThat(Files.readString(Snippet.ROOT.resolve("CHANGELOG.md")).lines())
                .filteredOn(line -> line.startsWith("### "))
                .allMatch(line -> line.matches("### (Added|Changed|Deprecated|Removed|Fixed|Security)"));
    }
}
