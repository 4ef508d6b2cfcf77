package io.dubbomesh.runtime.admin;

/**
 * The failure of a request of the admin interface: becomes a problem document. Routine, hence without a stack trace.
 */
public final class AdminException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;
    private final String allowed;

    private AdminException(int status, String code, String detail) {
        this(status, code, detail, null);
    }

    private AdminException(int status, String code, String detail, String allowed) {
        super(detail, null, false, false);
        this.status = status;
        this.code = code;
        this.allowed = allowed;
    }

    public static AdminException badRequest(String detail) {
        return new AdminException(400, "BAD_REQUEST", detail);
    }

    static AdminException forbidden(String detail) {
        return new AdminException(403, "FORBIDDEN", detail);
    }

    public static AdminException notFound(String detail) {
        return new AdminException(404, "NOT_FOUND", detail);
    }

    static AdminException methodNotAllowed(String method, String allowed) {
        return new AdminException(405, "METHOD_NOT_ALLOWED", method + " (expected: " + allowed + ")", allowed);
    }

    /** Returns the answer to a request that does not fit the state or the settings of this agent. */
    public static AdminException conflict(String detail) {
        return new AdminException(409, "CONFLICT", detail);
    }

    static AdminException tooLarge(String detail) {
        return new AdminException(413, "TOO_LARGE", detail);
    }

    static AdminException unsupportedMediaType(String detail) {
        return new AdminException(415, "UNSUPPORTED_MEDIA_TYPE", detail);
    }

    /** Returns the answer where something that is needed does not answer now: an event loop, the registry. */
    public static AdminException unavailable(String detail) {
        return new AdminException(503, "UNAVAILABLE", detail);
    }

    int status() {
        return status;
    }

    /** Returns the methods that the path has; null if that is not why. */
    String allowed() {
        return allowed;
    }

    String code() {
        return code;
    }
}
