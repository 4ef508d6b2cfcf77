package io.dubbomesh.consumer.openapi;

import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * One document that is being made, for those who wait for it. Owned by one event loop.
 * <pre>
 *   ASKING  to MAKING  when the services have described themselves, or are known not to in time
 *           to ENDED   if one is missing that is needed, or no client waits any more
 *   MAKING  to ENDED   with the document; if no client waits any more it is made all the same, and kept
 * </pre>
 */
final class Making {
    enum Phase {
        ASKING,
        MAKING,
        ENDED
    }

    /** The requests that wait for the same document. */
    static final int MAX_WAITING = 64;
    /** The time in which all services of a document must be described; what is not known then is left out. */
    static final int DEADLINE_MS = 5000;
    /** The bytes are beside the document that is made of the descriptions, on a heap of 64 MB by default. */
    private static final DescriptionRound.Limits LIMITS = new DescriptionRound.Limits(
            32, 3000, DEADLINE_MS, Runtime.getRuntime().maxMemory() / 8);

    /** Makes documents on another thread. */
    @FunctionalInterface
    interface Maker {
        /**
         * @param made gets the document on another thread; null if it cannot be made
         * @return false if too many are to be made
         */
        boolean make(DocumentKey key, Collection<Described> services, Consumer<Document> made);
    }

    /** Called once, when it has ended. */
    interface Listener {
        /** @param waiting may be empty, as are those of the other method */
        void made(Document document, List<Responder> waiting);

        void failed(Outcome outcome, String reason, List<Responder> waiting);

        /** Called when no client waits any more. */
        void abandoned();
    }

    private final DocumentKey key;
    private final Maker maker;
    private final Executor eventLoop;
    private final Listener listener;
    private final List<Responder> waiting = new ArrayList<>();
    private final DescriptionRound round;
    private Phase phase = Phase.ASKING;

    /** @param clock as {@link System#nanoTime} */
    Making(
            DocumentKey key,
            Responder first,
            DescriptionRound.Asker asker,
            Maker maker,
            Executor eventLoop,
            LongSupplier clock,
            Listener listener) {
        this.key = key;
        this.maker = maker;
        this.eventLoop = eventLoop;
        this.listener = listener;
        add(first);
        round = new DescriptionRound(key.names(), LIMITS, asker, eventLoop, clock, this::make);
    }

    Phase phase() {
        return phase;
    }

    /** Returns whether the client gets this document: false if it asks for another one, or too many wait. */
    boolean join(DocumentKey wanted, Responder responder) {
        boolean joins = waiting.size() < MAX_WAITING && key.equals(wanted);
        if (joins) {
            add(responder);
        }
        return joins;
    }

    private void add(Responder responder) {
        waiting.add(responder);
        responder.onCancel(() -> remove(responder));
    }

    /** Called when a client has left; without any the next document can be made. */
    private void remove(Responder responder) {
        waiting.remove(responder);
        if (waiting.isEmpty() && phase == Phase.ASKING) {
            round.cancel();
            end();
            listener.abandoned();
        }
    }

    private void make(Collection<Described> answers) {
        phase = Phase.MAKING;
        Map<MethodName, Described> described = new LinkedHashMap<>();
        answers.forEach(answer -> described.put(answer.name(), answer));
        for (MethodName name : key.names()) {
            described.computeIfAbsent(
                    name, late -> Described.not(late, Outcome.TIMEOUT, "not described within " + DEADLINE_MS + " ms"));
        }
        Described missing = described.values().stream()
                .filter(answer -> answer.document() == null)
                .findFirst()
                .orElse(null);
        if (missing != null && key.isEachNeeded()) {
            fail(missing.outcome(), missing.reason());
            return;
        }
        if (!maker.make(key, described.values(), this::passOn)) {
            fail(Outcome.OVERLOADED, "too many OpenAPI documents are to be made (expected: fewer at once)");
        }
    }

    /** Called by another thread. */
    private void passOn(Document document) {
        eventLoop.execute(() -> end(document));
    }

    private void end(Document document) {
        if (document == null) {
            fail(Outcome.INTERNAL_ERROR, "the OpenAPI document cannot be made; the log has the details");
        } else {
            listener.made(document, end());
        }
    }

    private void fail(Outcome outcome, String reason) {
        listener.failed(outcome, reason, end());
    }

    /** Returns those who wait. */
    private List<Responder> end() {
        phase = Phase.ENDED;
        List<Responder> left = List.copyOf(waiting);
        waiting.clear();
        return left;
    }
}
