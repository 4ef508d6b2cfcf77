package io.dubbomesh.chaos.fault;

import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.row.Row;
import io.dubbomesh.chaos.site.Site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The rows about the build, without a running mesh: {@code scripts/chaos.sh} has it measured before the rows run, and
 * these read the results.
 */
public final class BuildRows {
    private BuildRows() {}

    public static List<Row> rows() {
        return List.of(
                Row.of(
                        "P7",
                        "all that fuzzing has found, and what it starts from, is read again by HTTP, forms, mesh and Dubbo frames,"
                                + " Hessian, fastjson, JSONB, arguments, certificates and registries (scripts/replay.sh corpora)",
                        "no exception but those declared, no leak, the same however HTTP is split",
                        (site, figures) -> replayed(site, figures, "corpora")),
                Row.of(
                        "P8",
                        "the same requests, and some thousands that differ at random, for the agent's parser, Netty's, h11 and llhttp"
                                + " (scripts/replay.sh parsers)",
                        "what the agent takes, the others take, with the same method, target, body and end",
                        (site, figures) -> replayed(site, figures, "parsers")),
                Row.of(
                        "S6",
                        "builds with a Netty, a JOSE library, a logback and a client of ZooKeeper of a version with known holes"
                                + " (scripts/minimum-versions.sh)",
                        "each fails by the rule; the build as it is passes",
                        BuildRows::minimumVersions));
    }

    private static void replayed(Site site, Figures figures, String what) throws IOException {
        List<String[]> classes = results(site, figures, "replay", what);
        for (String[] each : classes) {
            figures.atLeast(each[0] + ": tests", Integer.parseInt(each[1]), 1)
                    .none("failed", Integer.parseInt(each[2]))
                    .none("skipped", Integer.parseInt(each[3]));
        }
    }

    private static void minimumVersions(Site site, Figures figures) throws IOException {
        for (String[] build : results(site, figures, "minimum-versions", "result")) {
            boolean isOwn = build[0].equals("as-it-is");
            figures.holds(
                    isOwn ? "the build as it is passes" : build[0] + ": refused by the rule",
                    build[1].equals(isOwn ? "passed" : "failed"));
        }
    }

    /** The words of each line; none, and a figure that says so, if it was not measured. */
    private static List<String[]> results(Site site, Figures figures, String directory, String file)
            throws IOException {
        Path results = site.installation().root().resolve("build").resolve(directory);
        if (!Files.exists(results.resolve(file))) {
            figures.fail("not measured, see build/" + directory);
            return List.of();
        }
        return Files.readAllLines(results.resolve(file)).stream()
                .map(line -> line.split(" "))
                .toList();
    }
}
