package io.dubbomesh.transport.metrics;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.runtime.metrics.MetricSamples;
import io.dubbomesh.transport.write.Turn;

import java.util.HashMap;
import java.util.Map;

/**
 * The calls of one event loop by method. So many methods have numbers of their own; all others, and what names no
 * method, count together as {@value #OTHER}. Owned by the loop.
 */
public final class CallMetrics {
    public static final String OTHER = "other";

    private record Key(String service, String method) {
        // Written out, as hashCode is: the JVM links those that the compiler makes for a record by method handles at
        // each
        // start, which takes it milliseconds.
        @Override
        public boolean equals(Object other) {
            return other instanceof Key that && service.equals(that.service) && method.equals(that.method);
        }

        @Override
        public int hashCode() {
            return 31 * service.hashCode() + method.hashCode();
        }
    }

    private final CallMetricNames names;
    private final int capacity;
    private final Map<Key, MethodMetrics> methods = new HashMap<>();
    /** Null where calls tell how long they took. */
    private final TurnAnswers turn;

    private final MethodMetrics other;
    private final RecentFailures failures = new RecentFailures();

    /**
     * Makes the metrics of calls that have durations.
     *
     * @param capacity the number of methods
     */
    public CallMetrics(CallMetricNames names, int capacity) {
        this(names, capacity, (TurnAnswers) null);
    }

    /**
     * Makes the metrics of calls whose durations end with the turn in which they are answered.
     *
     * @param capacity the number of methods
     */
    public CallMetrics(CallMetricNames names, int capacity, Turn turn) {
        this(names, capacity, new TurnAnswers(turn));
    }

    private CallMetrics(CallMetricNames names, int capacity, TurnAnswers turn) {
        this.names = names;
        this.capacity = capacity;
        this.turn = turn;
        other = new MethodMetrics(OTHER, OTHER, turn);
    }

    /** Returns the counters for calls of no known method. */
    public MethodMetrics other() {
        return other;
    }

    public RecentFailures failures() {
        return failures;
    }

    /** Returns the counters of a method that exists, with any parameters; {@link #other} where there are too many. */
    public MethodMetrics of(String service, String method) {
        Key key = new Key(service, method);
        MethodMetrics known = methods.get(key);
        if (known == null && methods.size() < capacity) {
            known = new MethodMetrics(service, method, turn);
            methods.put(key, known);
        }
        return known == null ? other : known;
    }

    /** Returns the counters of a method that may not exist: {@link #other} unless {@link #of} was called for it. */
    public MethodMetrics known(String service, String method) {
        return methods.getOrDefault(new Key(service, method), other);
    }

    public void addTo(MetricSamples samples) {
        if (turn != null) {
            turn.end();
        }
        add(samples, other);
        methods.values().forEach(method -> add(samples, method));
    }

    private void add(MetricSamples samples, MethodMetrics method) {
        for (Outcome outcome : MethodMetrics.OUTCOMES) {
            long answers = method.answers(outcome);
            if (answers > 0) {
                samples.add(
                        names.requests(),
                        answers,
                        method.service(),
                        method.method(),
                        outcome.code(),
                        Integer.toString(outcome.httpStatus()));
            }
        }
        if (method.durations().count() > 0) {
            samples.addHistogram(names.duration(), method.durations(), method.service(), method.method());
        }
        if (method.served() > 0) {
            stage(samples, method, CallMetricNames.QUEUE, method.waitedSeconds());
            stage(samples, method, names.servedStage(), method.servedSeconds());
            if (names.restStage() != null) {
                stage(samples, method, names.restStage(), method.restSeconds());
            }
        }
    }

    private void stage(MetricSamples samples, MethodMetrics method, String stage, double seconds) {
        samples.addSummary(names.stage(), method.served(), seconds, method.service(), method.method(), stage);
    }
}
