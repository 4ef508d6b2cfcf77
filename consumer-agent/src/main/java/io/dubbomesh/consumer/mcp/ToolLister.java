package io.dubbomesh.consumer.mcp;

import io.dubbomesh.consumer.call.CallReader;
import io.dubbomesh.consumer.mcp.schema.ToolTypes;
import io.dubbomesh.consumer.openapi.Described;
import io.dubbomesh.consumer.openapi.Description;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Has lists of tools wait until the types of their services are known, or known not to be had now. Asks the services, a
 * few at once, and has the schemas made by another thread; calls never wait for it. Owned by one event loop.
 * <pre>
 *   IDLE    to ASKING when a list is wanted and services were not asked lately
 *   ASKING  to MAKING when all that were asked have answered, and there are no others or no time is left for them
 *   MAKING  to IDLE when the schemas are made: the lists of these types are written
 *           to ASKING likewise, when others wait for the types of another file
 * </pre>
 */
final class ToolLister {
    private static final Logger LOG = LoggerFactory.getLogger(ToolLister.class);
    private static final int AT_ONCE = 16;
    /** The time for all services of a round: their agents answer of what they know already. */
    static final int TIMEOUT_MS = 3000;

    /** The bytes that the descriptions of one round may have, beside the schemas that are made of them. */
    private static final long MOST_BYTES = Runtime.getRuntime().maxMemory() / 16;

    enum State {
        IDLE,
        ASKING,
        MAKING
    }

    private final CallReader calls;
    private final McpEndpoint.CallSender sender;
    private final Executor eventLoop;
    private final Executor maker;
    private final LongSupplier clock;
    private final List<Waiting> waiting = new ArrayList<>();

    private State state = State.IDLE;
    private ToolTypes types;
    private final Deque<MethodName> unasked = new ArrayDeque<>();
    private final List<Described> answers = new ArrayList<>();
    private int unanswered;
    private long bytes;
    /** The end of the time for the round. */
    private long deadlineNs;

    /** A list that waits for types. */
    private record Waiting(ToolTypes types, Runnable listener) {}

    /**
     * @param maker makes schemas, one after the other
     * @param clock as {@link System#nanoTime}
     */
    ToolLister(
            CallReader calls, McpEndpoint.CallSender sender, Executor eventLoop, Executor maker, LongSupplier clock) {
        this.calls = calls;
        this.sender = sender;
        this.eventLoop = eventLoop;
        this.maker = maker;
        this.clock = clock;
    }

    State state() {
        return state;
    }

    /** Runs the listener when the types are known: now, or in a later turn. */
    void whenKnown(ToolTypes of, Runnable listener) {
        if (state != State.IDLE) {
            waiting.add(new Waiting(of, listener));
            return;
        }
        long nowNs = clock.getAsLong();
        List<MethodName> stale = of.stale(nowNs);
        if (stale.isEmpty()) {
            listener.run();
            return;
        }
        waiting.add(new Waiting(of, listener));
        state = State.ASKING;
        types = of;
        deadlineNs = nowNs + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS);
        unasked.addAll(stale);
        eventLoop.execute(this::ask);
    }

    private void ask() {
        while (!unasked.isEmpty() && unanswered < AT_ONCE) {
            long nowNs = clock.getAsLong();
            long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - nowNs);
            if (leftMs <= 0) {
                // They are the first of the next round.
                unasked.clear();
            } else {
                unanswered++;
                ask(unasked.removeFirst(), (int) leftMs, nowNs);
            }
        }
        if (unasked.isEmpty() && unanswered == 0 && state == State.ASKING) {
            make();
        }
    }

    private void ask(MethodName service, int timeoutMs, long nowNs) {
        try {
            sender.send(calls.describe(service, timeoutMs), new Description(service, this::answered), nowNs, nowNs);
        } catch (CallException e) {
            answered(Described.not(service, e.outcome(), e.getMessage()));
        }
    }

    /** Called from within the processing of an answer, which begins no other call. */
    private void answered(Described answer) {
        unanswered--;
        bytes += answer.document() == null ? 0 : answer.document().length;
        answers.add(
                bytes <= MOST_BYTES
                        ? answer
                        : Described.not(
                                answer.name(),
                                Outcome.OVERLOADED,
                                "more than " + MOST_BYTES + " bytes of descriptions"));
        if (!unasked.isEmpty()) {
            eventLoop.execute(this::ask);
        } else if (unanswered == 0) {
            make();
        }
    }

    private void make() {
        state = State.MAKING;
        List<Described> all = List.copyOf(answers);
        answers.clear();
        bytes = 0;
        make(types, all);
    }

    private void make(ToolTypes of, List<Described> all) {
        try {
            maker.execute(() -> take(of, all));
        } catch (RejectedExecutionException e) {
            // The agent ends; what is known will do.
            eventLoop.execute(this::made);
        }
    }

    private void take(ToolTypes of, List<Described> all) {
        try {
            of.take(all, clock.getAsLong());
        } finally {
            eventLoop.execute(this::made);
        }
    }

    private void made() {
        ToolTypes known = types;
        state = State.IDLE;
        types = null;
        List<Waiting> all = List.copyOf(waiting);
        waiting.clear();
        for (Waiting each : all) {
            if (each.types() == known) {
                run(each.listener());
            } else {
                // The file has changed meanwhile.
                whenKnown(each.types(), each.listener());
            }
        }
    }

    /** Never throws: others wait behind it. */
    private static void run(Runnable listener) {
        try {
            listener.run();
        } catch (RuntimeException | Error e) {
            LOG.error("a list of tools could not be written", e);
        }
    }
}
