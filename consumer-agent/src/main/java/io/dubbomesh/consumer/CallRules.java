package io.dubbomesh.consumer;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;

/** Which of the requests that are sound as messages are calls that can be taken. */
final class CallRules {
    private CallRules() {}

    /** @throws CallException if this one is none, going by its head alone */
    static void check(HttpRequestParser request, ConsumerSettings settings) throws CallException {
        RequestPath.Kind path = request.path().kind();
        if (path == RequestPath.Kind.OTHER) {
            throw new CallException(
                    Outcome.NOT_FOUND, "no such path (expected: /, /{interface} or /{interface}/{method})");
        }
        if (!path.allows(request.method())) {
            throw new CallException(
                    Outcome.METHOD_NOT_ALLOWED, request.method() + " (expected: " + path.allowed() + ')');
        }
        if (request.rejection() != null) {
            throw new CallException(request.rejection(), request.rejectionDetail());
        }
        if (request.hasContentEncoding()) {
            throw new CallException(Outcome.UNSUPPORTED_MEDIA_TYPE, "Content-Encoding (expected: none)");
        }
        checkContentType(request, path);
        long timeoutMs = request.timeoutMillis();
        if (timeoutMs < 0 || timeoutMs > settings.maxRequestTimeoutMs()) {
            throw new CallException(
                    Outcome.BAD_REQUEST,
                    "X-Request-Timeout (expected: whole milliseconds, 1 to " + settings.maxRequestTimeoutMs() + ")");
        }
    }

    private static void checkContentType(HttpRequestParser request, RequestPath.Kind path) throws CallException {
        ContentType type = request.contentType();
        boolean fits = switch (path) {
            case ROOT -> type == ContentType.FORM;
            case METHOD -> type == ContentType.JSON || type == ContentType.NONE && request.announcesNoBody();
            case SERVICE, OTHER -> true;
        };
        if (!fits) {
            throw new CallException(
                    Outcome.UNSUPPORTED_MEDIA_TYPE,
                    "Content-Type (expected: "
                            + (path == RequestPath.Kind.ROOT ? "application/x-www-form-urlencoded" : "application/json")
                            + ", charset absent or UTF-8)");
        }
    }
}
