package io.dubbomesh.client.call;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** A learnt limit before a provider with 20 threads of 50 ms that becomes three times slower, in simulated time. */
class LearntLimitSimulationTest {
    private static final int THREADS = 20;
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    enum Pool {
        /** Refuses a call for which there is no thread, as Dubbo does by default. */
        REFUSES,
        /** With dubbo.protocol.queues. */
        QUEUES
    }

    private enum Kind {
        ARRIVAL,
        ANSWER,
        REFUSAL
    }

    private record Event(long timeNs, long number, Kind kind, long sentNs) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return timeNs != other.timeNs ? Long.compare(timeNs, other.timeNs) : Long.compare(number, other.number);
        }
    }

    /**
     * An agent with one event loop and a queue for 64 calls, a provider, and clients that do not wait for each other.
     */
    private static final class Simulation {
        final LearntLimit limit = new LearntLimit(1, 1000, 0);
        final Pool pool;
        final Random random = new Random(42);
        final PriorityQueue<Event> events = new PriorityQueue<>();
        final ArrayDeque<Long> atProvider = new ArrayDeque<>();
        final boolean jitter;
        boolean noisy;
        double speed = 1;
        long speedUntilNs;
        double arrivalsPerSecond;
        long delayNs;
        long nowNs;
        long number;
        int inService;
        int busy;
        int waiting;
        int answered;
        int refused;
        long latencyNs;

        Simulation(Pool pool, double arrivalsPerSecond, boolean jitter) {
            this.pool = pool;
            this.jitter = jitter;
            this.arrivalsPerSecond = arrivalsPerSecond;
            schedule(0, Kind.ARRIVAL, 0);
        }

        void schedule(long afterNs, Kind kind, long sentNs) {
            events.add(new Event(nowNs + afterNs, number++, kind, sentNs));
        }

        void run(long forNs) {
            long endNs = nowNs + forNs;
            answered = 0;
            refused = 0;
            latencyNs = 0;
            while (events.peek().timeNs <= endNs) {
                Event event = events.poll();
                nowNs = event.timeNs;
                switch (event.kind) {
                    case ARRIVAL -> arrive();
                    case ANSWER -> answer(event.sentNs);
                    case REFUSAL -> refuse();
                }
            }
            nowNs = endNs;
        }

        void arrive() {
            schedule((long) (-Math.log(1 - random.nextDouble()) / arrivalsPerSecond * SECOND), Kind.ARRIVAL, 0);
            if (waiting < 64) {
                waiting++;
            }
            serve();
        }

        void serve() {
            while (waiting > 0 && inService < limit.limit()) {
                waiting--;
                inService++;
                if (inService >= limit.limit()) {
                    limit.reached();
                }
                if (busy < THREADS) {
                    execute(nowNs);
                } else if (pool == Pool.QUEUES) {
                    atProvider.add(nowNs);
                } else {
                    schedule(MS / 5, Kind.REFUSAL, 0);
                }
            }
        }

        void execute(long sentNs) {
            busy++;
            double factor = jitter ? 0.5 + random.nextDouble() : 1;
            schedule((long) (factor * speed() * delayNs), Kind.ANSWER, sentNs);
        }

        /** Other programs take the provider's processors, for a third of a second at a time. */
        double speed() {
            if (noisy && nowNs >= speedUntilNs) {
                speed = 1 + 3 * random.nextDouble();
                speedUntilNs = nowNs + 300 * MS;
            }
            return speed;
        }

        void answer(long sentNs) {
            busy--;
            inService--;
            answered++;
            latencyNs += nowNs - sentNs;
            if (!atProvider.isEmpty()) {
                execute(atProvider.poll());
            }
            if (sentNs >= limit.inForceSinceNs()) {
                limit.answered(1, nowNs - sentNs, limit.inForceSinceNs(), nowNs);
            }
            serve();
        }

        void refuse() {
            limit.refused(inService, nowNs);
            inService--;
            refused++;
            serve();
        }

        /** Compares the calls that were answered in ten seconds with what the threads can execute. */
        void assertGood(String when, double load) {
            run(10 * SECOND);
            double capacity = THREADS * 10.0 * SECOND / delayNs;
            double offered = Math.min(arrivalsPerSecond * 10, capacity);
            assertThat(answered / offered).as("goodput %s at %s", when, load).isGreaterThan(0.95);
            assertThat((double) latencyNs / answered / delayNs)
                    .as("mean latency at the provider %s at %s", when, load)
                    .isLessThan(1.8);
            assertThat((double) refused / (answered + refused))
                    .as("refused by the provider %s at %s", when, load)
                    .isLessThan(0.01);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "REFUSES, 0.8, false",
        "REFUSES, 2, false",
        "REFUSES, 4, false",
        "REFUSES, 4, true",
        "QUEUES, 0.8, false",
        "QUEUES, 2, false",
        "QUEUES, 4, false",
        "QUEUES, 2, true",
        "QUEUES, 4, true"
    })
    void theProviderIsUsedUpAndNotOverloadedAlsoWhenItBecomesThreeTimesSlower(Pool pool, double load, boolean jitter) {
        Simulation simulation = new Simulation(pool, load * THREADS * SECOND / (50 * MS), jitter);
        simulation.delayNs = 50 * MS;
        simulation.run(10 * SECOND);
        simulation.assertGood("at first", load);

        simulation.delayNs = 150 * MS;
        simulation.run(10 * SECOND);
        simulation.assertGood("when it is slower", load);

        simulation.delayNs = 50 * MS;
        simulation.run(10 * SECOND);
        simulation.assertGood("when it is quick again", load);
    }

    @ParameterizedTest
    @EnumSource(Pool.class)
    void latenciesThatChangeAllTheTimeDoNotWearTheLimitDown(Pool pool) {
        Simulation simulation = new Simulation(pool, 4 * THREADS * SECOND / (50 * MS), true);
        simulation.delayNs = 50 * MS;
        simulation.noisy = true;
        simulation.run(10 * SECOND);

        int lowest = Integer.MAX_VALUE;
        long calls = 0;
        for (int i = 0; i < 60; i++) {
            simulation.run(SECOND);
            calls += simulation.answered;
            lowest = Math.min(lowest, simulation.limit.settled());
        }

        assertThat(lowest).isGreaterThan(THREADS / 3);
        // Calls take 2.5 times as long on average.
        assertThat(calls / (60 * THREADS * 20 / 2.5)).as("goodput").isGreaterThan(0.8);
    }
}
