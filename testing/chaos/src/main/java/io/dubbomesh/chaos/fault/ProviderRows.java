package io.dubbomesh.chaos.fault;

import io.dubbomesh.chaos.load.Calls;
import io.dubbomesh.chaos.load.Load;
import io.dubbomesh.chaos.load.Workload;
import io.dubbomesh.chaos.row.Figures;
import io.dubbomesh.chaos.row.Row;
import io.dubbomesh.chaos.row.SingleCalls;
import io.dubbomesh.chaos.row.Wait;
import io.dubbomesh.chaos.site.Mesh;
import io.dubbomesh.chaos.site.Site;
import io.dubbomesh.testsupport.HttpAnswer;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static io.dubbomesh.chaos.site.Site.pause;

/** Providers that have no thread left, and what Dubbo's statuses become. */
public final class ProviderRows {
    private static final Map<Integer, Integer> HTTP_STATUSES = new TreeMap<>(Map.ofEntries(
            Map.entry(20, 200),
            Map.entry(25, 502),
            Map.entry(30, 502),
            Map.entry(31, 504),
            Map.entry(35, 502),
            Map.entry(40, 400),
            Map.entry(50, 502),
            Map.entry(60, 502),
            Map.entry(70, 502),
            Map.entry(80, 502),
            Map.entry(90, 502),
            Map.entry(100, 503),
            Map.entry(105, 502)));

    private ProviderRows() {}

    public static List<Row> rows() {
        return List.of(
                Row.of(
                        "P1",
                        "a real Dubbo provider with one thread of 500 ms, 200 calls in flight",
                        "each call 200, 503 or 504 by its deadline + 100 ms; 0 lost",
                        ProviderRows::fullPool),
                Row.of(
                                "P2",
                                "each Dubbo status from 20 to 105; READONLY",
                                "mapped as docs/use/http.md says; no new calls after READONLY",
                                ProviderRows::statuses)
                        .isQuick());
    }

    private static void fullPool(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 1)
                .realProviders()
                .providers("-Dthreads=1", "-Ddelay.ms=500")
                .start();
        Calls calls = mesh.call(Workload.closed(200), site.seconds(20));
        Calls otherwise = calls.failed().where(call -> call.status() != 503 && call.status() != 504);
        figures.nothingLost(calls, mesh.providers())
                .atLeast("good", calls.good().count(), site.seconds(20))
                .none("answered otherwise", otherwise.count())
                .atMost("ms for the slowest", calls.percentileMs(100), 5_100)
                .note(calls.statuses());
    }

    private static void statuses(Site site, Figures figures) throws Exception {
        Mesh mesh = Mesh.of(site, 1).start();
        for (Map.Entry<Integer, Integer> status : HTTP_STATUSES.entrySet()) {
            HttpAnswer answer = SingleCalls.call(mesh.consumer(), "status", Integer.toString(status.getKey()));
            figures.equal(status.getKey() + " becomes", answer.status(), status.getValue());
            // What failed may take the endpoint out of rotation for a moment.
            Wait.seconds(
                    10, () -> SingleCalls.call(mesh.consumer(), "hash", "hello").status() == 200);
        }
        Load load = mesh.load(Workload.rate(100));
        pause(1);
        mesh.provider(0).sendCommand("readonly");
        pause(1);
        int executed = mesh.provider(0).executions().count();
        pause(1);
        int later = mesh.provider(0).executions().count();
        Calls calls = load.stop();
        figures.none("calls 1 s after READONLY", later - executed)
                .none(
                        "answered otherwise than 200 and 503",
                        calls.failed().where(call -> call.status() != 503).count())
                .nothingLost(calls, mesh.providers());
    }
}
