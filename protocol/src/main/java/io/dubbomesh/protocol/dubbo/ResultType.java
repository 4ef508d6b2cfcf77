package io.dubbomesh.protocol.dubbo;

/** The number before a result: what follows it. */
public final class ResultType {
    public static final int EXCEPTION = 0;
    public static final int VALUE = 1;
    public static final int NULL = 2;
    /** Added if attachments follow. */
    public static final int WITH_ATTACHMENTS = 3;

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
