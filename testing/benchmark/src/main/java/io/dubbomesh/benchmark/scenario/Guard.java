package io.dubbomesh.benchmark.scenario;

import io.dubbomesh.benchmark.load.Change;
import io.dubbomesh.benchmark.load.Comparison;
import io.dubbomesh.benchmark.load.Point;
import io.dubbomesh.benchmark.load.Round;
import io.dubbomesh.benchmark.load.Side;
import io.dubbomesh.benchmark.process.BenchException;
import io.dubbomesh.benchmark.process.Machine;
import io.dubbomesh.benchmark.report.MedianInterval;
import io.dubbomesh.benchmark.report.Spread;
import io.dubbomesh.benchmark.report.Table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Compares what an agent costs with the agents of the reference commit: start, CPU time and allocation per request,
 * resident memory. All is measured in one run, in pairs that follow each other. The run fails where a pair of agents
 * certainly takes more CPU time than the reference's: where the whole interval of the ratio is above 1.
 */
final class Guard {
    private static final int STARTS = 7;

    private final Session session;
    private final Table table = new Table(
            "guard: the median of each side, and that of the ratios of the pairs (95 % interval)",
            "measure | pairs | reference | this | this / reference");

    private Guard(Session session) {
        this.session = session;
    }

    static Scenario scenario() {
        Map<String, String> defaults =
                Map.of("--connections", "64,512", "--seconds", "1", "--rounds", "30", "--warmup", "12");
        return new Scenario(defaults, session -> new Guard(session).run());
    }

    private void run() throws IOException, InterruptedException {
        Options options = session.options();
        if (options.before == null) {
            throw new BenchException("guard without --before (expected: the directory of the reference's checkout)");
        }
        session.harness().state("reference: " + Machine.commit(options.before));
        session.startProviders(0);
        measureStarts();
        measureLoad();
        session.harness().report().add(table);
    }

    private void measureStarts() throws IOException, InterruptedException {
        MeshSettings after = MeshSettings.of(0);
        MeshSettings before = after.withAgentsOf(session.options().before);
        Starts starts = new Starts(session, after);
        List<Starts.Pair> befores = new ArrayList<>();
        List<Starts.Pair> afters = new ArrayList<>();
        for (int i = 0; i < STARTS; i++) {
            befores.add(starts.startPair(before));
            afters.add(starts.startPair(after));
        }
        addStarts("consumer agent", befores, afters, Starts.Pair::consumerAgent);
        addStarts("provider agent", befores, afters, Starts.Pair::providerAgent);
    }

    private void addStarts(
            String agent, List<Starts.Pair> befores, List<Starts.Pair> afters, Function<Starts.Pair, Starts.Start> of) {
        add("ms until ready, " + agent, befores, afters, pair -> of.apply(pair).ms());
        add(
                "MiB resident then, " + agent,
                befores,
                afters,
                pair -> of.apply(pair).residentMib());
    }

    private void measureLoad() throws IOException, InterruptedException {
        Options options = session.options();
        // Neither has the index 0: both need the same kind of registry.
        MeshSettings settings = MeshSettings.of(1).withRoomFor(options.mostConnections());
        Side before = session.startMesh(Change.BEFORE, settings.withAgentsOf(options.before));
        Side after = session.startMesh(Change.AFTER, MeshSettings.of(2).withRoomFor(options.mostConnections()));
        Comparison comparison = session.compare("guard", 0, List.of(before, after), options.points());
        for (Point point : comparison.points()) {
            List<Round> befores = comparison.rounds(Change.BEFORE, point);
            List<Round> afters = comparison.rounds(Change.AFTER, point);
            MedianInterval cpu =
                    add("us of CPU time per request, " + point.label(), befores, afters, Round::cpuUsPerRequest);
            if (cpu.low() != null && cpu.low() > 1) {
                session.harness()
                        .report()
                        .fail("guard: at " + point.label() + " a request takes " + Table.text(cpu)
                                + " of the reference's CPU time (expected: an interval that begins at 1 or below)");
            }
            addUsage("consumer agent, " + point.label(), befores, afters, 0);
            addUsage("provider agent, " + point.label(), befores, afters, 1);
        }
    }

    /** @param place of the agent among the programs of its side */
    private void addUsage(String agent, List<Round> befores, List<Round> afters, int place) {
        add(
                "bytes allocated per request, " + agent,
                befores,
                afters,
                round -> round.perRequest(round.usages().get(place).allocatedBytes()));
        add(
                "MiB resident, " + agent,
                befores,
                afters,
                round -> round.usages().get(place).rssMib());
    }

    private <T> MedianInterval add(String measure, List<T> before, List<T> after, ToDoubleFunction<T> value) {
        MedianInterval ratio = MedianInterval.of(Spread.ratios(after, before, value));
        table.add(
                measure,
                before.size(),
                Spread.of(before, value).median(),
                Spread.of(after, value).median(),
                ratio);
        return ratio;
    }
}
