package io.dubbomesh.benchmark.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/** What a scenario works with. */
record Session(
        Options options, Installation installation, Programs programs, Stage stage, Report report, PrintStream out) {

    /** For the report and for who looks on. */
    void state(String statement) {
        report.state(statement);
        out.println(statement);
    }

    /** One for each weight; stubs have the delay. */
    void startProviders(int delayMs) throws IOException, InterruptedException, BenchException {
        startProviders(options.weights().size(), delayMs);
        state("weights " + options.weights());
    }

    void startProviders(int count, int delayMs) throws IOException, InterruptedException, BenchException {
        stage.startProviders(count, delayMs);
        state(stage.statement(delayMs));
    }

    /** A mesh before the providers that were started. */
    Side startMesh(String name, MeshSettings settings) throws IOException, InterruptedException, BenchException {
        Mesh mesh = stage.startMesh(settings);
        state(name + ": " + settings);
        return mesh.side(name, installation.script("form.lua"), stage.shared());
    }

    /** Providers and a mesh before them, in which nobody is refused and nobody waits. */
    Side startRoomyMesh(int delayMs) throws IOException, InterruptedException, BenchException {
        startProviders(delayMs);
        return startMesh("mesh", MeshSettings.of(0).withRoomFor(options.mostConnections()));
    }

    /** If it is wanted. */
    void addFloor(List<Side> sides) throws IOException, InterruptedException, BenchException {
        if (options.wants("floor")) {
            sides.add(stage.startFloor());
            state("floor: calls the providers in turn, whatever their weights");
        }
    }

    Comparison compare(String title, int delayMs, List<Side> sides, List<Point> points)
            throws IOException, InterruptedException, BenchException {
        return compare(title, delayMs, sides, points, Plan.of(options));
    }

    /** Measures those sides that the user wants. */
    Comparison compare(String title, int delayMs, List<Side> sides, List<Point> points, Plan plan)
            throws IOException, InterruptedException, BenchException {
        List<Side> wanted =
                sides.stream().filter(side -> options.wants(side.name())).toList();
        if (wanted.isEmpty()) {
            throw new BenchException("--sides: none of them is there (expected: some of "
                    + String.join(", ", sides.stream().map(Side::name).toList()) + ")");
        }
        Comparison comparison = new Comparison(title, delayMs, wanted, points, plan, programs, out);
        comparison.run();
        report.add(comparison);
        return comparison;
    }

    /** One point for each of the options' numbers of connections. */
    List<Point> points() {
        return options.connections().stream().map(Point::of).toList();
    }

    Point mostConnections() {
        return Point.of(options.mostConnections());
    }
}
