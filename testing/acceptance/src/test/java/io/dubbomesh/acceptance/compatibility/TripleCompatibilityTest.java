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
 * The calls of {@link CompatibilityTest} by Triple, through a gateway and through a pair of agents. Every answer is
 * that by the protocol {@code dubbo} from the same version of Dubbo, or another one that is among the known limits; a
 * pair answers as the gateway, but for what is among them again. Writes the section of the page on Triple if it has
 * used all set-ups.
 */
@Timeout(600)
class TripleCompatibilityTest {
    private static final Path SECTION = Path.of("src", "test", "resources", "compatibility.triple.md");

    private static CompatibilityRun run;

    @BeforeAll
    static void start() throws Exception {
        run = CompatibilityRun.start("TripleCompatibilityTest", setups());
    }

    @AfterAll
    static void end() throws Exception {
        run.end();
    }

    private static List<Setup> setups() {
        return Setup.selectedByTriple();
    }

    @ParameterizedTest
    @MethodSource("setups")
    void everyCallIsAnsweredAsByDubboOrAsTheTableSays(Setup setup) throws Exception {
        run.assertRight(setup);
    }

    @Test
    void theSectionHasALineForEveryMethodThatDiffers() throws Exception {
        List<Setup> setups = setups();
        String section = new TripleSection(run.limits(), run.verdicts()).markdown();
        assertThat(section).contains("## By Triple, through a gateway", "## By Triple, through a pair");
        // Others read it at the same time, so it is written only where it differs.
        if (setups.size() == Setup.byTriple().size()
                && !Files.readString(SECTION).equals(section)) {
            Files.writeString(SECTION, section);
        }
    }
}
