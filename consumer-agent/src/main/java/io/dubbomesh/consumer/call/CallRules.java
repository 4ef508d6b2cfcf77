package io.dubbomesh.consumer.call;

import io.dubbomesh.consumer.http.ContentType;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Quoted;

/** The rules for well-formed requests that can be called. */
final class CallRules {
    private static final int MAX_TYPE = 100;

    private CallRules() {}

    /** @throws CallException if this one cannot be made, going by its head alone */
    static void check(HttpRequestParser request, CallTarget.Kind path, long maxTimeoutMs) throws CallException {
        if (path == CallTarget.Kind.OTHER) {
            throw new CallException(Outcome.NOT_FOUND, "no such path (expected: " + CallPaths.ALL + ')');
        }
        if (!path.allows(request.method())) {
            throw new CallException(
                    Outcome.METHOD_NOT_ALLOWED,
                    request.method() + " (expected: " + path.allowed() + "; there are " + CallPaths.ALL + ')');
        }
        CallHeaders headers = CallHeaders.of(request);
        if (headers.rejection() != null) {
            throw new CallException(headers.rejection(), headers.rejectionDetail());
        }
        if (request.hasContentEncoding()) {
            throw new CallException(Outcome.UNSUPPORTED_MEDIA_TYPE, "Content-Encoding (expected: none)");
        }
        if (request.method().equals(CallTarget.POST)) {
            checkContentType(request, path);
        }
        long timeoutMs = headers.timeoutMillis();
        if (timeoutMs < 0 || timeoutMs > maxTimeoutMs) {
            throw new CallException(
                    Outcome.BAD_REQUEST, "X-Request-Timeout (expected: whole milliseconds, 1 to " + maxTimeoutMs + ")");
        }
    }

    private static void checkContentType(HttpRequestParser request, CallTarget.Kind path) throws CallException {
        ContentType type = request.contentType();
        if (type == ContentType.REPEATED) {
            throw new CallException(Outcome.BAD_REQUEST, "Content-Type is given twice");
        }
        ContentType expected = path == CallTarget.Kind.ROOT ? ContentType.FORM : ContentType.JSON;
        boolean fits = switch (path) {
            case ROOT -> type == expected;
            // Without a byte there is nothing of any type.
            case METHOD -> type == expected || !request.hasContent();
            case SERVICE, DOCUMENT, ERRORS, OTHER -> true;
        };
        if (!fits) {
            String sent = request.sentContentType();
            throw new CallException(
                    Outcome.UNSUPPORTED_MEDIA_TYPE,
                    (sent == null ? "no Content-Type" : "Content-Type: " + Quoted.plain(sent, MAX_TYPE))
                            + " (expected: Content-Type: " + expected.text() + ", charset absent or UTF-8"
                            + (type == ContentType.JSON ? "; JSON goes to POST /{interface}/{method}" : "") + ')');
        }
    }
}
