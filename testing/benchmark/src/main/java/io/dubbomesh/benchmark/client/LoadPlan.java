package io.dubbomesh.benchmark.client;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * The plan of a {@link LoadClient}.
 *
 * @param targets consumer agents; connections are made to one after the other, and to the next one where one is refused
 * @param schedule of an open loop; null for a closed loop, in which each connection always has as many calls as it may
 * @param duration    of a closed loop
 * @param firstNumber of the calls; clients that load the same providers need ranges of their own, see
 *     {@link #numbersOf}
 * @param timeout     after which a call that has no answer is lost, and its connection is closed
 * @param giveUp      a closed loop ends when no connection could be made for so long; null for never
 */
public record LoadPlan(
        List<InetSocketAddress> targets,
        Schedule schedule,
        Duration duration,
        Connections connections,
        Request request,
        int firstNumber,
        Duration timeout,
        Duration giveUp) {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int CALLS_OF_A_CLIENT = 1 << 24;

    /**
     * @param most      of an open loop, which makes them as they are needed; all those of a closed loop
     * @param depth     calls that one connection may have at once (pipelining)
     * @param keepAlive false: a new connection for each call
     */
    public record Connections(int most, int depth, boolean keepAlive) {
        public static final Connections DEFAULT = new Connections(10_000, 1, true);

        public static Connections of(int most) {
            return new Connections(most, 1, true);
        }

        public Connections withDepth(int calls) {
            return new Connections(most, calls, keepAlive);
        }

        public Connections withNewOnes() {
            return new Connections(most, 1, false);
        }
    }

    public static LoadPlan openLoop(InetSocketAddress target, Schedule schedule) {
        return new LoadPlan(List.of(target), schedule, null, Connections.DEFAULT, Request.DEFAULT, 0, TIMEOUT, null);
    }

    public static LoadPlan openLoop(InetSocketAddress target, double callsPerSecond, Duration duration) {
        return openLoop(target, Schedule.constant(callsPerSecond, duration));
    }

    public static LoadPlan closedLoop(InetSocketAddress target, int connections, Duration duration) {
        return new LoadPlan(
                List.of(target), null, duration, Connections.of(connections), Request.DEFAULT, 0, TIMEOUT, null);
    }

    /** The first number of the calls of the client with this index, from 0 to 17. */
    public static int numbersOf(int client) {
        return client * CALLS_OF_A_CLIENT;
    }

    public LoadPlan withTargets(List<InetSocketAddress> all) {
        return new LoadPlan(all, schedule, duration, connections, request, firstNumber, timeout, giveUp);
    }

    public LoadPlan withConnections(Connections some) {
        return new LoadPlan(targets, schedule, duration, some, request, firstNumber, timeout, giveUp);
    }

    public LoadPlan withRequest(Request another) {
        return new LoadPlan(targets, schedule, duration, connections, another, firstNumber, timeout, giveUp);
    }

    public LoadPlan withFirstNumber(int number) {
        return new LoadPlan(targets, schedule, duration, connections, request, number, timeout, giveUp);
    }

    public LoadPlan withTimeout(Duration limit) {
        return new LoadPlan(targets, schedule, duration, connections, request, firstNumber, limit, giveUp);
    }

    public LoadPlan withGiveUp(Duration alone) {
        return new LoadPlan(targets, schedule, duration, connections, request, firstNumber, timeout, alone);
    }
}
