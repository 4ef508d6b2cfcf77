package io.dubbomesh.consumer.http;

import io.dubbomesh.consumer.record.CallRecord;

/**
 * What a response takes from its request and its connection, whatever its content is. Reused from request to request.
 */
public final class ResponseFraming {
    private static final String NONE = "";

    private boolean close;
    private boolean http10;
    private boolean headOnly;
    private String allow = NONE;
    /** Header fields for the browser whose page has sent the request, or null. */
    private byte[] crossOrigin;
    /** With the times that the client asks for, or null. */
    private CallRecord times;

    /** Takes from a request how it is to be answered. */
    public void set(HttpRequestParser request) {
        close = !request.keepAlive();
        http10 = request.isHttp10();
        headOnly = request.method().equals("HEAD");
        allow = NONE;
        times = null;
        crossOrigin = answerFields(request);
    }

    private static byte[] answerFields(HttpRequestParser request) {
        CrossOrigin origin = request.crossOrigin();
        return origin == null ? null : origin.answerFields();
    }

    /**
     * For a response to what is not a request.
     *
     * @param begun what has come of one; null if nothing has
     */
    public void reset(HttpRequestParser begun) {
        boolean hasBegun = begun != null && !begun.isBetweenRequests();
        crossOrigin = hasBegun ? answerFields(begun) : null;
        close = false;
        http10 = false;
        headOnly = hasBegun && begun.method().equals("HEAD");
        allow = NONE;
        times = null;
    }

    /** The methods that the request's target allows, where its own is not one of them. */
    public void allow(String methods) {
        allow = methods;
    }

    /** The response says how long the request was where. */
    public void tell(CallRecord record) {
        times = record;
    }

    /** Sets the header fields for the browser whose page has sent the request. */
    public void crossOrigin(byte[] fields) {
        crossOrigin = fields;
    }

    /** The connection ends with this response, whatever the client has asked for. */
    public void closeAfter() {
        close = true;
    }

    /** Whether the connection ends with this response. */
    public boolean isLast() {
        return close;
    }

    boolean isHttp10() {
        return http10;
    }

    /** Whether the request was HEAD, to which the response has no content. */
    public boolean isHeadOnly() {
        return headOnly;
    }

    String allow() {
        return allow;
    }

    /** Header fields, or null. */
    byte[] crossOrigin() {
        return crossOrigin;
    }

    /** Null if the client does not ask for them. */
    CallRecord times() {
        return times;
    }
}
