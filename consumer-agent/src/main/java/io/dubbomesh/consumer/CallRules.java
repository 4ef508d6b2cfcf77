package io.dubbomesh.consumer;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;

/** Which of the requests that are sound as messages are calls that can be taken. */
final class CallRules {
    private CallRules() {}

    /** @throws CallException if this one is none, going by its head alone */
    static void check(HttpRequestParser request, ConsumerSettings settings) throws CallException {
        if (!request.isRoot()) {
            throw new CallException(Outcome.NOT_FOUND, "no such path (expected: POST /)");
        }
        if (!request.isPost()) {
            throw new CallException(Outcome.METHOD_NOT_ALLOWED, "a call is a POST");
        }
        if (request.rejection() != null) {
            throw new CallException(request.rejection(), request.rejectionDetail());
        }
        if (request.hasContentEncoding()) {
            throw new CallException(Outcome.UNSUPPORTED_MEDIA_TYPE, "Content-Encoding (expected: none)");
        }
        if (request.contentType() != ContentType.FORM) {
            throw new CallException(
                    Outcome.UNSUPPORTED_MEDIA_TYPE,
                    "Content-Type (expected: application/x-www-form-urlencoded, charset absent or UTF-8)");
        }
        long timeoutMs = request.timeoutMillis();
        if (timeoutMs < 0 || timeoutMs > settings.maxRequestTimeoutMs()) {
            throw new CallException(
                    Outcome.BAD_REQUEST,
                    "X-Request-Timeout (expected: whole milliseconds, 1 to " + settings.maxRequestTimeoutMs() + ")");
        }
    }
}
