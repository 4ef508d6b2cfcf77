package io.dubbomesh.consumer.mcp;

import io.dubbomesh.consumer.call.CallReader;
import io.dubbomesh.consumer.mcp.schema.ToolTypes;
import io.dubbomesh.consumer.openapi.Described;
import io.dubbomesh.consumer.openapi.Description;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Has lists of tools wait until the types of their services are known, or known not to be had now. Asks the services, a
 * few at once, and has the schemas made by another thread; calls never wait for it. Owned by one event loop.
 * <pre>
 *   IDLE    to ASKING when a list is wanted and services were not asked lately
 *   ASKING  to MAKING when all have answered
 *   MAKING  to IDLE when the schemas are made: all lists that wait are written
 * </pre>
 */
final class ToolLister {
    private static final int AT_ONCE = 16;
    /** The time in which a service must be described: its agent answers of what it knows already. */
    private static final int TIMEOUT_MS = 3000;

    /** Of the descriptions of one round, beside the schemas that are made of them. */
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
    private final List<Runnable> waiting = new ArrayList<>();

    private State state = State.IDLE;
    private ToolTypes types;
    private final Deque<MethodName> unasked = new ArrayDeque<>();
    private final List<Described> answers = new ArrayList<>();
    private int unanswered;
    private long bytes;

    /** @param maker makes schemas, one after the other */
    ToolLister(CallReader calls, McpEndpoint.CallSender sender, Executor eventLoop, Executor maker) {
        this.calls = calls;
        this.sender = sender;
        this.eventLoop = eventLoop;
        this.maker = maker;
    }

    State state() {
        return state;
    }

    /** Runs the listener when the types are known: now, or in a later turn. */
    void whenKnown(ToolTypes of, Runnable listener) {
        if (state != State.IDLE) {
            waiting.add(listener);
            return;
        }
        List<MethodName> stale = of.stale(System.nanoTime());
        if (stale.isEmpty()) {
            listener.run();
            return;
        }
        waiting.add(listener);
        state = State.ASKING;
        types = of;
        unasked.addAll(stale);
        eventLoop.execute(this::ask);
    }

    private void ask() {
        while (!unasked.isEmpty() && unanswered < AT_ONCE) {
            unanswered++;
            ask(unasked.removeFirst());
        }
    }

    private void ask(MethodName service) {
        long nowNs = System.nanoTime();
        try {
            sender.send(calls.describe(service, TIMEOUT_MS), new Description(service, this::answered), nowNs, nowNs);
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
            state = State.MAKING;
            List<Described> all = List.copyOf(answers);
            answers.clear();
            bytes = 0;
            make(types, all);
        }
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
            of.take(all, System.nanoTime());
        } finally {
            eventLoop.execute(this::made);
        }
    }

    private void made() {
        state = State.IDLE;
        types = null;
        List<Runnable> listeners = List.copyOf(waiting);
        waiting.clear();
        listeners.forEach(Runnable::run);
    }
}
