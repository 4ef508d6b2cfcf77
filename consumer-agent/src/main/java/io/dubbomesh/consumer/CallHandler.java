package io.dubbomesh.consumer;

import io.dubbomesh.consumer.call.CallReader;
import io.dubbomesh.consumer.call.ParsedCall;
import io.dubbomesh.consumer.call.Route;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.http.RequestFields;
import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.openapi.DocumentHandler;
import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.consumer.record.CallRecords;
import io.dubbomesh.consumer.server.RequestHandler;
import io.dubbomesh.consumer.upstream.call.Upstream;
import io.dubbomesh.protocol.CallException;

/** Reads HTTP requests as calls and sends the calls upstream. Owned by one event loop. */
final class CallHandler implements RequestHandler {
    private final CallReader reader;
    private final Upstream upstream;
    private final CallRecords records;
    private final AgentPages pages;
    private final TypeSources types;
    private final DocumentHandler documents;
    private final Responder.Observer observer;

    /** @param types learns of descriptions */
    CallHandler(
            CallReader reader,
            Upstream upstream,
            CallRecords records,
            AgentPages pages,
            TypeSources types,
            DocumentHandler documents) {
        this.reader = reader;
        this.upstream = upstream;
        this.records = records;
        this.pages = pages;
        this.types = types;
        this.documents = documents;
        observer = reader.observer();
    }

    @Override
    public RequestFields newFields() {
        return reader.newFields();
    }

    @Override
    public Responder.Observer observer() {
        return observer;
    }

    @Override
    public String allowedMethods(HttpRequestParser request) {
        return reader.allowedMethods(request);
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
        reader.admit(request);
    }

    @Override
    public void admitAgain(HttpRequestParser request) throws CallException {
        reader.admitAgain(request);
    }

    @Override
    public void checkHead(HttpRequestParser request) throws CallException {
        reader.checkHead(request);
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
        boolean isCall = CallReader.isCall(request);
        CallReader.Page page = isCall ? null : reader.page(request);
        if (page != null) {
            pages.respond(page, service -> reader.mayDescribe(request, service), responder);
            return;
        }
        ParsedCall call = reader.read(request);
        if (call == null) {
            documents.handle(request, responder);
            return;
        }
        responder.observe(isCall ? call.route() : describing(call.route()));
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
