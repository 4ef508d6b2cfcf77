package io.dubbomesh.runtime.history;

import io.dubbomesh.runtime.admin.AdminApi;
import io.dubbomesh.runtime.metrics.MetricSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Looks at what an agent has counted, each {@value #INTERVAL_S} s on a thread of its own, and keeps the last
 * {@value #MINUTES} minutes of it. The calls know nothing of that.
 */
public final class HistoryRecorder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HistoryRecorder.class);
    private static final int INTERVAL_S = 5;
    private static final int MINUTES = 5;
    private static final int RECENT_INTERVALS = 6;
    /** However many pages ask, the event loops are asked so often. */
    private static final long FRESH_NS = TimeUnit.MILLISECONDS.toNanos(200);
    /**
     * The time for which a request waits while another one waits for the event loops: if one of them is stuck, that
     * must not take all threads of the admin port.
     */
    private static final long TURN_MS = 100;

    private final String prefix;
    private final MetricSource source;
    /** Guarded by itself. */
    private final CallHistory history;

    private final long startNs = System.nanoTime();
    private final Thread thread;
    /** Held by the one who waits for the event loops. */
    private final Lock collecting = new ReentrantLock();
    /** Null before the first. */
    private volatile Collected newest;

    private record Collected(CallCounts counts, long atNs) {}

    private record MethodCount(String service, String method, long calls, long failed, Map<String, Long> failures) {}

    private record EndpointCount(String id, long calls, long failed, long refused, long inFlight) {}

    /** @param elapsedMs by a clock that is never set, so that rates can be computed from two documents */
    private record Counts(
            long elapsedMs, long calls, long failed, List<MethodCount> methods, List<EndpointCount> endpoints) {}

    private HistoryRecorder(String prefix, MetricSource source, int intervalSeconds) {
        this.prefix = prefix;
        this.source = source;
        history = new CallHistory(intervalSeconds, (int) TimeUnit.MINUTES.toSeconds(MINUTES) / INTERVAL_S);
        thread = new Thread(() -> run(TimeUnit.SECONDS.toNanos(intervalSeconds)), "call-history");
        thread.setDaemon(true);
    }

    /**
     * Starts.
     *
     * @param prefix of the names of the agent's metrics: {@code dubbomesh_consumer_}
     * @param source with the agent's calls and endpoints; others of its samples are not used
     */
    public static HistoryRecorder start(String prefix, MetricSource source) {
        return start(prefix, source, INTERVAL_S);
    }

    static HistoryRecorder start(String prefix, MetricSource source, int intervalSeconds) {
        HistoryRecorder recorder = new HistoryRecorder(prefix, source, intervalSeconds);
        recorder.thread.start();
        return recorder;
    }

    /**
     * Returns the calls per second to each endpoint in the last half minute, by its address; none before the first
     * interval has ended. May be called by any thread.
     */
    public Map<String, Double> recentRates() {
        synchronized (history) {
            return history.recentRates(RECENT_INTERVALS);
        }
    }

    /** Adds its documents, which docs/operate/admin.md describes. */
    public HistoryRecorder addTo(AdminApi api) {
        api.get("/history", request -> history()).get("/counts", request -> counts());
        return this;
    }

    private void run(long intervalNs) {
        try {
            record();
            long nextNs = System.nanoTime() + intervalNs;
            while (true) {
                TimeUnit.NANOSECONDS.sleep(nextNs - System.nanoTime());
                record();
                // After a pause of the process, what was missed is not made up for: those would be intervals of no
                // length.
                boolean isLate = System.nanoTime() - nextNs >= intervalNs / 2;
                nextNs = (isLate ? System.nanoTime() : nextNs) + intervalNs;
            }
        } catch (InterruptedException e) {
            LOG.debug("no history is kept any more");
        }
    }

    private void record() {
        collecting.lock();
        try {
            Collected now = collect();
            synchronized (history) {
                history.add(now.counts, now.atNs, System.currentTimeMillis());
            }
        } catch (TimeoutException | RuntimeException e) {
            // It is a gap in the plots; the metrics and the readiness say more.
            LOG.debug("the history has a gap: {}", e.toString());
            synchronized (history) {
                history.addUnknown(System.nanoTime(), System.currentTimeMillis());
            }
        } finally {
            collecting.unlock();
        }
    }

    private Collected collect() throws TimeoutException {
        Collected now = new Collected(new CallCounts(source.collect(), prefix), System.nanoTime());
        newest = now;
        return now;
    }

    private CallHistory.Document history() {
        synchronized (history) {
            return history.document();
        }
    }

    private Counts counts() throws TimeoutException {
        if (isFresh(newest)) {
            return document(newest);
        }
        if (!isMyTurn()) {
            throw new TimeoutException("the event loops have not answered another request yet");
        }
        try {
            return document(isFresh(newest) ? newest : collect());
        } finally {
            collecting.unlock();
        }
    }

    private boolean isMyTurn() {
        try {
            return collecting.tryLock(TURN_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static boolean isFresh(Collected collected) {
        return collected != null && System.nanoTime() - collected.atNs <= FRESH_NS;
    }

    private Counts document(Collected collected) {
        CallCounts counts = collected.counts;
        List<MethodCount> methods = new ArrayList<>();
        counts.methods.forEach((key, method) -> methods.add(
                new MethodCount(key.service(), key.method(), method.calls, method.failed, method.failures)));
        List<EndpointCount> endpoints = new ArrayList<>();
        counts.endpoints.forEach((id, endpoint) -> endpoints.add(
                new EndpointCount(id, endpoint.calls, endpoint.failed, endpoint.refused, endpoint.inFlight)));
        return new Counts(
                TimeUnit.NANOSECONDS.toMillis(collected.atNs - startNs),
                counts.all.calls,
                counts.all.failed,
                methods,
                endpoints);
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
