package io.dubbomesh.runtime;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Tells which events are new to the log of an agent whose event loops each have their own connection to the same peer:
 * when the peer comes or goes, every loop notices, and one line is enough. An event is the same one if another loop has
 * reported it in the last seconds; what the same loop reports again is new. Used by all loops, for what happens seldom.
 */
public final class SharedEvents {
    static final long SAME_NS = TimeUnit.SECONDS.toNanos(5);
    static final int MAX_EVENTS = 1024;

    /** The reports in the order of their times. */
    private final Map<String, Report> reports = new LinkedHashMap<>();

    private record Report(Object reporter, long atNs) {}

    /**
     * Returns whether a line about this event is to be logged.
     *
     * @param event    what happened and to what
     * @param reporter the event loop, or what stands for it
     */
    public synchronized boolean isNew(String event, Object reporter, long nowNs) {
        Report last = reports.get(event);
        if (last != null && last.reporter != reporter && nowNs - last.atNs < SAME_NS) {
            return false;
        }
        reports.remove(event);
        reports.put(event, new Report(reporter, nowNs));
        removeOld(nowNs);
        return true;
    }

    private void removeOld(long nowNs) {
        // The newest report, which is the last one, is not old: the loop ends there.
        Iterator<Report> oldest = reports.values().iterator();
        while (nowNs - oldest.next().atNs >= SAME_NS || reports.size() > MAX_EVENTS) {
            oldest.remove();
        }
    }

    synchronized int size() {
        return reports.size();
    }
}
