package io.dubbomesh.meshctl.command;

import io.dubbomesh.meshctl.agent.MeshctlException;
import io.dubbomesh.meshctl.output.Table;
import io.dubbomesh.runtime.json.Json;
import picocli.CommandLine.Command;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;

@Command(
        name = "trace",
        description = {
            "Calls a method of a service and prints how long the call was where.",
            "An argument is JSON; text needs no quotes where the method takes text, or where it is no JSON."
        })
public final class TraceCommand extends MethodCommand {
    private static final String TOTAL = "total";
    private static final BigDecimal PERCENT = BigDecimal.valueOf(100);

    /** The output of {@code --json}. */
    private record Trace(int status, String endpoint, Map<String, BigDecimal> stagesMs) {}

    @Override
    void prepare(HttpRequest.Builder request) {
        request.header("X-Mesh-Timing", "true");
    }

    @Override
    void print(HttpResponse<String> response, long tookNs) {
        String field = response.headers()
                .firstValue("Server-Timing")
                .orElseThrow(
                        () -> new MeshctlException(front() + " tells no times (expected: an agent of this version)"));
        Map<String, BigDecimal> stages = stages(field);
        String endpoint = response.headers().firstValue("X-Mesh-Endpoint").orElse(null);
        if (json()) {
            out().println(Json.write(new Trace(response.statusCode(), endpoint, stages)));
        } else {
            print(stages, CallPlaces.of(role(), endpoint, agent()));
            if (hasFailed(response)) {
                throw failure(response);
            }
        }
    }

    private void print(Map<String, BigDecimal> stages, CallPlaces places) {
        BigDecimal total = stages.getOrDefault(TOTAL, BigDecimal.ZERO);
        Table table = new Table("STAGE", "MS", "SHARE", "WHERE");
        stages.forEach((stage, ms) -> table.add(stage, ms, share(ms, total), places.of(stage)));
        table.print(out());
    }

    private static String share(BigDecimal ms, BigDecimal total) {
        return total.signum() == 0 ? "" : ms.multiply(PERCENT).divide(total, 0, RoundingMode.HALF_UP) + " %";
    }

    /** Returns the stages in milliseconds: the field is a list of {@code name;dur=number}. */
    private static Map<String, BigDecimal> stages(String field) {
        Map<String, BigDecimal> stages = new LinkedHashMap<>();
        for (String metric : field.split(",")) {
            String[] parts = metric.strip().split(";dur=");
            try {
                stages.put(parts[0], new BigDecimal(parts[parts.length - 1]));
            } catch (NumberFormatException e) {
                throw new MeshctlException("Server-Timing: " + field + " (expected: that of an agent of this version)");
            }
        }
        return stages;
    }
}
