package io.dubbomesh.runtime;

import java.util.regex.Pattern;

/** Why a socket failed, for a message that names its address. */
public final class SocketFailure {
    /** What Netty puts in front of the system's words: {@code finishConnect(..) failed with error(-111): }. */
    private static final Pattern SYSTEM_CALL = Pattern.compile("^\\w+\\(\\.\\.\\) failed with error\\(-\\d+\\): ");

    private SocketFailure() {}

    /** The reason in the system's words, without the system call: {@code Connection refused}. */
    public static String reason(Throwable cause) {
        String message = cause.getMessage();
        return message == null ? cause.toString() : SYSTEM_CALL.matcher(message).replaceFirst("");
    }
}
