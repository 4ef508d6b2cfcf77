package io.dubbomesh.meshctl;

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
final class TopCommand extends AgentCommand {
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

    /** What an agent has told, and when. */
    private record Look(MetricsText metrics, long atNs) {}

    @Override
    public Integer call() throws InterruptedException {
        Agents agents = new Agents(admins());
        boolean single = admins().size() == 1;
        int result = DONE;
        Map<URI, Look> before = new HashMap<>();
        see(agents.ask(TopCommand::firstLook), before, single);
        for (int shown = 0; count == 0 || shown < count; shown++) {
            TimeUnit.NANOSECONDS.sleep((long) (intervalSeconds * TimeUnit.SECONDS.toNanos(1)));
            List<Agents.Answer<Rates>> rates = see(agents.ask(TopCommand::look), before, single);
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
    private static Look firstLook(AgentClient agent) {
        agent.get("state");
        return look(agent);
    }

    private static Look look(AgentClient agent) {
        HttpResponse<String> response = agent.page("/metrics");
        if (response.statusCode() != OK || !response.body().contains("dubbomesh_")) {
            throw new MeshctlException(agent.problemOfAdminPort(response));
        }
        return new Look(MetricsText.parse(response.body()), System.nanoTime());
    }

    /**
     * The rates since the look before, none of an agent that could not be asked then.
     *
     * @param before what each agent has told; gets what it tells now
     * @param single whether there is no other agent to show if this one fails
     */
    private static List<Agents.Answer<Rates>> see(
            List<Agents.Answer<Look>> looks, Map<URI, Look> before, boolean single) {
        List<Agents.Answer<Rates>> rates = new ArrayList<>();
        for (Agents.Answer<Look> look : looks) {
            if (single && look.failure() != null) {
                throw new MeshctlException(look.failure());
            }
            Look now = look.value();
            Look then = now == null ? before.remove(look.agent()) : before.put(look.agent(), now);
            Rates since = now == null ? null : since(then == null ? now : then, now);
            rates.add(new Agents.Answer<>(look.agent(), since, look.failure()));
        }
        return rates;
    }

    private static Rates since(Look then, Look now) {
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
            Agents.printJson(out(), rates, TopCommand::document);
            return;
        }
        Agents.printTables(out(), rates, TopCommand::methods, "no calls");
        if (rates.stream()
                .anyMatch(each ->
                        each.value() != null && !each.value().endpoints().isEmpty())) {
            out().println();
            Agents.printTables(out(), rates, TopCommand::endpoints, "no endpoints");
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
