package io.dubbomesh.benchmark.load;

import io.dubbomesh.benchmark.process.GcLog;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One side, measured once at one point.
 *
 * @param number              from 1
 * @param usages              of the side's programs, then of the shared ones
 * @param own                 how many of them are the side's
 * @param foreignPercent      of the machine's CPU time, by programs that do not belong to this run
 * @param acceptedConnections in this network namespace, including wrk's
 */
public record Round(
        int number,
        Point point,
        String side,
        LoadResult load,
        List<Usage> usages,
        int own,
        int foreignPercent,
        long acceptedConnections) {
    /** CPU per request of one program differed by 40 % between rounds while builds ran beside it. */
    private static final int MAX_FOREIGN_PERCENT = 5;

    boolean isDisturbed() {
        return foreignPercent > MAX_FOREIGN_PERCENT;
    }

    double cpuUsPerRequest() {
        return usages.subList(0, own).stream()
                .mapToDouble(usage -> perRequest(usage.cpu().totalUs()))
                .sum();
    }

    double perRequest(double sum) {
        return sum / load.requests();
    }

    /** For the JSON report. */
    Map<String, Object> json(Comparison comparison) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("comparison", comparison.title());
        json.put("round", number);
        json.put("side", side);
        json.put("load", point.label());
        json.put("connections", point.connections());
        json.put("qps", Math.round(load.qps()));
        if (comparison.delayMs() > 0) {
            json.put("limit", Math.round(comparison.limit(point)));
            json.put("ratio", load.qps() / comparison.limit(point));
        }
        json.put("result", load);
        json.put("otherProgramsCpuPercent", foreignPercent);
        json.put("acceptedConnections", acceptedConnections);
        List<Map<String, Object>> processes = new ArrayList<>();
        usages.forEach(usage -> processes.add(json(usage)));
        json.put("processes", processes);
        return json;
    }

    private Map<String, Object> json(Usage usage) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", usage.program());
        json.put("cpuUsPerRequest", perRequest(usage.cpu().totalUs()));
        json.put("userUsPerRequest", perRequest(usage.cpu().userUs()));
        json.put("systemUsPerRequest", perRequest(usage.cpu().systemUs()));
        json.put("rssMib", usage.rssMib());
        json.put("pssMib", usage.pssMib());
        GcLog.Stops stops = usage.stops();
        if (stops != null) {
            json.put("allocatedBytesPerRequest", perRequest(usage.allocatedBytes()));
            json.put("stops", stops);
        }
        return json;
    }
}
