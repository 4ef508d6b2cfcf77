package io.dubbomesh.runtime.settings;

/** A setting that cannot be used; the message is one line for whoever set it: {@code server.port: 70000 (expected: 1-65535)}. */
public final class SettingsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SettingsException(String message) {
        super(message);
    }
}
