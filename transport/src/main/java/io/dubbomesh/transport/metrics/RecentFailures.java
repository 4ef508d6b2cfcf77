package io.dubbomesh.transport.metrics;

import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Quoted;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The calls of one event loop that failed: for each code, method and endpoint how many, when, and why the last of them
 * did. Of each code it keeps the {@value #ROWS_PER_CODE} rows that were added to last, so that a client which invents
 * names makes it forget nothing but failures of the same code. Owned by the loop; a call that does not fail never comes
 * here.
 */
public final class RecentFailures {
    static final int ROWS_PER_CODE = 16;

    /** Reasons are read no more often than this, since in an overload most calls fail. */
    private static final long REASON_INTERVAL_MS = 100;

    private static final int MAX_NAME = 200;
    private static final int MAX_REASON = 1000;

    private final Map<Outcome, LinkedHashMap<Key, Row>> rows = new EnumMap<>(Outcome.class);

    /** Null for what a failure does not have. */
    private record Key(String service, String method, String version, String group, String endpoint) {}

    private static final class Row {
        private long count;
        private long firstMs;
        private long lastMs;
        private String reason = "";
        private long reasonMs;
    }

    private static final class Rows extends LinkedHashMap<Key, Row> {
        private static final long serialVersionUID = 1L;

        Rows() {
            super(ROWS_PER_CODE * 2, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Row> eldest) {
            return size() > ROWS_PER_CODE;
        }
    }

    /**
     * Called when a call has failed.
     *
     * @param name     null if no method was called
     * @param endpoint that it was sent to; null for none
     */
    public void add(Outcome outcome, MethodName name, String endpoint, String reason) {
        add(outcome, name, endpoint, () -> reason);
    }

    /** Adds a failure whose reason takes time to find out: it is asked for before this returns, or never. */
    public void add(Outcome outcome, MethodName name, String endpoint, Supplier<String> reason) {
        long nowMs = System.currentTimeMillis();
        Row row = count(outcome, name, endpoint, nowMs);
        if (isReasonDue(row, nowMs)) {
            explain(row, reason.get(), nowMs);
        }
    }

    private Row count(Outcome outcome, MethodName name, String endpoint, long nowMs) {
        Key key = name == null
                ? new Key(null, null, null, null, endpoint)
                : new Key(
                        brief(name.service()),
                        brief(name.method()),
                        brief(name.version()),
                        brief(name.group()),
                        endpoint);
        Row row = rows.computeIfAbsent(outcome, code -> new Rows()).computeIfAbsent(key, added -> new Row());
        if (row.count == 0) {
            row.firstMs = nowMs;
        }
        row.count++;
        row.lastMs = nowMs;
        return row;
    }

    private static boolean isReasonDue(Row row, long nowMs) {
        return row.count == 1 || Math.abs(nowMs - row.reasonMs) >= REASON_INTERVAL_MS;
    }

    private static void explain(Row row, String reason, long nowMs) {
        row.reason = reason.length() > MAX_REASON ? reason.substring(0, MAX_REASON) + "..." : reason;
        row.reasonMs = nowMs;
    }

    private static String brief(String name) {
        return name.length() > MAX_NAME ? Quoted.plain(name, MAX_NAME) : name;
    }

    /** Returns what is known now. */
    public List<Failure> failures() {
        List<Failure> failures = new ArrayList<>();
        rows.forEach((outcome, ofCode) -> ofCode.forEach((key, row) -> failures.add(new Failure(
                outcome,
                key.service,
                key.method,
                key.version,
                key.group,
                key.endpoint,
                row.count,
                row.firstMs,
                row.lastMs,
                row.reason))));
        return failures;
    }
}
