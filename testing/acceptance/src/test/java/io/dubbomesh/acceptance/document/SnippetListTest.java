package io.dubbomesh.acceptance.document;

import io.dubbomesh.testsupport.process.CompletedProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each fenced block of the pages for users is run by {@link SnippetsTest}, or {@code snippets.not-run} says why it is
 * not.
 */
@Timeout(180)
class SnippetListTest {
    /** The languages for which {@link SnippetsTest} has a test. */
    private static final Set<String> RUN = Set.of("console", "sh", "hocon", "json");

    private static final Pattern SCRIPT =
            Pattern.compile("(?<![\\w.])(?:\\./)?((?:scripts|docker)/[\\w/.-]+\\.(?:sh|yml|yaml))");

    @Test
    void eachBlockIsRunOrSaysWhyNot() throws IOException {
        NotRun notRun = NotRun.read();
        Set<String> unknown = new TreeSet<>();
        for (Snippet snippet : Snippet.all()) {
            boolean isText = Set.of("", "text").contains(snippet.language()) && !snippet.holdsCommand();
            if (!isText && !RUN.contains(snippet.language()) && !notRun.has(snippet)) {
                unknown.add(snippet + ": " + snippet.firstLine());
            }
        }
        assertThat(unknown)
                .as("blocks that are neither console, sh, hocon, json nor text without commands (see CONTRIBUTING.md)")
                .isEmpty();
    }

    @Test
    void theListNamesOnlyBlocksThatExist() throws IOException {
        List<NotRun.Entry> unused = new ArrayList<>(NotRun.read().entries());
        for (Snippet snippet : Snippet.all()) {
            unused.removeIf(entry -> entry.concerns(snippet));
        }
        assertThat(unused).isEmpty();
    }

    @Test
    void whatIsNotRunIsAtLeastShell() throws Exception {
        for (Snippet snippet : Snippet.all()) {
            if (snippet.language().equals("sh")) {
                CompletedProcess bash = CompletedProcess.run(new ProcessBuilder("bash", "-n"), snippet.text());
                assertThat(bash.exitCode()).as("%s: %s", snippet, bash.output()).isZero();
            }
        }
    }

    @Test
    void eachScriptAndFileThatABlockNamesIsThere() throws IOException {
        Set<String> missing = new TreeSet<>();
        for (Snippet snippet : Snippet.all()) {
            for (MatchResult script : SCRIPT.matcher(snippet.text()).results().toList()) {
                if (!Files.exists(Snippet.ROOT.resolve(script.group(1)))) {
                    missing.add(snippet + ": " + script.group(1));
                }
            }
        }
        assertThat(missing).isEmpty();
    }
}
