package io.dubbomesh.benchmark.bench;

import java.util.List;

/**
 * One side, measured once at one point.
 *
 * @param number              from 1
 * @param usages              of the side's programs, then of the shared ones
 * @param own                 how many of them are the side's
 * @param foreignPercent      of the machine's CPU time, by programs that do not belong to this run
 * @param acceptedConnections in this network namespace, wrk's own among them
 */
record Round(
        int number,
        Point point,
        String side,
        LoadResult load,
        List<Usage> usages,
        int own,
        int foreignPercent,
        long acceptedConnections) {
    /** The same round of the same program differed by 40 % in CPU per request while builds ran beside it. */
    private static final int MAX_FOREIGN_PERCENT = 5;

    boolean isDisturbed() {
        return foreignPercent > MAX_FOREIGN_PERCENT;
    }

    double cpuUsPerRequest() {
        return usages.subList(0, own).stream()
                .mapToDouble(this::cpuUsPerRequest)
                .sum();
    }

    double cpuUsPerRequest(Usage usage) {
        return (double) usage.cpu().totalUs() / load.requests();
    }
}
