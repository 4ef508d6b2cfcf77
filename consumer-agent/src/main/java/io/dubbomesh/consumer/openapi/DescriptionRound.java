package io.dubbomesh.consumer.openapi;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Asks services for their descriptions once, a few at once, until all have answered or the time is over. Whoever is
 * asked has no more time than is left, so that the last answer is there at the deadline. Owned by one event loop.
 * <pre>
 *   ASKING  to ENDED in a turn in which all that were asked have answered, and there are no others, or no time for
 *                    them: the listener gets the answers
 *           to ENDED by cancel: what comes later is dropped
 * </pre>
 */
public final class DescriptionRound {
    /** Asks one service. */
    @FunctionalInterface
    public interface Asker {
        /** @throws CallException if the service cannot be asked; the answer is not used then */
        void ask(MethodName service, int timeoutMs, Description answer, long nowNs) throws CallException;
    }

    /**
     * Bounds of a round.
     *
     * @param atOnce     the services that are asked at a time
     * @param timeoutMs  for one service: its agent answers of what it knows already
     * @param deadlineMs for all services
     * @param maxBytes   of all descriptions; those that come later are dropped
     */
    public record Limits(int atOnce, int timeoutMs, int deadlineMs, long maxBytes) {}

    /** The services that are asked in one turn: in a gateway the loop itself writes the descriptions. */
    private static final int IN_A_TURN = 4;

    enum Phase {
        ASKING,
        ENDED
    }

    private final Limits limits;
    private final Asker asker;
    private final Executor eventLoop;
    private final LongSupplier clock;
    private final Consumer<Collection<Described>> listener;
    private final long deadlineNs;
    private final Deque<MethodName> unasked;
    private final Map<MethodName, Described> answers = new LinkedHashMap<>();
    private Phase phase = Phase.ASKING;
    private int unanswered;
    private long bytes;
    private boolean isScheduled;

    /**
     * Begins a round, whose first service is asked in a turn to come.
     *
     * @param clock    as {@link System#nanoTime}
     * @param listener gets the answers, without those of services for which there was no time; called once, in a turn
     *                 of its own, unless the round is cancelled
     */
    public DescriptionRound(
            Collection<MethodName> services,
            Limits limits,
            Asker asker,
            Executor eventLoop,
            LongSupplier clock,
            Consumer<Collection<Described>> listener) {
        this.limits = limits;
        this.asker = asker;
        this.eventLoop = eventLoop;
        this.clock = clock;
        this.listener = listener;
        unasked = new ArrayDeque<>(services);
        deadlineNs = clock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(limits.deadlineMs());
        schedule();
    }

    Phase phase() {
        return phase;
    }

    /** Asks no further service, and drops what comes. */
    public void cancel() {
        phase = Phase.ENDED;
        unasked.clear();
        answers.clear();
    }

    private void schedule() {
        if (!isScheduled) {
            isScheduled = true;
            eventLoop.execute(this::proceed);
        }
    }

    private void proceed() {
        isScheduled = false;
        int asked = 0;
        while (!unasked.isEmpty() && unanswered < limits.atOnce() && asked < IN_A_TURN) {
            asked++;
            long nowNs = clock.getAsLong();
            long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - nowNs);
            if (leftMs <= 0) {
                unasked.clear();
            } else {
                unanswered++;
                ask(unasked.removeFirst(), (int) Math.min(limits.timeoutMs(), leftMs), nowNs);
            }
        }
        if (!unasked.isEmpty() && unanswered < limits.atOnce()) {
            schedule();
        }
        if (phase == Phase.ASKING && unasked.isEmpty() && unanswered == 0) {
            phase = Phase.ENDED;
            listener.accept(answers.values());
        }
    }

    private void ask(MethodName service, int timeoutMs, long nowNs) {
        try {
            asker.ask(service, timeoutMs, new Description(service, this::answered), nowNs);
        } catch (CallException e) {
            answered(Described.not(service, e.outcome(), e.getMessage()));
        }
    }

    /** Called from within the processing of an answer, which begins no other call. */
    private void answered(Described answer) {
        unanswered--;
        if (phase == Phase.ENDED) {
            return;
        }
        bytes += answer.document() == null ? 0 : answer.document().length;
        answers.put(
                answer.name(),
                bytes <= limits.maxBytes()
                        ? answer
                        : Described.not(
                                answer.name(),
                                Outcome.OVERLOADED,
                                "more than " + limits.maxBytes() + " bytes of descriptions"));
        schedule();
    }
}
