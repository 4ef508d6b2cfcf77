package io.dubbomesh.consumer.call;

import io.dubbomesh.consumer.text.Words;
import io.netty.buffer.ByteBuf;

/** The names in a request's target and their places in it. Reused from request to request. */
final class CallTarget {
    enum Kind {
        /** {@code /}: calls as forms. */
        ROOT("POST"),
        /** {@code /{interface}}: what there is to call. */
        SERVICE("GET, HEAD"),
        /** {@code /{interface}/{method}}: calls in JSON. */
        METHOD("POST"),
        OTHER("");

        private final String allowed;

        Kind(String allowed) {
            this.allowed = allowed;
        }

        boolean allows(String method) {
            return this == SERVICE ? method.equals("GET") || method.equals("HEAD") : method.equals(allowed);
        }

        /** Returns the value of the field {@code Allow}. */
        String allowed() {
            return allowed;
        }
    }

    private static final int SERVICE_OFFSET = 1;

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
        } else {
            serviceEnd = Words.firstOf(target, SERVICE_OFFSET, pathEnd, '/', '/');
            kind = serviceEnd == pathEnd ? Kind.SERVICE : isMethod(target) ? Kind.METHOD : Kind.OTHER;
        }
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
