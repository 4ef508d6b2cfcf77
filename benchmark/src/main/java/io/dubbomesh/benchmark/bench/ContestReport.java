package io.dubbomesh.benchmark.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/** The tables of a run of the 2018 layout. The first side is compared with each of the others, by pairs of rounds. */
record ContestReport(
        String time,
        Machine machine,
        int seconds,
        int rounds,
        List<LayoutSide> sides,
        List<LayoutSide.Round> measured,
        List<String> notes) {
    private static final double US_PER_MS = 1e3;
    private static final double US_PER_S = 1e6;

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        out.append(String.format(
                Locale.ROOT,
                "%s, %s, %d cores, Linux %s, commit %s; %d rounds of %d s%n",
                time,
                machine.cpu(),
                machine.cores(),
                machine.kernel(),
                machine.commit(),
                rounds,
                seconds));
        notes.forEach(note -> out.append(note).append('\n'));
        tables().forEach(table -> out.append('\n').append(table));
        return out.toString();
    }

    private List<Table> tables() {
        return List.of(figures(), containers());
    }

    private Table figures() {
        Table table = new Table(
                "The 2018 layout",
                "connections",
                "agents",
                "requests/s",
                "errors",
                "p50 ms",
                "p99 ms",
                "ratio to " + others(),
                "outside %");
        for (int connections : connections()) {
            for (LayoutSide side : sides) {
                List<LayoutSide.Round> of = rounds(side, connections);
                table.add(
                        connections,
                        side.name(),
                        spread(of, round -> round.load().qps()),
                        of.stream().mapToLong(round -> round.load().errors()).sum(),
                        spread(of, round -> round.load().p50Us() / US_PER_MS),
                        spread(of, round -> round.load().p99Us() / US_PER_MS),
                        side == sides.get(0) ? ratio(connections) : "",
                        spread(of, LayoutSide.Round::outsidePercent));
            }
        }
        return table;
    }

    private Table containers() {
        Table table = new Table(
                "CPU of each container",
                "connections",
                "agents",
                "container",
                "cores",
                "quota",
                "% of it",
                "throttled periods %",
                "agent us/request",
                "service us/request");
        for (int connections : connections()) {
            for (LayoutSide side : sides) {
                List<LayoutSide.Round> of = rounds(side, connections);
                for (int i = 0; i < side.containers().size(); i++) {
                    int at = i;
                    Container container = side.containers().get(i);
                    ToDoubleFunction<LayoutSide.Round> cores =
                            round -> round.uses().get(at).all().cpuUs() / US_PER_S / round.seconds();
                    table.add(
                            connections,
                            side.name(),
                            container.name(),
                            spread(of, cores).median(),
                            container.quota(),
                            100 * spread(of, cores).median() / container.quota(),
                            spread(
                                            of,
                                            round -> throttledPercent(
                                                    round.uses().get(at).all()))
                                    .median(),
                            spread(
                                            of,
                                            round -> (double)
                                                            round.uses().get(at).agentUs()
                                                    / round.load().requests())
                                    .median(),
                            spread(
                                            of,
                                            round -> (double)
                                                            round.uses().get(at).servicesUs()
                                                    / round.load().requests())
                                    .median());
                }
            }
        }
        return table;
    }

    private Collection<Integer> connections() {
        Collection<Integer> connections = new TreeSet<>();
        measured.forEach(round -> connections.add(round.connections()));
        return connections;
    }

    private String others() {
        return String.join(", ", sides.stream().skip(1).map(LayoutSide::name).toList());
    }

    private List<LayoutSide.Round> rounds(LayoutSide side, int connections) {
        return measured.stream()
                .filter(round -> round.side() == side && round.connections() == connections)
                .toList();
    }

    private static Spread spread(List<LayoutSide.Round> rounds, ToDoubleFunction<LayoutSide.Round> value) {
        return Spread.of(rounds.stream().map(value::applyAsDouble).toList());
    }

    private static double throttledPercent(Cgroup.Use use) {
        return use.periods() == 0 ? 0 : 100.0 * use.throttled() / use.periods();
    }

    /** To the second side, with a decimal more than tables have. */
    private String ratio(int connections) {
        if (sides.size() == 1) {
            return "";
        }
        List<Double> ratios = new ArrayList<>();
        List<LayoutSide.Round> ours = rounds(sides.get(0), connections);
        List<LayoutSide.Round> others = rounds(sides.get(1), connections);
        for (int i = 0; i < ours.size(); i++) {
            ratios.add(ours.get(i).load().qps() / others.get(i).load().qps());
        }
        Spread spread = Spread.of(ratios);
        return String.format(Locale.ROOT, "%.3f (%.3f-%.3f)", spread.median(), spread.min(), spread.max());
    }

    void writeJson(Path file) throws IOException {
        try (Writer out = Files.newBufferedWriter(file);
                JsonGenerator json = new JsonFactory().createGenerator(out)) {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writeStringField("time", time);
            json.writeStringField("commit", machine.commit());
            json.writeStringField("cpu", machine.cpu());
            json.writeNumberField("cores", machine.cores());
            json.writeStringField("kernel", machine.kernel());
            json.writeNumberField("seconds", seconds);
            json.writeArrayFieldStart("notes");
            for (String note : notes) {
                json.writeString(note);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("rounds");
            for (LayoutSide.Round round : measured) {
                round(json, round);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
    }

    private static void round(JsonGenerator json, LayoutSide.Round round) throws IOException {
        LoadResult load = round.load();
        json.writeStartObject();
        json.writeNumberField("round", round.number());
        json.writeStringField("agents", round.side().name());
        json.writeNumberField("connections", round.connections());
        json.writeNumberField("requests", load.requests());
        json.writeNumberField("qps", Math.round(load.qps()));
        json.writeNumberField("meanUs", load.meanUs());
        json.writeNumberField("p50Us", load.p50Us());
        json.writeNumberField("p90Us", load.p90Us());
        json.writeNumberField("p99Us", load.p99Us());
        json.writeNumberField("maxUs", load.maxUs());
        json.writeNumberField("socketErrors", load.socketErrors());
        json.writeNumberField("timeouts", load.timeouts());
        json.writeNumberField("badStatuses", load.badStatuses());
        json.writeNumberField("outsidePercent", round.outsidePercent());
        json.writeArrayFieldStart("containers");
        for (int i = 0; i < round.uses().size(); i++) {
            container(json, round.side().containers().get(i), round.uses().get(i), round.seconds());
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void container(JsonGenerator json, Container container, Container.Use use, double seconds)
            throws IOException {
        json.writeStartObject();
        json.writeStringField("name", container.name());
        json.writeNumberField("quota", container.quota());
        json.writeNumberField("cores", use.all().cpuUs() / US_PER_S / seconds);
        json.writeNumberField("agentCores", use.agentUs() / US_PER_S / seconds);
        json.writeNumberField("periods", use.all().periods());
        json.writeNumberField("throttled", use.all().throttled());
        json.writeEndObject();
    }
}
