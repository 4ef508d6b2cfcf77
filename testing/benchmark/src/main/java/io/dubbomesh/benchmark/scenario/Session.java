package io.dubbomesh.benchmark.scenario;

import io.dubbomesh.benchmark.load.Comparison;
import io.dubbomesh.benchmark.load.Harness;
import io.dubbomesh.benchmark.load.Plan;
import io.dubbomesh.benchmark.load.Point;
import io.dubbomesh.benchmark.load.Side;
import io.dubbomesh.benchmark.process.BenchException;

import java.io.IOException;
import java.util.List;

/** The tools of a scenario. */
record Session(Options options, Installation installation, Stage stage, Harness harness) {

    /** One for each weight; stubs have the delay. */
    void startProviders(int delayMs) throws IOException, InterruptedException {
        stage.startProviders(options.weights.size(), delayMs);
        harness.state(stage.statement(delayMs));
        harness.state("weights " + options.weights);
    }

    /** A mesh in front of the providers that were started. */
    Side startMesh(String name, MeshSettings settings) throws IOException, InterruptedException {
        Side mesh = stage.startMesh(name, settings);
        harness.state(name + ": " + settings);
        return mesh;
    }

    /** Providers, and a mesh in which no call is refused or waits. */
    Side startRoomyMesh(int delayMs) throws IOException, InterruptedException {
        startProviders(delayMs);
        return startMesh("mesh", MeshSettings.of(0).withRoomFor(options.mostConnections()));
    }

    /** If it is wanted. */
    void addBaseline(List<Side> sides) throws IOException, InterruptedException {
        if (options.wants("baseline")) {
            sides.add(stage.startBaseline());
            harness.state("baseline: calls the providers in turn and ignores their weights");
        }
    }

    Comparison compare(String title, int delayMs, List<Side> sides, List<Point> points)
            throws IOException, InterruptedException {
        return compare(title, delayMs, sides, points, options.plan());
    }

    /** Measures those sides that the user wants. */
    Comparison compare(String title, int delayMs, List<Side> sides, List<Point> points, Plan plan)
            throws IOException, InterruptedException {
        List<Side> wanted =
                sides.stream().filter(side -> options.wants(side.name())).toList();
        if (wanted.isEmpty()) {
            throw new BenchException("--sides: none of them exists (expected: some of "
                    + String.join(", ", sides.stream().map(Side::name).toList()) + ")");
        }
        Comparison comparison = new Comparison(title, delayMs, wanted, points, plan);
        comparison.run(harness);
        return comparison;
    }
}
