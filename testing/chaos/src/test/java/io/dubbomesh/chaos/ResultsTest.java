package io.dubbomesh.chaos;

import io.dubbomesh.benchmark.process.Machine;
import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.row.Row;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class ResultsTest {
    private static final Row FIRST = row("F1");
    private static final Row SECOND = row("F2");

    @TempDir
    private Path directory;

    private Path page;
    private Results results;

    private static Row row(String id) {
        return Row.of(id, "fault of " + id, "nothing fails", (site, figures) -> {});
    }

    @BeforeEach
    void open() throws IOException {
        page = directory.resolve("page.md");
        results = in("build");
    }

    private Results in(String name) throws IOException {
        Path build = Files.createDirectories(directory.resolve(name));
        return new Results(build, new Machine("cpu", 2, "kernel", "jdk", "abc"));
    }

    @Test
    void aRowThatWasNeverRunSaysSo() throws Exception {
        results.add(FIRST, new Figures().none("failed", 0));
        results.write(page, List.of(FIRST, SECOND));

        assertThat(page)
                .content()
                .contains("1 of 2 rows passed")
                .contains("| F1 | fault of F1 | nothing fails | failed 0 | yes | ")
                .contains("| F2 | fault of F2 | nothing fails | not run | **no** | |");
    }

    @Test
    void aRowThatWasRunElsewhereKeepsItsLineOfThePage() throws Exception {
        results.add(FIRST, new Figures().none("failed", 0));
        results.add(SECOND, new Figures().none("failed", 0));
        results.write(page, List.of(FIRST, SECOND));

        Results another = in("another");
        another.add(SECOND, new Figures().none("failed", 3));
        another.write(page, List.of(FIRST, SECOND));

        assertThat(page)
                .content()
                .contains("1 of 2 rows passed")
                .contains("| F1 | fault of F1 | nothing fails | failed 0 | yes | ")
                .contains("**failed 3** (wanted: 0) | **no** | ")
                .doesNotContain("not run");
    }
}
