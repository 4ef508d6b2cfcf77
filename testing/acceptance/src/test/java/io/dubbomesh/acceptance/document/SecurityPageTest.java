package io.dubbomesh.acceptance.document;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;

/** docs/operate/security.md says which test and which row of docs/results/reliability.md holds each defence. */
class SecurityPageTest {
    private static final Path ROOT = Path.of("../..");
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)`");
    private static final Pattern ROW = Pattern.compile("\\b([EFHOPS][0-9]+A?)\\b");

    private final String page = Files.readString(ROOT.resolve("docs/operate/security.md"));

    SecurityPageTest() throws IOException {}

    @Test
    void everyTestThatItNamesIsThere() {
        Set<String> sources = SourceTree.files().stream()
                .map(path -> path.getFileName().toString())
                .collect(Collectors.toSet());
        assertThat(named(TEST)).hasSizeGreaterThan(20).allMatch(test -> sources.contains(test + ".java"));
    }

    @Test
    void everyRowThatItNamesIsThere() throws IOException {
        String rows = Files.readString(ROOT.resolve("docs/results/reliability.md"));

        assertThat(named(ROW)).hasSizeGreaterThan(8).allMatch(row -> rows.contains("\n| " + row + " |"));
    }

    private Set<String> named(Pattern pattern) {
        return pattern.matcher(page)
                .results()
                .map(MatchResult::group)
                .map(name -> name.replace("`", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
