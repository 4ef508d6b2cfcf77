package io.dubbomesh.meshctl;

import io.dubbomesh.runtime.json.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

@Command(
        name = "top",
        description =
                "Shows the rates, failures and durations of methods and the shares of endpoints, until it is interrupted.")
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

    @Override
    public Integer call() throws InterruptedException {
        long beforeNs = System.nanoTime();
        MetricsText before = metrics();
        for (int shown = 0; count == 0 || shown < count; shown++) {
            TimeUnit.NANOSECONDS.sleep((long) (intervalSeconds * TimeUnit.SECONDS.toNanos(1)));
            long nowNs = System.nanoTime();
            MetricsText now = metrics();
            show(new Rates(before, now, (nowNs - beforeNs) / (double) TimeUnit.SECONDS.toNanos(1)));
            before = now;
            beforeNs = nowNs;
        }
        return DONE;
    }

    private MetricsText metrics() {
        HttpResponse<String> response = agent().page("/metrics");
        if (response.statusCode() != OK) {
            throw new MeshctlException(AgentClient.problem(response));
        }
        return MetricsText.parse(response.body());
    }

    private void show(Rates rates) {
        if (json()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("methods", rates.methods());
            document.put("endpoints", rates.endpoints());
            out().println(Json.write(document));
            return;
        }
        if (System.console() != null) {
            out().print(CLEAR);
        }
        Table methods = new Table("SERVICE", "METHOD", "CALLS/S", "FAILED/S", "P50 MS", "P99 MS");
        rates.methods()
                .forEach(rate -> methods.add(
                        rate.service(),
                        rate.method(),
                        decimal(rate.callsPerSecond()),
                        decimal(rate.failedPerSecond()),
                        decimal(rate.p50Ms()),
                        decimal(rate.p99Ms())));
        methods.print(out());
        if (!rates.endpoints().isEmpty()) {
            out().println();
            Table endpoints = new Table("ENDPOINT", "CALLS/S", "SHARE", "FAILED/S", "IN FLIGHT", "LIMIT");
            rates.endpoints()
                    .forEach(rate -> endpoints.add(
                            rate.endpoint(),
                            decimal(rate.callsPerSecond()),
                            Math.round(rate.share() * 100) + " %",
                            decimal(rate.failedPerSecond()),
                            rate.inFlight(),
                            rate.limit()));
            endpoints.print(out());
        }
        out().println();
        out().flush();
    }

    private static String decimal(Double number) {
        return number == null ? "-" : String.format(Locale.ROOT, "%.1f", number);
    }
}
