package io.dubbomesh.benchmark.layout;

import io.dubbomesh.benchmark.load.LoadResult;
import io.dubbomesh.benchmark.report.Report;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

class ContestReportTest {
    private static final int SECONDS = 10;

    @TempDir
    private Path directory;

    private final LayoutSide ours = side("ours");
    private final LayoutSide baseline = side("baseline");

    @Test
    void roundsAreComparedByPairs() {
        String report = report(
                        List.of(ours, baseline),
                        round(1, ours, 9_000, 0),
                        round(1, baseline, 10_000, 0),
                        round(2, baseline, 20_000, 0),
                        round(2, ours, 20_000, 0))
                .text();
        assertThat(report).contains("0.950 (0.900-1.000)");
    }

    @Test
    void theErrorsOfAllRoundsAreAdded() {
        String report = report(List.of(ours), round(1, ours, 9_000, 3), round(2, ours, 9_000, 4))
                .text();
        assertThat(report).containsPattern("128 +ours +900 +7 ");
    }

    @Test
    void theCpuOfAContainerIsSplitIntoAgentAndService() {
        String report = report(List.of(ours), round(1, ours, 10_000, 0)).text();
        // 6 of 10 seconds of one processor, 4 of them the service's; 50 of 200 periods were throttled.
        assertThat(report).containsPattern("128 +ours +consumer +0.60 +0.90 +66.7 +25.0 +200 +400");
    }

    @Test
    void theJsonHasEachRound() throws IOException {
        Path file = directory.resolve("report.json");
        report(List.of(ours), round(1, ours, 10_000, 3)).writeJson(file);
        assertThat(file)
                .content()
                .contains(
                        "\"requests\" : 10003",
                        "\"badStatuses\" : 3",
                        "\"name\" : \"consumer\"",
                        "\"agentUs\" : 2000000");
    }

    private static LayoutSide side(String name) {
        Cgroup nowhere = new Cgroup(Path.of("."), Path.of("."));
        return new LayoutSide(
                name, "contest-" + name, List.of(new Container("0", "consumer", nowhere, 0.9, List.of())));
    }

    private static LayoutSide.Round round(int number, LayoutSide side, long requests, long badStatuses) {
        LoadResult load = new LoadResult(
                requests + badStatuses, SECONDS * 1_000_000L, 1, 1, 1, 1, 1, 0, 0, badStatuses, 0, 0, Map.of());
        Container.Use use = new Container.Use(new Cgroup.Use(6_000_000, 200, 50), 4_000_000);
        return new LayoutSide.Round(number, 128, side, load, List.of(use), SECONDS, 5);
    }

    private static Report report(List<LayoutSide> sides, LayoutSide.Round... rounds) {
        Report report = new Report("title", "headline", Map.of());
        new ContestReport(sides, List.of(rounds)).addTo(report);
        return report;
    }
}
