package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.http.RequestFields;
import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.protocol.CallException;

/** Handles requests. There is one on each event loop, which calls it. */
public interface RequestHandler {
    /** Returns what takes the header fields that this handler needs, for another parser. */
    RequestFields newFields();

    /** Returns the methods that the request's target allows, for the field {@code Allow}. */
    String allowedMethods(HttpRequestParser request);

    /** Returns the observer of answers to requests for which {@link #handle} has set none. */
    Responder.Observer observer();

    /**
     * Returns the record of a request that has come; null if it is not recorded.
     *
     * @param request null for what is no request that could be parsed
     */
    CallRecord record(HttpRequestParser request);

    /** Called when the request of this record was answered, or its client has left. */
    void ended(CallRecord record);

    /**
     * Decides by the head of a request whether its sender may call. Called
     * <ul>
     *   <li>for a request without a body, immediately before {@link #handle}; never for a preflight, which has none;
     *   <li>for a request with a body, only where {@link RequestFields#checksHead} is true: when its head is there,
     *       before anything of its body is read, whether that has come or not.
     * </ul>
     *
     * @throws CallException if the request is refused because of who sends it; of one with a body no more is read, and
     *     the connection ends
     */
    void admit(HttpRequestParser request) throws CallException;

    /**
     * Returns what a request gets whose sender is not known, if it asks for what anyone may read; null if it does not.
     * Called for a request without a body that {@link #admit} has refused.
     */
    default Response publicPage(HttpRequestParser request) {
        return null;
    }

    /** Returns parameters of the challenge to clients without a sufficient token; empty for none. */
    default String challenge() {
        return "";
    }

    /**
     * Called immediately before {@link #handle} for a request whose body came later than its head, also where
     * {@link #admit} was not called for it. A body that comes at once with the head causes no such call.
     *
     * @throws CallException if the sender of the request would not be admitted now
     */
    void admitAgain(HttpRequestParser request) throws CallException;

    /**
     * Called for a request with a body and {@code Expect: 100-continue}, when its head is there, after {@link #admit}
     * where that is called.
     *
     * @throws CallException if the request is refused, going by its head alone
     */
    void checkHead(HttpRequestParser request) throws CallException;

    /**
     * Handles a complete request, which is valid during the call only. Not called for a preflight, nor for a request
     * that {@link #admit}, {@link #admitAgain} or {@link #checkHead} has refused. Where
     * {@link RequestFields#checksHead} is false, a request whose body came at once with its head was given to none of
     * them, unless it expects 100.
     *
     * @param responder  gets the response now or later, unless this method throws
     * @param receivedNs when the last byte of the request was read
     * @throws CallException if the request is refused; the responder was not called then and will not be
     */
    void handle(HttpRequestParser request, Responder responder, long receivedNs, long nowNs) throws CallException;
}
