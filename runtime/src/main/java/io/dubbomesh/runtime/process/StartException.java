package io.dubbomesh.runtime.process;

import io.dubbomesh.runtime.SocketFailure;

import java.util.Locale;

/** A start that failed for a reason outside the program; the message is one line for the operator. */
public final class StartException extends Exception {
    private static final long serialVersionUID = 1L;

    public StartException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * Returns the failure of an address on which the agent cannot listen: {@code server.port: 20000 (address already in
     * use)}.
     *
     * @param listener the common prefix of the settings, such as {@code server} of {@code server.host} and
     *     {@code server.port}
     */
    public static StartException cannotListen(String listener, String host, int port, Throwable cause) {
        // The JDK and Netty's native transports wrap the operating system's message differently.
        String reason = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
        if (reason.contains("address already in use")) {
            return new StartException(listener + ".port: " + port + " (address already in use)", cause);
        }
        if (reason.contains("permission denied")) {
            return new StartException(listener + ".port: " + port + " (permission denied)", cause);
        }
        if (reason.contains("cannot assign requested address")) {
            return new StartException(listener + ".host: " + host + " (not an address of this machine)", cause);
        }
        return new StartException(
                listener + ".port: " + port + " on " + host + " (" + SocketFailure.reason(cause) + ')', cause);
    }
}
