package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.http.RequestFields;
import io.dubbomesh.consumer.http.Responder;
import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.protocol.CallException;

/** What is done with requests. There is one on each event loop, which calls it. */
public interface HttpHandler {
    /** For another parser: takes the header fields that this handler needs. */
    RequestFields newFields();

    /** The methods that the request's target allows, for the field {@code Allow}. */
    String allowedMethods(HttpRequestParser request);

    /** Is told of the answers to requests for which {@link #handle} has named nobody. */
    Responder.Observer observer();

    /**
     * What is noted of a request that has come; null if nobody wants to know.
     *
     * @param request null for what is no request that could be parsed
     */
    CallRecord record(HttpRequestParser request);

    /** The request of this record was answered, or its client has left. */
    void ended(CallRecord record);

    /**
     * Called for each request that is no preflight, as soon as its head is there, before anything of its body is looked at.
     *
     * @throws CallException if the request is refused because of who sends it: no more of it is to be read
     */
    void admit(HttpRequestParser request) throws CallException;

    /**
     * Called when a request is complete that was admitted and whose body came later than its head.
     *
     * @throws CallException if who sends it would not be admitted now
     */
    void admitAgain(HttpRequestParser request) throws CallException;

    /** @throws CallException if the request, which was admitted, is refused, going by its head alone */
    void checkHead(HttpRequestParser request) throws CallException;

    /**
     * Handles a complete request, which was admitted and is valid during the call only.
     *
     * @param responder  gets the response now or later, unless this method throws
     * @param receivedNs when the last byte of the request was read
     * @throws CallException if the request is refused; the responder was not called then and will not be
     */
    void handle(HttpRequestParser request, Responder responder, long receivedNs, long nowNs) throws CallException;
}
