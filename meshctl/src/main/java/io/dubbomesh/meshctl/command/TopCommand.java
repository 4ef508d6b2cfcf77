package io.dubbomesh.meshctl.command;

import io.dubbomesh.meshctl.agent.AgentClient;
import io.dubbomesh.meshctl.agent.Agents;
import io.dubbomesh.meshctl.agent.MeshctlException;
import io.dubbomesh.meshctl.output.MetricsText;
import io.dubbomesh.meshctl.output.Rates;
import io.dubbomesh.meshctl.output.Table;
import io.dubbomesh.runtime.json.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

@Command(
        name = "top",
        description = {
            "Shows the rates, failures and durations of methods and the shares of endpoints, until it is interrupted.",
            "With several agents (-a A,B,C) each row names its agent."
        })
public final class TopCommand extends AgentCommand {
    private static final String CLEAR = "\033[H\033[2J";
    private static final int OK = 200;

    @Option(
            names = {"-i", "--interval"},
            paramLabel = "SECONDS",
            defaultValue = "1",
            description = "Between two looks (${DEFAULT-VALUE}).")
    private double intervalSeconds;

    @Option(
            names = {"-n", "--count"},
            paramLabel = "COUNT",
            description = "Show it so often, and end.")
    private int count;

    /** The metrics of an agent at a time. */
    private record Sample(MetricsText metrics, long atNs) {}

    @Override
    public Integer call() throws InterruptedException {
        Agents agents = new Agents(admins());
        boolean single = admins().size() == 1;
        int result = DONE;
        Map<URI, Sample> before = new HashMap<>();
        compare(agents.ask(TopCommand::firstSample), before, single);
        for (int shown = 0; count == 0 || shown < count; shown++) {
            TimeUnit.NANOSECONDS.sleep((long) (intervalSeconds * TimeUnit.SECONDS.toNanos(1)));
            List<Agents.Answer<Rates>> rates = compare(agents.ask(TopCommand::sample), before, single);
            if (System.console() != null && !json()) {
                out().print(CLEAR);
            }
            if (single) {
                show(rates.get(0).value());
            } else {
                show(rates);
            }
            out().flush();
            result = reportFailures(rates);
        }
        return result;
    }

    /** A consumer agent's port for calls would take the path of the metrics for a service, and ask its provider. */
    private static Sample firstSample(AgentClient agent) {
        agent.state();
        return sample(agent);
    }

    private static Sample sample(AgentClient agent) {
        HttpResponse<String> response = agent.page("/metrics");
        if (response.statusCode() != OK || !response.body().contains("dubbomesh_")) {
            throw new MeshctlException(agent.problemOfAdminPort(response));
        }
        return new Sample(MetricsText.parse(response.body()), System.nanoTime());
    }

    /**
     * Returns the rates since the sample before, none of an agent that could not be asked then.
     *
     * @param before the last sample at each agent, replaced by this one
     * @param single whether there is no other agent to show if this one fails
     */
    private static List<Agents.Answer<Rates>> compare(
            List<Agents.Answer<Sample>> samples, Map<URI, Sample> before, boolean single) {
        List<Agents.Answer<Rates>> rates = new ArrayList<>();
        for (Agents.Answer<Sample> sample : samples) {
            if (single && sample.failure() != null) {
                throw new MeshctlException(sample.failure());
            }
            Sample now = sample.value();
            Sample then = now == null ? before.remove(sample.agent()) : before.put(sample.agent(), now);
            Rates since = now == null ? null : since(then == null ? now : then, now);
            rates.add(new Agents.Answer<>(sample.agent(), since, sample.failure()));
        }
        return rates;
    }

    private static Rates since(Sample then, Sample now) {
        return new Rates(
                then.metrics(),
                now.metrics(),
                Math.max(1, now.atNs() - then.atNs()) / (double) TimeUnit.SECONDS.toNanos(1));
    }

    private void show(Rates rates) {
        if (json()) {
            out().println(Json.write(document(rates)));
            return;
        }
        methods(rates).print(out());
        if (!rates.endpoints().isEmpty()) {
            out().println();
            endpoints(rates).print(out());
        }
        out().println();
    }

    private void show(List<Agents.Answer<Rates>> rates) {
        if (json()) {
            AnswerPrinter.printJson(out(), rates, TopCommand::document);
            return;
        }
        AnswerPrinter.printTables(out(), rates, TopCommand::methods, "no calls");
        if (rates.stream()
                .anyMatch(each ->
                        each.value() != null && !each.value().endpoints().isEmpty())) {
            out().println();
            AnswerPrinter.printTables(out(), rates, TopCommand::endpoints, "no endpoints");
        }
        out().println();
    }

    private static Map<String, Object> document(Rates rates) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("methods", rates.methods());
        document.put("endpoints", rates.endpoints());
        return document;
    }

    private static Table methods(Rates rates) {
        Table methods = new Table("SERVICE", "METHOD", "CALLS/S", "FAILED/S", "P50 MS", "P99 MS");
        rates.methods()
                .forEach(rate -> methods.add(
                        rate.service(),
                        rate.method(),
                        decimal(rate.callsPerSecond()),
                        decimal(rate.failedPerSecond()),
                        decimal(rate.p50Ms()),
                        decimal(rate.p99Ms())));
        return methods;
    }

    private static Table endpoints(Rates rates) {
        Table endpoints = new Table("ENDPOINT", "CALLS/S", "SHARE", "FAILED/S", "IN FLIGHT", "LIMIT");
        rates.endpoints()
                .forEach(rate -> endpoints.add(
                        rate.endpoint(),
                        decimal(rate.callsPerSecond()),
                        Math.round(rate.share() * 100) + " %",
                        decimal(rate.failedPerSecond()),
                        rate.inFlight(),
                        rate.limit()));
        return endpoints;
    }

    private static String decimal(Double number) {
        return number == null ? "-" : String.format(Locale.ROOT, "%.1f", number);
    }
}
