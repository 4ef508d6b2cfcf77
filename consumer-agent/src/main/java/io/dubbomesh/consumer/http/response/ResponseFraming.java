package io.dubbomesh.consumer.http.response;

import io.dubbomesh.consumer.record.CallRecord;

/**
 * The parts of a response that depend on its request and its connection, and not on its content. Reused from request to
 * request.
 */
public final class ResponseFraming {
    private static final String NONE = "";

    private boolean close;
    private boolean http10;
    private boolean headOnly;
    private String allow = NONE;
    /** Header fields for the browser whose page has sent the request, or null. */
    private byte[] crossOrigin;
    /** The record with the times that the client asks for, or null. */
    private CallRecord times;

    /** Makes this ready for another response: to a request of HTTP/1.1 that may have content. */
    public void reset() {
        close = false;
        http10 = false;
        headOnly = false;
        allow = NONE;
        crossOrigin = null;
        times = null;
    }

    /** Keeps the connection of a client of HTTP/1.0, which asks for it to be said. */
    public void keepAliveOfHttp10() {
        http10 = true;
    }

    /** Omits the content, as the request was HEAD. */
    public void headOnly() {
        headOnly = true;
    }

    /** Names the methods that the request's target allows, where its own is not one of them. */
    public void allow(String methods) {
        allow = methods;
    }

    /** Adds how long the request was where. */
    public void times(CallRecord record) {
        times = record;
    }

    /** Sets the header fields for the browser whose page has sent the request. */
    public void crossOrigin(byte[] fields) {
        crossOrigin = fields;
    }

    /** Ends the connection with this response. */
    public void closeAfter() {
        close = true;
    }

    /** Returns whether the connection ends with this response. */
    public boolean isLast() {
        return close;
    }

    /** Returns whether the client knows no chunks. */
    public boolean isHttp10() {
        return http10;
    }

    /** Returns whether the response has no content, as the request was HEAD. */
    public boolean isHeadOnly() {
        return headOnly;
    }

    String allow() {
        return allow;
    }

    /** Returns header fields, or null. */
    byte[] crossOrigin() {
        return crossOrigin;
    }

    /** Returns null if the client does not ask for them. */
    CallRecord times() {
        return times;
    }
}
