package io.dubbomesh.runtime;

import java.net.ConnectException;
import java.net.PortUnreachableException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.util.regex.Pattern;

/** The reason for which a socket failed, for a message that names its address. */
public final class SocketFailure {
    /** The words that Netty puts before the system's: {@code finishConnect(..) failed with error(-111): }. */
    private static final Pattern SYSTEM_CALL = Pattern.compile("\\b\\w+\\(\\.\\.\\) failed with error\\(-\\d+\\): ");
    /** The words of others that have only the text of an exception: {@code java.net.ConnectException: }. */
    private static final Pattern EXCEPTION =
            Pattern.compile("\\b(?:[a-z][\\w$]*\\.)+[A-Z][\\w$]*(?:Exception|Error): (?=\\S)");

    private SocketFailure() {}

    /** Returns the reason in the system's words, without the system call: {@code Connection refused}. */
    public static String reason(Throwable cause) {
        if (cause instanceof Error) {
            return cause.toString();
        }
        String message = cause.getMessage();
        if (cause instanceof UnknownHostException) {
            return "unknown host " + message;
        }
        return message == null || message.isBlank() ? silent(cause) : reason(message);
    }

    /** Returns the reason of a failure without a message, as channels, datagrams and the JDK's HTTP client have it. */
    private static String silent(Throwable cause) {
        for (Throwable inner = cause; inner != null; inner = inner.getCause()) {
            if (inner instanceof UnresolvedAddressException) {
                return "unknown host";
            }
        }
        if (cause instanceof ClosedChannelException) {
            return "the connection is closed";
        }
        boolean isRefusal = cause instanceof ConnectException || cause instanceof PortUnreachableException;
        return isRefusal ? "Connection refused" : cause.getClass().getSimpleName();
    }

    /**
     * Returns the same of a text that may have one or more within it, as libraries tell of the sockets that they
     * opened.
     */
    public static String reason(String text) {
        return EXCEPTION.matcher(SYSTEM_CALL.matcher(text).replaceAll("")).replaceAll("");
    }
}
