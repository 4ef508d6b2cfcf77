package io.dubbomesh.consumer;

import io.dubbomesh.consumer.call.CallReader;
import io.dubbomesh.consumer.call.ParsedCall;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.http.RequestFields;
import io.dubbomesh.consumer.http.Responder;
import io.dubbomesh.consumer.server.HttpHandler;
import io.dubbomesh.consumer.upstream.Upstream;
import io.dubbomesh.protocol.CallException;

/** Reads HTTP requests as calls and sends the calls upstream. Owned by one event loop. */
final class CallHandler implements HttpHandler {
    private final CallReader reader;
    private final Upstream upstream;
    private final Responder.Observer observer;

    CallHandler(CallReader reader, Upstream upstream) {
        this.reader = reader;
        this.upstream = upstream;
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
    public void checkHead(HttpRequestParser request) throws CallException {
        reader.checkHead(request);
    }

    @Override
    public void handle(HttpRequestParser request, Responder responder, long receivedNs, long nowNs)
            throws CallException {
        ParsedCall call = reader.read(request);
        responder.observe(call.route());
        responder.expect(call.route().answers());
        upstream.dispatch(call, responder, receivedNs, nowNs);
    }
}
