package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.http.HeaderTable;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.http.RequestFields;
import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.protocol.CallException;

/** Admits every caller, reads no fields of it, and records nothing. */
public abstract class PlainHandler implements RequestHandler {
    @Override
    public RequestFields newFields() {
        return new RequestFields() {
            @Override
            public void register(HeaderTable table) {}

            @Override
            public void reset() {}
        };
    }

    @Override
    public String allowedMethods(HttpRequestParser request) {
        return "";
    }

    @Override
    public Responder.Observer observer() {
        return (response, receivedNs) -> {};
    }

    @Override
    public CallRecord record(HttpRequestParser request) {
        return null;
    }

    @Override
    public void ended(CallRecord record) {}

    @Override
    public void admit(HttpRequestParser request) throws CallException {}

    @Override
    public void admitAgain(HttpRequestParser request) throws CallException {}

    @Override
    public void checkHead(HttpRequestParser request) throws CallException {}
}
