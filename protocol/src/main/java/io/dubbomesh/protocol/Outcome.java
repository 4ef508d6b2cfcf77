package io.dubbomesh.protocol;

/**
 * The end of a call. The failure table in docs/use/http.md has all constants but OK and NOT_EXECUTED. The {@link
 * #number()} is the status of a mesh RESPONSE; HTTP status, title and {@link #code()} are in the problem document that
 * the client gets.
 */
public enum Outcome {
    OK(0, 200, "OK"),
    /**
     * The provider did not get the request; the RESPONSE has the request's body, so that it can be sent to another
     * endpoint.
     */
    NOT_EXECUTED(1, 503, "Service Unavailable"),

    BAD_REQUEST(10, 400, "Bad Request"),
    BAD_ARGUMENT(11, 400, "Bad Request"),
    NOT_FOUND(12, 404, "Not Found"),
    SERVICE_NOT_FOUND(13, 404, "Not Found"),
    METHOD_NOT_FOUND(14, 404, "Not Found"),
    METHOD_NOT_ALLOWED(15, 405, "Method Not Allowed"),
    REQUEST_TIMEOUT(16, 408, "Request Timeout"),
    LENGTH_REQUIRED(17, 411, "Length Required"),
    BODY_TOO_LARGE(18, 413, "Content Too Large", "TOO_LARGE"),
    TARGET_TOO_LONG(19, 414, "URI Too Long", "TOO_LARGE"),
    UNSUPPORTED_MEDIA_TYPE(20, 415, "Unsupported Media Type"),
    EXPECTATION_FAILED(21, 417, "Expectation Failed"),
    HEAD_TOO_LARGE(22, 431, "Request Header Fields Too Large", "TOO_LARGE"),
    /** Arguments violate the constraints that the service declares; the method was not executed. */
    VALIDATION_FAILED(23, 400, "Bad Request"),
    /** The caller may not do this; answered by the consumer agent alone. */
    FORBIDDEN(24, 403, "Forbidden"),
    /** Nothing says who calls. */
    UNAUTHENTICATED(25, 401, "Unauthorized"),
    /** The caller's credentials are wrong, or not valid any more. */
    INVALID_TOKEN(26, 401, "Unauthorized"),
    /** The caller has called more tools than it may in a minute; answered by the consumer agent alone. */
    RATE_LIMITED(27, 429, "Too Many Requests"),
    /** The method returns a stream, and the client does not say in which form it takes one; not executed. */
    NOT_ACCEPTABLE(28, 406, "Not Acceptable"),

    SERVICE_EXCEPTION(30, 500, "Internal Server Error"),
    INTERNAL_ERROR(31, 500, "Internal Server Error"),
    NOT_IMPLEMENTED(32, 501, "Not Implemented"),
    PROVIDER_ERROR(33, 502, "Bad Gateway"),
    NO_PROVIDER(34, 503, "Service Unavailable"),
    OVERLOADED(35, 503, "Service Unavailable"),
    TIMEOUT(36, 504, "Gateway Timeout"),
    VERSION_NOT_SUPPORTED(37, 505, "HTTP Version Not Supported"),
    /** The provider demands another token than the call had, and did not execute it. */
    PROVIDER_REFUSED_TOKEN(38, 502, "Bad Gateway");

    private static final Outcome[] BY_NUMBER = new Outcome[256];

    static {
        for (Outcome outcome : values()) {
            BY_NUMBER[outcome.number] = outcome;
        }
    }

    private final int number;
    private final int httpStatus;
    private final String title;
    private final String code;

    Outcome(int number, int httpStatus, String title) {
        this(number, httpStatus, title, null);
    }

    Outcome(int number, int httpStatus, String title, String code) {
        this.number = number;
        this.httpStatus = httpStatus;
        this.title = title;
        this.code = code == null ? name() : code;
    }

    /** Returns the outcome of this number, or null where there is none. */
    public static Outcome ofNumber(int number) {
        return BY_NUMBER[number & 0xff];
    }

    /** Returns the mesh protocol's status, 0 to 255. */
    public int number() {
        return number;
    }

    public int httpStatus() {
        return httpStatus;
    }

    /** Returns the reason phrase of the HTTP status (RFC 9110, section 15), also the problem document's title. */
    public String title() {
        return title;
    }

    /** Returns the {@code code} member of the problem document. */
    public String code() {
        return code;
    }

    /** Returns whether a later attempt is likely to succeed; such an answer has the header Retry-After. */
    public boolean retryLater() {
        return httpStatus == 503 || this == RATE_LIMITED;
    }
}
