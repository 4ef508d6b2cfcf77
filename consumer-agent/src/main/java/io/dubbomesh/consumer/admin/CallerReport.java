package io.dubbomesh.consumer.admin;

import io.dubbomesh.consumer.caller.CallingApp;
import io.dubbomesh.consumer.caller.CallingApp.Count;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The applications that have called through the agent, the busiest first: a document of the admin interface. */
record CallerReport(List<Entry> callers) {
    /**
     * One of them.
     *
     * @param by         what the name is: {@code caller}, {@code user-agent} or {@code address}; {@code other}, without
     *     a name, for those that have no entry of their own
     * @param requests   since the agent's start
     * @param address    of the client that called last; null if it is not known
     * @param secondsAgo since the last request
     */
    record Entry(String by, String name, long requests, String address, double secondsAgo) {}

    private record Key(CallingApp.By by, String name) {}

    /** @param loops those of each event loop */
    static CallerReport of(List<ConsumerLoopState> loops, long nowNs) {
        Map<Key, Count> merged = new HashMap<>();
        loops.forEach(loop -> loop.callers()
                .forEach(count -> merged.merge(new Key(count.by(), count.name()), count, CallerReport::sum)));
        List<Count> counts = new ArrayList<>(merged.values());
        counts.sort(Comparator.comparingLong(Count::requests).reversed().thenComparing(Count::name));
        return new CallerReport(
                counts.stream().map(count -> entry(count, nowNs)).toList());
    }

    private static Count sum(Count one, Count other) {
        Count later = one.lastNs() - other.lastNs() >= 0 ? one : other;
        return new Count(one.by(), one.name(), one.requests() + other.requests(), later.address(), later.lastNs());
    }

    private static Entry entry(Count count, long nowNs) {
        return new Entry(
                count.by().name().toLowerCase(Locale.ROOT).replace('_', '-'),
                count.name().isEmpty() ? null : count.name(),
                count.requests(),
                count.address(),
                Math.max(0, nowNs - count.lastNs()) / (double) TimeUnit.SECONDS.toNanos(1));
    }
}
