package io.dubbomesh.consumer.http;

/** What a response takes from its request and its connection, whatever its content is. Reused from request to request. */
public final class ResponseFraming {
    private static final String NONE = "";

    private boolean close;
    private boolean http10;
    private boolean headOnly;
    private String allow = NONE;

    /** Takes from a request how it is to be answered. */
    public void set(HttpRequestParser request) {
        close = !request.keepAlive();
        http10 = request.isHttp10();
        headOnly = request.method().equals("HEAD");
        allow = NONE;
    }

    /** For a response to what is not a request. */
    public void reset() {
        close = false;
        http10 = false;
        headOnly = false;
        allow = NONE;
    }

    /** The methods that the request's target allows, where its own is not one of them. */
    public void allow(String methods) {
        allow = methods;
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
}
