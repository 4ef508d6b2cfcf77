package io.dubbomesh.consumer.mcp;

import io.dubbomesh.consumer.call.CallReader;
import io.dubbomesh.consumer.mcp.schema.ToolTypes;
import io.dubbomesh.consumer.openapi.Described;
import io.dubbomesh.consumer.openapi.DescriptionRound;
import io.dubbomesh.protocol.MethodName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;

/**
 * Has lists of tools wait until the types of their services are known, or known not to be had now. Asks the services in
 * a {@link DescriptionRound}, and has the schemas made by another thread; calls never wait for it. Owned by one event
 * loop.
 * <pre>
 *   IDLE    to ASKING when a list is wanted and services were not asked lately
 *   ASKING  to MAKING when the round has ended
 *   MAKING  to IDLE when the schemas are made: the lists of these types are written
 *           to ASKING likewise, when others wait for the types of another file
 * </pre>
 */
final class ToolLister {
    private static final Logger LOG = LoggerFactory.getLogger(ToolLister.class);
    /** The time for all services of a round. */
    static final int TIMEOUT_MS = 3000;

    /** The bytes are beside the schemas that are made of the descriptions. */
    private static final DescriptionRound.Limits LIMITS = new DescriptionRound.Limits(
            16, TIMEOUT_MS, TIMEOUT_MS, Runtime.getRuntime().maxMemory() / 16);

    enum State {
        IDLE,
        ASKING,
        MAKING
    }

    private final DescriptionRound.Asker asker;
    private final Executor eventLoop;
    private final Executor maker;
    private final LongSupplier clock;
    private final List<Waiting> waiting = new ArrayList<>();

    private State state = State.IDLE;
    private ToolTypes types;

    /** A list that waits for types. */
    private record Waiting(ToolTypes types, Runnable listener) {}

    /**
     * @param maker makes schemas, one after the other
     * @param clock as {@link System#nanoTime}
     */
    ToolLister(
            CallReader calls, McpEndpoint.CallSender sender, Executor eventLoop, Executor maker, LongSupplier clock) {
        asker = (service, timeoutMs, answer, nowNs) ->
                sender.send(calls.describe(service, timeoutMs), answer, nowNs, nowNs);
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
        List<MethodName> stale = of.stale(clock.getAsLong());
        if (stale.isEmpty()) {
            listener.run();
            return;
        }
        waiting.add(new Waiting(of, listener));
        state = State.ASKING;
        types = of;
        // Services for which there is no time are the first of the next round.
        new DescriptionRound(stale, LIMITS, asker, eventLoop, clock, answers -> {
            state = State.MAKING;
            make(of, List.copyOf(answers));
        });
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
