package io.dubbomesh.consumer.http;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;

/** The fields that concern CORS: the page from which a request comes. Reused from request to request. */
public final class CrossOrigin implements RequestFields {
    /** The detail of a problem document. */
    public static final String EXPECTED = "Origin (expected: one of http.cors.origins)";

    private final AllowedOrigins allowed;
    private boolean given;
    private boolean asksForMethod;
    /** Null if the request names none, another or several. */
    private AllowedOrigins.Origin origin;

    CrossOrigin(AllowedOrigins allowed) {
        this.allowed = allowed;
    }

    @Override
    public void register(HeaderTable table) {
        table.add("origin", this::origin);
        table.add("access-control-request-method", (in, value, valueEnd) -> asksForMethod = true);
    }

    private void origin(ByteBuf in, int value, int valueEnd) {
        origin = given ? null : allowed.find(in, value, valueEnd);
        given = true;
    }

    @Override
    public void reset() {
        given = false;
        asksForMethod = false;
        origin = null;
    }

    /**
     * Returns whether a browser asks with this request whether its page may make another one; it never sends a body
     * with it.
     */
    boolean isPreflight(String method, boolean hasBody) {
        return given && asksForMethod && method.equals("OPTIONS") && !hasBody;
    }

    /**
     * Called when the head is there.
     *
     * @throws CallException if it is a request of a page that is not served
     */
    void check(String method, boolean hasBody) throws CallException {
        if (given && origin == null && allowed.refusesOthers() && !isPreflight(method, hasBody)) {
            throw new CallException(Outcome.FORBIDDEN, EXPECTED);
        }
    }

    /** Returns header fields that let the page make that request; null if it may not. */
    byte[] preflightFields() {
        return origin == null ? null : origin.preflight();
    }

    /** Returns header fields that let the page read the answer; null if it may not, or if there is no page. */
    byte[] answerFields() {
        return origin == null ? null : origin.answer();
    }
}
