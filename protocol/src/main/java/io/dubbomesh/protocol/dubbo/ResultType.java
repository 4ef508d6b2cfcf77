package io.dubbomesh.protocol.dubbo;

/** The number before a result: what follows it. */
final class ResultType {
    private static final int EXCEPTION = 0;
    private static final int NULL = 2;
    private static final int WITH_ATTACHMENTS = 3;

    private ResultType() {}

    static boolean isKnown(long type) {
        return type >= 0 && type < 2 * WITH_ATTACHMENTS;
    }

    static boolean isException(int type) {
        return type % WITH_ATTACHMENTS == EXCEPTION;
    }

    static boolean isNull(int type) {
        return type % WITH_ATTACHMENTS == NULL;
    }

    static boolean hasAttachments(int type) {
        return type >= WITH_ATTACHMENTS;
    }
}
