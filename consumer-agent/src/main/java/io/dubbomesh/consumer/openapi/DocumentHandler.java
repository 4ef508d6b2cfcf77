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
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Answers requests for OpenAPI documents: asks for the descriptions of the services, few at once, has the document made
 * by another thread, and passes it on. Owned by one event loop.
 */
public final class DocumentHandler {
    /** The most services of a document. */
    private static final int MAX_SERVICES = 2000;

    private final CallReader reader;
    private final Upstream upstream;
    private final Response response;
    private final Documents documents;
    private final EventLoop eventLoop;
    private final DocumentSender sender;
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
        sender = new DocumentSender(response, this::execute);
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
        Document fresh = documents.findFresh(key, System.nanoTime());
        if (fresh != null) {
            sender.send(fresh, responder);
        } else if (current == null) {
            current = new Making(
                    key, responder, this::ask, documents::make, this::execute, System::nanoTime, new Answers());
        } else if (!current.join(key, responder)) {
            throw new CallException(
                    Outcome.OVERLOADED, "another OpenAPI document is being made (expected: one at once)");
        }
    }

    /** Runs a task in a later turn: Netty serves its channels before it runs what is scheduled. */
    private void execute(Runnable task) {
        eventLoop.schedule(task, 0, TimeUnit.NANOSECONDS);
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

    /** Passes on how the making of the current document has ended. */
    private final class Answers implements Making.Listener {
        @Override
        public void made(Document document, List<Responder> waiting) {
            current = null;
            waiting.forEach(each -> sender.send(document, each));
        }

        @Override
        public void failed(Outcome outcome, String reason, List<Responder> waiting) {
            current = null;
            waiting.forEach(each -> each.respond(response.problem(outcome, reason)));
        }

        @Override
        public void abandoned() {
            current = null;
        }
    }
}
