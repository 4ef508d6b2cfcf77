package io.dubbomesh.chaos.load;

import io.dubbomesh.benchmark.client.LoadPlan;
import io.dubbomesh.benchmark.client.LoadPlan.Connections;
import io.dubbomesh.benchmark.client.Request;
import io.dubbomesh.benchmark.client.Schedule;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * The calls that a load sends until it is stopped.
 *
 * @param schedule of an open loop: calls are sent at its times, without waiting for answers; null for a closed loop:
 *     each connection sends the next call when it has the answer
 * @param connections the most of an open loop, as many as are always open in a closed loop
 */
public record Workload(Schedule schedule, Connections connections, Request request) {
    public static final String SERVICE = Request.DEFAULT.service();

    /** Longer than any row. */
    private static final Duration LONG = Duration.ofHours(24);

    private static final int MOST_CONNECTIONS = 4000;
    private static final int PARAMETER_LENGTH = 32;
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    /** Beyond the deadline of a call; then it counts as lost. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The range of numbers that each load of a site has for its calls; there are enough numbers for 30 loads. */
    static final int CALLS_OF_A_LOAD = 10_000_000;

    /** An open loop. */
    public static Workload rate(double perSecond) {
        return of(Schedule.constant(perSecond, LONG), MOST_CONNECTIONS);
    }

    /** A closed loop. */
    public static Workload closed(int connections) {
        return of(null, connections);
    }

    /** An open loop with so many times as many calls during the last {@code lengthMs} of each period. */
    public static Workload bursts(double perSecond, double times, int lengthMs, int periodMs) {
        int periods = 1000;
        return of(
                Schedule.bursts(
                        perSecond,
                        perSecond * times,
                        Duration.ofMillis(lengthMs),
                        Duration.ofMillis(periodMs),
                        periods),
                MOST_CONNECTIONS);
    }

    private static Workload of(Schedule schedule, int connections) {
        return new Workload(schedule, Connections.of(connections), Request.DEFAULT.withLengths(PARAMETER_LENGTH, 0));
    }

    public Workload connections(int most) {
        return new Workload(schedule, Connections.of(most), request);
    }

    /** A new connection for each call. */
    public Workload newConnections() {
        return new Workload(schedule, connections.withNewOnes(), request);
    }

    public Workload service(String name) {
        return new Workload(schedule, connections, request.withService(name));
    }

    /** @param length of the parameter, in characters */
    public Workload parameters(int length) {
        return new Workload(schedule, connections, request.withLengths(length, 0));
    }

    /** The deadline that the calls ask for. */
    public Workload timeout(Duration timeout) {
        return new Workload(schedule, connections, request.withDeadlineMs((int) timeout.toMillis()));
    }

    /** @param load the number of this load among those of a site */
    public LoadPlan plan(List<InetSocketAddress> targets, int load) {
        LoadPlan plan = schedule == null
                ? LoadPlan.closedLoop(targets.get(0), connections.most(), LONG)
                : LoadPlan.openLoop(targets.get(0), schedule);
        Duration timeout = request.deadlineMs() > 0 ? Duration.ofMillis(request.deadlineMs()) : DEFAULT_TIMEOUT;
        return plan.withTargets(targets)
                .withConnections(connections)
                .withRequest(request)
                .withFirstNumber(load * CALLS_OF_A_LOAD)
                .withTimeout(timeout.plus(PATIENCE));
    }
}
