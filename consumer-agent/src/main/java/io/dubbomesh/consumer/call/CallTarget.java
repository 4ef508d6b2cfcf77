package io.dubbomesh.consumer.call;

import io.dubbomesh.consumer.text.Words;
import io.netty.buffer.ByteBuf;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** The names in a request's target and their places in it. Reused from request to request. */
final class CallTarget {
    enum Kind {
        /** {@code /}: the services, and calls as forms. */
        ROOT(true, true),
        /** {@code /{interface}}: what there is to call. */
        SERVICE(true, false),
        /** {@code /openapi.json}: what there is to call, of all services. */
        DOCUMENT(true, false),
        /** {@code /{interface}/{method}}: the method, and calls of it in JSON. */
        METHOD(true, true),
        /** Where the {@code type} of a problem document leads. */
        ERRORS(true, false),
        OTHER(false, false);

        private final boolean isRead;
        private final boolean isCalled;

        Kind(boolean isRead, boolean isCalled) {
            this.isRead = isRead;
            this.isCalled = isCalled;
        }

        boolean allows(String method) {
            return isCalled && method.equals(POST) || isRead && (method.equals("GET") || method.equals("HEAD"));
        }

        /** Returns the value of the field {@code Allow}. */
        String allowed() {
            return !isRead ? "" : isCalled ? "GET, HEAD, POST" : "GET, HEAD";
        }

        /** Returns whether the target names a service. */
        boolean hasService() {
            return this == SERVICE || this == METHOD;
        }
    }

    static final String POST = "POST";

    private static final int SERVICE_OFFSET = 1;
    /** The end of the path of a relative {@code type}, whatever document it is resolved against. */
    private static final byte[] ERRORS_PAGE = "/docs/errors.md".getBytes(US_ASCII);

    private static final byte[] DOCUMENT = "openapi.json".getBytes(US_ASCII);

    private Kind kind = Kind.OTHER;
    private int serviceEnd;
    private int pathEnd;

    /** Finds the parts of a target, all of which is readable; it need not be a path. */
    void locate(ByteBuf target) {
        int end = target.writerIndex();
        pathEnd = Words.firstOf(target, 0, end, '?', '?');
        if (target.getByte(0) != '/') {
            kind = Kind.OTHER;
        } else if (pathEnd == SERVICE_OFFSET) {
            kind = Kind.ROOT;
        } else if (isErrorsPage(target)) {
            kind = Kind.ERRORS;
        } else {
            serviceEnd = Words.firstOf(target, SERVICE_OFFSET, pathEnd, '/', '/');
            kind = serviceEnd == pathEnd
                    ? isDocument(target) ? Kind.DOCUMENT : Kind.SERVICE
                    : isMethod(target) ? Kind.METHOD : Kind.OTHER;
        }
    }

    private boolean isErrorsPage(ByteBuf target) {
        int begin = pathEnd - ERRORS_PAGE.length;
        return begin >= 0 && Words.equal(target, begin, ERRORS_PAGE, 0, ERRORS_PAGE.length);
    }

    /** No interface has such a name. */
    private boolean isDocument(ByteBuf target) {
        return serviceLength() == DOCUMENT.length && Words.equal(target, SERVICE_OFFSET, DOCUMENT, 0, DOCUMENT.length);
    }

    private boolean isMethod(ByteBuf target) {
        int method = methodOffset();
        return serviceEnd > SERVICE_OFFSET
                && method < pathEnd
                && Words.firstOf(target, method, pathEnd, '/', '/') == pathEnd;
    }

    Kind kind() {
        return kind;
    }

    /**
     * Returns the offset of the service in {@link Kind#SERVICE} and {@link Kind#METHOD}; percent-encoded, not empty.
     */
    int serviceOffset() {
        return SERVICE_OFFSET;
    }

    int serviceLength() {
        return serviceEnd - SERVICE_OFFSET;
    }

    /** Returns the offset of the method in {@link Kind#METHOD}; percent-encoded, not empty. */
    int methodOffset() {
        return serviceEnd + 1;
    }

    int methodLength() {
        return pathEnd - methodOffset();
    }

    /** Returns the offset of the question mark of the query, or of the end of the target. */
    int pathEnd() {
        return pathEnd;
    }
}
