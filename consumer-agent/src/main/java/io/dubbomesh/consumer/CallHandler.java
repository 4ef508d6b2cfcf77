package io.dubbomesh.consumer;

import io.dubbomesh.consumer.call.CallReader;
import io.dubbomesh.consumer.call.ParsedCall;
import io.dubbomesh.consumer.call.Route;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.http.RequestFields;
import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.mcp.McpEndpoint;
import io.dubbomesh.consumer.mcp.PublishedTools;
import io.dubbomesh.consumer.openapi.DocumentHandler;
import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.consumer.record.CallRecords;
import io.dubbomesh.consumer.server.RequestHandler;
import io.dubbomesh.consumer.upstream.call.Upstream;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.runtime.metrics.MetricSamples;

import java.util.concurrent.Executor;

/**
 * Reads HTTP requests as calls, those for tools among them, and sends the calls upstream. Owned by one event loop.
 */
final class CallHandler implements RequestHandler {
    private final CallReader reader;
    private final Upstream upstream;
    private final CallRecords records;
    private final AgentPages pages;
    private final TypeSources types;
    private final DocumentHandler documents;
    private final Responder.Observer observer;
    /** Null where no tools are published. */
    private final McpEndpoint mcp;

    /**
     * @param types    learns of descriptions
     * @param tools    null where none are published
     * @param response the loop's view
     * @param eventLoop the loop
     */
    CallHandler(
            CallReader reader,
            Upstream upstream,
            CallRecords records,
            AgentPages pages,
            TypeSources types,
            DocumentHandler documents,
            PublishedTools tools,
            Response response,
            Executor eventLoop) {
        this.reader = reader;
        this.upstream = upstream;
        this.records = records;
        this.pages = pages;
        this.types = types;
        this.documents = documents;
        observer = reader.observer();
        mcp = tools == null ? null : new McpEndpoint(tools, reader, this::sendTool, response, eventLoop);
    }

    void addTo(MetricSamples samples) {
        if (mcp != null) {
            mcp.addTo(samples);
        }
    }

    @Override
    public RequestFields newFields() {
        return reader.newFields(mcp == null ? null : mcp.newFields());
    }

    @Override
    public Responder.Observer observer() {
        return observer;
    }

    @Override
    public String allowedMethods(HttpRequestParser request) {
        return isForTools(request) ? mcp.allowedMethods() : reader.allowedMethods(request);
    }

    @Override
    public CallRecord record(HttpRequestParser request) {
        boolean asked = request != null && CallReader.asksForTimes(request);
        if (!asked && !records.isRecording()) {
            return null;
        }
        return records.begin(request == null ? null : CallReader.traceFields(request), asked);
    }

    @Override
    public void ended(CallRecord record) {
        records.end(record);
    }

    @Override
    public void admit(HttpRequestParser request) throws CallException {
        CallException refusal = reader.refusal(request);
        if (refusal != null && !request.hasBody() && publicPage(request) != null) {
            // It gets that page, and is not refused.
            throw refusal;
        }
        reader.admit(request);
    }

    /** What problem documents lead to, 401 among them, and where a client logs in. */
    @Override
    public Response publicPage(HttpRequestParser request) {
        Response metadata = metadata(request);
        return metadata == null && reader.asksForErrors(request) ? pages.errorsPage() : metadata;
    }

    private Response metadata(HttpRequestParser request) {
        return mcp == null ? null : mcp.metadata(request);
    }

    @Override
    public String challenge() {
        return mcp == null ? "" : mcp.challenge();
    }

    @Override
    public void admitAgain(HttpRequestParser request) throws CallException {
        reader.admitAgain(request);
    }

    @Override
    public void checkHead(HttpRequestParser request) throws CallException {
        if (isForTools(request)) {
            mcp.checkHead(request);
        } else {
            reader.checkHead(request);
        }
    }

    private boolean isForTools(HttpRequestParser request) {
        return mcp != null && mcp.isTarget(request);
    }

    @Override
    public void handle(HttpRequestParser request, Responder responder, long receivedNs, long nowNs)
            throws CallException {
        String caller = caller(request, responder);
        reader.requested(request, caller, responder.client(), nowNs);
        CallRecord record = responder.record();
        if (record != null) {
            record.request().calledBy(caller);
        }
        if (isForTools(request)) {
            mcp.handle(request, responder, receivedNs, nowNs);
            return;
        }
        boolean isCall = CallReader.isCall(request);
        Response metadata = isCall ? null : metadata(request);
        if (metadata != null) {
            responder.respond(metadata);
            return;
        }
        CallReader.Page page = isCall ? null : reader.page(request);
        if (page != null) {
            pages.respond(page, service -> reader.mayDescribe(request, service), responder);
            return;
        }
        ParsedCall call = reader.read(request);
        if (call == null) {
            documents.handle(request, responder);
        } else {
            send(call, isCall ? call.route() : describing(call.route()), responder, receivedNs, nowNs);
        }
    }

    private void sendTool(ParsedCall call, Responder responder, long receivedNs, long nowNs) throws CallException {
        send(call, call.route(), responder, receivedNs, nowNs);
    }

    private void send(ParsedCall call, Responder.Observer observed, Responder responder, long receivedNs, long nowNs)
            throws CallException {
        responder.observe(observed);
        CallRecord record = responder.record();
        long dispatchedNs = record == null ? nowNs : dispatched(call, record);
        responder.expect(call.route().answers());
        upstream.dispatch(call, responder, receivedNs, dispatchedNs);
    }

    /** Returns the name in the caller's token, else in its certificate; null if neither names it. */
    private static String caller(HttpRequestParser request, Responder responder) {
        String subject = CallReader.caller(request);
        return subject != null || responder.clientName().isEmpty() ? subject : responder.clientName();
    }

    private Responder.Observer describing(Route route) {
        return (response, receivedNs) -> {
            types.described(route.name().service(), response);
            route.answered(response, receivedNs);
        };
    }

    private static long dispatched(ParsedCall call, CallRecord record) {
        call.time();
        long nowNs = System.nanoTime();
        record.call().dispatched(call.route().name(), nowNs);
        return nowNs;
    }
}
