package io.dubbomesh.benchmark.load;

import com.fasterxml.jackson.annotation.JsonProperty;

import java.util.List;

/**
 * One side, measured once at one point. Its components are in the JSON report.
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

    @JsonProperty
    boolean isDisturbed() {
        return foreignPercent > MAX_FOREIGN_PERCENT;
    }

    @JsonProperty
    public double cpuUsPerRequest() {
        return usages.subList(0, own).stream()
                .mapToDouble(usage -> perRequest(usage.cpu().totalUs()))
                .sum();
    }

    public double perRequest(double sum) {
        return sum / load.requests();
    }
}
