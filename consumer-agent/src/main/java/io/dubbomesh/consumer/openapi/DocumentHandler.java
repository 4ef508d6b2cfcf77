package io.dubbomesh.consumer.openapi;

import io.dubbomesh.consumer.call.CallReader;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.upstream.call.Upstream;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Variant;
import io.netty.channel.EventLoop;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Answers requests for OpenAPI documents: asks for the descriptions of the services, few at once, has the document made
 * by another thread, and passes it on. Owned by one event loop.
 */
public final class DocumentHandler {
    /** The most services of a document. */
    private static final int MAX_SERVICES = 2000;
    /** The requests that wait for the same document. */
    private static final int MAX_WAITING = 64;
    /** The time in which all services of a document must be described; what is not known then is left out. */
    private static final int DEADLINE_MS = 5000;
    /** The bytes are beside the document that is made of the descriptions, on a heap of 64 MB by default. */
    private static final DescriptionRound.Limits LIMITS = new DescriptionRound.Limits(
            32, 3000, DEADLINE_MS, Runtime.getRuntime().maxMemory() / 8);

    private final CallReader reader;
    private final Upstream upstream;
    private final Response response;
    private final Documents documents;
    private final EventLoop eventLoop;
    /** The document that is being made; null if there is none. */
    private Making current;

    /** @param response of the loop, not closed here */
    public DocumentHandler(
            CallReader reader, Upstream upstream, Response response, Documents documents, EventLoop eventLoop) {
        this.reader = reader;
        this.upstream = upstream;
        this.response = response;
        this.documents = documents;
        this.eventLoop = eventLoop;
    }

    /**
     * Handles a request for a document, for which {@link CallReader#read} has found no call.
     *
     * @throws CallException if it is refused; the responder is not used then
     */
    public void handle(HttpRequestParser request, Responder responder) throws CallException {
        MethodName described = reader.described(request);
        DocumentRequest asked =
                described == null ? DocumentRequest.parse(request.target()) : DocumentRequest.of(described);
        // What is asked for by name must be there; else the answer has what there is.
        DocumentKey key =
                new DocumentKey(names(request, asked), !asked.services().isEmpty(), asked.forms());
        KeptDocuments.Kept fresh = documents.findFresh(key, System.nanoTime());
        if (fresh != null && !fresh.isCompressed()) {
            respond(List.of(responder), fresh.open());
        } else if (current == null) {
            current = new Making(key, responder);
            current.begin(fresh);
        } else if (!current.join(key, responder)) {
            throw new CallException(
                    Outcome.OVERLOADED, "another OpenAPI document is being made (expected: one at once)");
        }
    }

    private void respond(List<Responder> waiting, Document document) {
        for (Responder each : waiting) {
            each.respond(
                    response.set(Outcome.OK, Response.Content.OPENAPI, document.content(), 0, 0, document.length()));
        }
    }

    private void ask(MethodName service, int timeoutMs, Description answer, long nowNs) throws CallException {
        upstream.dispatch(reader.describe(service, timeoutMs), answer, nowNs, nowNs);
    }

    private List<MethodName> names(HttpRequestParser request, DocumentRequest asked) throws CallException {
        Directory directory = upstream.directory();
        if (directory == null) {
            throw new CallException(Outcome.NO_PROVIDER, "the list of services is not loaded yet");
        }
        if (asked.services().isEmpty() && directory.isOfAnyService()) {
            throw new CallException(
                    Outcome.BAD_REQUEST,
                    "query: no service (expected: service=NAME, as this registry does not list the services)");
        }
        List<MethodName> names = new ArrayList<>();
        if (asked.services().isEmpty()) {
            if (directory.services().size() > MAX_SERVICES) {
                throw new CallException(
                        Outcome.BAD_REQUEST,
                        "query: no service (expected: service=A,B, as there are "
                                + directory.services().size() + " services, more than " + MAX_SERVICES + ")");
            }
            for (String service : new TreeSet<>(directory.services())) {
                List<Endpoint> endpoints = directory.endpoints(service);
                if (!endpoints.isEmpty() && reader.mayDescribe(request, service)) {
                    addAsked(names, service, Variant.of(endpoints), asked);
                }
            }
            return names;
        }
        for (String service : asked.services()) {
            MethodName name = variant(service, directory.endpoints(service), asked);
            reader.authorize(request, name);
            names.add(name);
        }
        return names;
    }

    /** Adds the service if it has the version and group that are asked for. */
    private static void addAsked(
            List<MethodName> names, String service, Collection<Variant> served, DocumentRequest asked) {
        boolean isServed = served.isEmpty()
                || served.stream()
                        .anyMatch(variant -> variant.isAskedForBy(
                                asked.version() == null ? Variant.ANY : asked.version(),
                                asked.group() == null ? Variant.ANY : asked.group()));
        if (isServed) {
            names.add(name(service, served, asked));
        }
    }

    private static MethodName variant(String service, List<Endpoint> endpoints, DocumentRequest asked) {
        return name(service, endpoints == null ? List.of() : Variant.of(endpoints), asked);
    }

    /** Returns the variant that is asked for; of several the one without version and group, else the last in order. */
    private static MethodName name(String service, Collection<Variant> served, DocumentRequest asked) {
        Variant chosen = null;
        for (Variant variant : served) {
            boolean fits =
                    (asked.version() == null || variant.version().equals(new Variant(asked.version(), "").version()))
                            && (asked.group() == null || variant.group().equals(asked.group()));
            if (fits && (chosen == null || !chosen.equals(Variant.NONE))) {
                chosen = variant;
            }
        }
        if (chosen == null) {
            chosen = new Variant(
                    asked.version() == null ? "" : asked.version(), asked.group() == null ? "" : asked.group());
        }
        return new MethodName(service, MethodName.DESCRIBE, "", chosen.version(), chosen.group());
    }

    /**
     * One document that is being made, for those who wait for it.
     * <pre>
     *   ASKING  to MAKING  when the services have described themselves, or are known not to in time; at once if
     *                      that was lately
     *           to ENDED   if one is missing that is needed, or no client waits any more
     *   MAKING  to ENDED   with the document; if no client waits any more it is made all the same, and kept
     * </pre>
     */
    private final class Making {
        private enum Phase {
            ASKING,
            MAKING,
            ENDED
        }

        private final DocumentKey key;
        private final List<Responder> waiting = new ArrayList<>();
        private DescriptionRound round;
        private Phase phase = Phase.ASKING;

        Making(DocumentKey key, Responder first) {
            this.key = key;
            add(first);
        }

        /** @param fresh the document as it is kept; null if the services must be asked */
        void begin(KeptDocuments.Kept fresh) {
            if (fresh != null && documents.open(fresh, this::passOn)) {
                phase = Phase.MAKING;
            } else {
                round = new DescriptionRound(
                        key.names(), LIMITS, DocumentHandler.this::ask, eventLoop, System::nanoTime, this::make);
            }
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
            }
        }

        private void make(Collection<Described> answers) {
            phase = Phase.MAKING;
            Map<MethodName, Described> described = new LinkedHashMap<>();
            answers.forEach(answer -> described.put(answer.name(), answer));
            for (MethodName name : key.names()) {
                described.computeIfAbsent(
                        name,
                        late -> Described.not(late, Outcome.TIMEOUT, "not described within " + DEADLINE_MS + " ms"));
            }
            Described missing = described.values().stream()
                    .filter(answer -> answer.document() == null)
                    .findFirst()
                    .orElse(null);
            if (missing != null && key.isEachNeeded()) {
                fail(missing.outcome(), missing.reason());
                return;
            }
            boolean taken = documents.make(key, described.values(), this::passOn);
            if (!taken) {
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
                respond(end(), document);
            }
        }

        private void fail(Outcome outcome, String reason) {
            for (Responder each : end()) {
                each.respond(response.problem(outcome, reason));
            }
        }

        /** Returns those who wait. */
        private List<Responder> end() {
            phase = Phase.ENDED;
            current = null;
            List<Responder> left = List.copyOf(waiting);
            waiting.clear();
            return left;
        }
    }
}
