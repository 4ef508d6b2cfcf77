package io.dubbomesh.acceptance.compatibility;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every method of the conformance service and of the office, with every provider that there is, in every way that the
 * HTTP interface has. What is wrong must be among the known limits of providers, and those must still be there. Writes
 * docs/results/compatibility.md if it has used all set-ups.
 */
@Timeout(600)
class CompatibilityTest {
    private static final Path RESOURCES = Path.of("src", "test", "resources");
    private static final Path PAGE = Path.of("../..", "docs", "results", "compatibility.md");

    private static CompatibilityRun run;

    @BeforeAll
    static void start() throws Exception {
        run = CompatibilityRun.start("CompatibilityTest", setups());
    }

    @AfterAll
    static void end() throws Exception {
        run.end();
    }

    private static List<Setup> setups() {
        return Setup.selected();
    }

    @ParameterizedTest
    @MethodSource("setups")
    void everyCallIsRightOrAKnownLimitOfTheProvider(Setup setup) throws Exception {
        run.assertRight(setup);
    }

    @ParameterizedTest
    @MethodSource("setups")
    void aServiceThatTheProviderDoesNotExportIsToldBesideThoseThatItDoes(Setup setup) throws Exception {
        assertThat(run.readiness(setup))
                .startsWith("ready; provider ")
                .contains(" does not export " + CompatibilityRun.NOWHERE + " of dubbo.services; it exports ")
                .contains(Call.CONFORMANCE + ":2.0.0:blue");
    }

    @Test
    void thePageHasALineForEveryMethod() throws Exception {
        List<Setup> setups = setups();
        String introduction = Files.readString(RESOURCES.resolve("compatibility.introduction.md"));
        String triple = Files.readString(RESOURCES.resolve("compatibility.triple.md"));
        String samples = Files.readString(RESOURCES.resolve("compatibility.samples.md"));
        String page = new CompatibilityMatrix(setups, run.limits().reasons(), run.verdicts()).markdown(introduction)
                + triple
                + samples;
        assertThat(page.lines().filter(line -> line.startsWith("| `"))).hasSizeGreaterThan(250);
        // Others read the page at the same time, so it is written only where it differs.
        if (setups.size() == Setup.byDubbo().size() && !Files.readString(PAGE).equals(page)) {
            Files.writeString(PAGE, page);
        }
    }

    @Test
    void everyKnownLimitIsOfACallThatIsMade() {
        assertThat(run.limits().all())
                .allSatisfy(limit -> assertThat(run.calls().calls()).anyMatch(limit::concerns));
    }
}
