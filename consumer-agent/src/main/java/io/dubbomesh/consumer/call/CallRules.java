package io.dubbomesh.consumer.call;

import io.dubbomesh.consumer.http.ContentType;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;

/** Which well-formed requests are calls that can be made. */
final class CallRules {
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
        checkContentType(request, path);
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
        boolean fits = switch (path) {
            case ROOT -> type == ContentType.FORM;
            case METHOD -> type == ContentType.JSON || type == ContentType.NONE && request.announcesNoBody();
            case SERVICE, OTHER -> true;
        };
        if (!fits) {
            throw new CallException(
                    Outcome.UNSUPPORTED_MEDIA_TYPE,
                    "Content-Type (expected: "
                            + (path == CallTarget.Kind.ROOT ? "application/x-www-form-urlencoded" : "application/json")
                            + ", charset absent or UTF-8)");
        }
    }
}
